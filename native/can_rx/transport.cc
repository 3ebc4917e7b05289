#include "can_rx/transport.h"

#include <fcntl.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <linux/net_tstamp.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace can_rx {
namespace {

int Set(int fd, int level, int option, const void* value, socklen_t size) {
  return setsockopt(fd, level, option, value, size) == 0 ? 0 : -errno;
}

int SetFilters(int fd, const SocketOptions& options) {
  static_assert(sizeof(IdFilter) == sizeof(can_filter), "handed to the kernel as it is");
  if (options.filter_count > 0) {
    return Set(fd, SOL_CAN_RAW, CAN_RAW_FILTER, options.filters, options.filter_count * sizeof(can_filter));
  }
  const can_filter everything = {0, 0};
  return Set(fd, SOL_CAN_RAW, CAN_RAW_FILTER, &everything, sizeof everything);
}

int Bind(int fd, const char* interface) {
  const unsigned index = if_nametoindex(interface);
  if (index == 0) return -errno;
  sockaddr_can address = {};
  address.can_family = AF_CAN;
  address.can_ifindex = static_cast<int>(index);
  return bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : -errno;
}

int Configure(int fd, const SocketOptions& options, SocketFacts* facts) {
  const int on = 1;
  if (options.fd_frames) facts->has_fd_frames = Set(fd, SOL_CAN_RAW, CAN_RAW_FD_FRAMES, &on, sizeof on) == 0;
  const can_err_mask_t errors = options.error_mask;
  if (int failed = Set(fd, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &errors, sizeof errors)) return failed;
  if (int failed = Set(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on)) return failed;
  // Hardware stamps where the controller offers them, else the kernel's own.
  const int stamps = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE | SOF_TIMESTAMPING_RX_SOFTWARE |
                     SOF_TIMESTAMPING_SOFTWARE;
  facts->has_timestamps = Set(fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof stamps) == 0;
  // The forced form needs CAP_NET_ADMIN, which the service does not have; the plain one is capped by rmem_max.
  const int bytes = options.receive_buffer_bytes;
  if (Set(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0) Set(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  socklen_t size = sizeof facts->receive_buffer_bytes;
  getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &facts->receive_buffer_bytes, &size);
  return SetFilters(fd, options);
}

}  // namespace

int OpenCanSocket(const char* interface, const SocketOptions& options, SocketFacts* facts) {
  const int low = socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW);
  if (low < 0) return -errno;
  const int fd = fcntl(low, F_DUPFD_CLOEXEC, kReservedDescriptor);
  const int dup_error = errno;
  close(low);
  if (fd < 0) return -dup_error;
  int failed = Configure(fd, options, facts);
  if (failed == 0) {
    failed = Bind(fd, interface);
    facts->is_bound = failed == 0;
    if (failed == -ENODEV) failed = 0;
  }
  if (failed == 0) return fd;
  close(fd);
  return failed;
}

int RebindCanSocket(int fd, const char* interface, const SocketOptions& options) {
  if (int failed = Bind(fd, interface)) return failed;
  return SetFilters(fd, options);
}

}  // namespace can_rx
