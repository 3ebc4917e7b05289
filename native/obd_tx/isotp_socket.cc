#include "obd_tx/isotp_socket.h"

#include <fcntl.h>
#include <linux/can.h>
#include <linux/can/isotp.h>
#include <net/if.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace obd_tx {
namespace {

std::atomic<int64_t> last_request_ns{INT64_MIN / 2};

int64_t MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

int Configure(int fd, bool is_functional) {
  can_isotp_options options = {};
  // 8-byte frames, as ISO 15765-4 wants them; CC is what ISO 15765-2 recommends for the unused bytes.
  options.flags = CAN_ISOTP_TX_PADDING | (is_functional ? CAN_ISOTP_SF_BROADCAST : 0);
  options.txpad_content = CAN_ISOTP_DEFAULT_PAD_CONTENT;
  return setsockopt(fd, SOL_CAN_ISOTP, CAN_ISOTP_OPTS, &options, sizeof options) == 0 ? 0 : errno;
}

int OpenLow(const char* interface, uint32_t request_id, bool is_extended, int* opened) {
  const unsigned index = if_nametoindex(interface);
  if (index == 0) return errno;
  const int fd = socket(PF_CAN, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_ISOTP);
  if (fd < 0) return errno;
  *opened = fd;
  const bool is_functional = IsFunctional(request_id, is_extended);
  if (const int failed = Configure(fd, is_functional)) return failed;
  const uint32_t flag = is_extended ? CAN_EFF_FLAG : 0;
  sockaddr_can address = {};
  address.can_family = AF_CAN;
  address.can_ifindex = static_cast<int>(index);
  address.can_addr.tp.tx_id = request_id | flag;
  // The kernel wants two different identifiers; a socket that only broadcasts registers no receiver for the second.
  address.can_addr.tp.rx_id = is_functional ? flag : AnswerId(request_id, is_extended) | flag;
  return bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
}

}  // namespace

int IsotpSocket::Open(const char* interface, uint32_t request_id, bool is_extended) {
  const uint8_t probe[] = {0x03};
  if (CheckRequest(request_id, is_extended, probe, sizeof probe) != Verdict::kAllowed) return EACCES;
  int low = -1;
  int failed = OpenLow(interface, request_id, is_extended, &low);
  if (failed == 0) {
    fd_ = fcntl(low, F_DUPFD_CLOEXEC, kFirstDescriptor);
    if (fd_ < 0) failed = errno;
  }
  if (low >= 0) close(low);
  request_id_ = request_id;
  is_extended_ = is_extended;
  return failed;
}

SendResult IsotpSocket::Send(const uint8_t* data, size_t length) {
  const Verdict verdict = CheckRequest(request_id_, is_extended_, data, length);
  if (verdict != Verdict::kAllowed) return {verdict, EACCES};
  const int64_t now_ns = MonotonicNs();
  if (now_ns - last_request_ns < kMinimumGapNs) return {verdict, EBUSY};
  if (send(fd_, data, length, 0) < 0) return {verdict, errno};
  last_request_ns = now_ns;
  return {verdict, 0};
}

int64_t IsotpSocket::Receive(uint8_t* to, size_t capacity) {
  const ssize_t length = recv(fd_, to, capacity, MSG_TRUNC);
  if (length >= 0) return length;
  return errno == EAGAIN ? 0 : -int64_t{errno};
}

void IsotpSocket::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

}  // namespace obd_tx
