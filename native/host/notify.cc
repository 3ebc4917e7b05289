#include "host/notify.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace host {

int NotifyServiceManager(const char* state, size_t length) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  if (!path || !*path) return ENOENT;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const size_t size = std::strlen(path);
  if (size >= sizeof address.sun_path) return ENAMETOOLONG;
  std::memcpy(address.sun_path, path, size);
  if (path[0] == '@') address.sun_path[0] = 0;  // abstract name
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno;
  const socklen_t address_size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size);
  const ssize_t sent = sendto(fd, state, length, MSG_NOSIGNAL, reinterpret_cast<sockaddr*>(&address), address_size);
  const int failed = sent < 0 ? errno : 0;
  close(fd);
  return failed;
}

}  // namespace host
