// What the two experiments on links share.
#pragma once

#include "experiments/comparison.h"

namespace mgnn {

std::string link_data_name(const Study& study);
// Settings of a network that predicts links.
std::vector<std::string> link_settings(const Study& study);
std::string link_remark(const Study& study);

}  // namespace mgnn
