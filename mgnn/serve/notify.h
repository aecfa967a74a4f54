// Telling systemd how the service is (sd_notify), without its library.
#pragma once

#include <string>

namespace mgnn {

// "READY=1"; nothing happens where NOTIFY_SOCKET is not set.
void notify_service_manager(const std::string& state);

}  // namespace mgnn
