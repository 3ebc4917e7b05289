#pragma once
#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "can_rx/frame_ring.h"
#include "can_rx/profile_table.h"

namespace can_rx {

// Everything the receive thread counts. Each is monotonic, and written by that thread alone.
struct Counters {
  std::atomic<uint64_t> frames{0};          // well-formed datagrams
  std::atomic<uint64_t> error_frames{0};
  std::atomic<uint64_t> remote_frames{0};
  std::atomic<uint64_t> malformed{0};       // neither can_frame nor canfd_frame, or an impossible length
  std::atomic<uint64_t> kernel_drops{0};    // SO_RXQ_OVFL: the socket's queue was full
  std::atomic<uint64_t> ring_drops{0};      // our ring was full
  std::atomic<uint64_t> batches{0};         // recvmmsg calls that returned frames
  std::atomic<uint64_t> failures{0};        // recvmmsg calls that failed
  std::atomic<uint64_t> heartbeat{0};       // turns of the loop
  std::atomic<uint64_t> last_frame_ns{0};   // realtime stamp of the last frame
  std::atomic<uint32_t> last_errno{0};      // of the last failure; 0 after a success
  std::atomic<uint32_t> time_sources{0};    // bit 0 none, 1 kernel, 2 hardware: which were seen
};

// One thread that empties one socket in batches: it lets datagrams collect for a moment (2 ms by default, measured to
// give about 48 frames a system call instead of 12) and takes up to 64 with one recvmmsg.
//
// It only ever receives. It is stopped by closing the writing end of a pipe, because a wake-up by eventfd would need a
// write call, and this module must not be able to make one.
class Receiver {
 public:
  // Frames go to the table, as those of `bus`, and with it into the ring that all of its buses share; without a table
  // into the ring of this receiver; both may be absent. Borrows everything. `collect_ns` = how long a batch may collect.
  Receiver(int fd, ProfileTable* table, uint8_t bus, FrameRing ring, uint64_t collect_ns)
      : fd_(fd), table_(table), bus_(bus), ring_(ring), collect_ns_(collect_ns) {}
  ~Receiver() { Stop(); }
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  int Start();  // 0 or errno
  void Stop();  // joins; idempotent

  const Counters& counters() const { return counters_; }

 private:
  static void* Main(void* self);
  void Loop();
  bool Drain();  // false: the socket failed
  void TakeDatagram(const uint8_t* data, size_t size, uint64_t time_ns, uint8_t time_source, const Moment& moment);
  bool Pause(uint64_t ns);  // false: asked to stop

  const int fd_;
  ProfileTable* const table_;
  const uint8_t bus_;
  FrameRing ring_;
  const uint64_t collect_ns_;
  int stop_pipe_[2] = {-1, -1};
  pthread_t thread_{};
  bool is_running_ = false;
  uint32_t last_overflow_ = 0;
  bool has_backlog_ = false;  // the last turn ended at its bound: more waits, so nothing need be collected
  Counters counters_;
};

}  // namespace can_rx
