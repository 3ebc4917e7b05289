#pragma once
#include <cstddef>
#include <cstdint>

#include "obd_tx/guard.h"

namespace obd_tx {

// Descriptors of sockets that may send live from here to the reserved range of those that never do (900). Seal() leaves
// them one system call to send with, and this file has the only call of it.
constexpr int kFirstDescriptor = 800;

struct SendResult {
  Verdict verdict;
  int error;  // 0 or errno; EBUSY: less than kMinimumGapNs after the request before
};

// At most ten requests a second for the whole process, whatever a scheduler says.
constexpr int64_t kMinimumGapNs = 100'000'000;

// A kernel ISO-TP socket (ISO 15765-2) towards one ECU, or towards all: then it only sends single frames and has no
// receiving half, so the kernel has nothing to send a flow control for.
class IsotpSocket {
 public:
  IsotpSocket() = default;
  ~IsotpSocket() { Close(); }
  IsotpSocket(const IsotpSocket&) = delete;
  IsotpSocket& operator=(const IsotpSocket&) = delete;

  // 0 or errno; EACCES: the guard knows no such address.
  int Open(const char* interface, uint32_t request_id, bool is_extended);
  SendResult Send(const uint8_t* data, size_t length);
  // Bytes of one whole message, 0 = nothing waits, or −errno (ETIMEDOUT, EILSEQ: the kernel dropped a broken one).
  int64_t Receive(uint8_t* to, size_t capacity);
  void Close();

 private:
  int fd_ = -1;
  uint32_t request_id_ = 0;
  bool is_extended_ = false;
};

}  // namespace obd_tx
