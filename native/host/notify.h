#pragma once
#include <cstddef>

namespace host {

// sd_notify(3): hands a state such as "READY=1" to the service manager. Returns 0, ENOENT without NOTIFY_SOCKET, or errno.
int NotifyServiceManager(const char* state, size_t length);

}  // namespace host
