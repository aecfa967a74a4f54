// What `mgnn search` found for every network with the same trials, on data of docs/training.md.
#pragma once

#include "mgnn/task/profiles.h"

namespace mgnn {

std::span<const Profile> fair_profiles();

}  // namespace mgnn
