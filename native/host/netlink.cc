#include "host/netlink.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace host {

int OpenLinkSocket() {
  const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (fd < 0) return -errno;
  sockaddr_nl address = {};
  address.nl_family = AF_NETLINK;
  address.nl_groups = RTMGRP_LINK;
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return fd;
  const int failed = errno;
  close(fd);
  return -failed;
}

int RequestLinks(int fd, const uint8_t* request, size_t size) {
  nlmsghdr header;
  if (size < sizeof header) return EINVAL;
  std::memcpy(&header, request, sizeof header);
  if (header.nlmsg_type != RTM_GETLINK || header.nlmsg_len != size) return EPERM;
  return send(fd, request, size, 0) < 0 ? errno : 0;
}

long ReceiveLinks(int fd, uint8_t* to, size_t size) {
  for (;;) {
    const ssize_t got = recv(fd, to, size, MSG_DONTWAIT | MSG_TRUNC);
    if (got >= 0) return static_cast<size_t>(got) > size ? -EMSGSIZE : got;
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
  }
}

}  // namespace host
