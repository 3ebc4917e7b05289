#pragma once
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "can_rx/frame_ring.h"
#include "can_rx/frame_slot.h"
#include "can_rx/plan.h"
#include "can_rx/reception.h"

namespace can_rx {

// What JavaScript reads, as doubles in this order (native/index.ts names them; counts stay exact up to 2^53).
struct TableState {
  double frames = 0, unmapped = 0, ignored_error = 0, ignored_remote = 0, ignored_fd = 0;
  double faults = 0, active_faults = 0, dropped_faults = 0;
};

struct MessageState {
  double frames = 0, accepted = 0, too_short = 0, too_long = 0, checksum = 0, stuck = 0, lost = 0;
  double bad_in_row = 0, fault = 0, first_us = 0, last_us = 0;  // fault: a FaultKind, 0 = none
};

struct SignalState {
  double value, is_valid, observed_at_us, has_arrived, changes, rejected_in_row;
  double arrived, accepted, not_available, not_finite, out_of_range, too_fast, lowest, highest;
};

enum FaultKind : uint8_t { kFaultNone = 0, kFaultLength = 1, kFaultChecksum = 2, kFaultCounter = 3, kFaultRate = 4 };

struct Fault {
  double subject;  // mapped message; for a rate: mapped signal
  double kind, is_active, time_us;
};

// Two clocks read at one moment: where a receive time on the one lies on the other.
struct Moment {
  uint64_t real_ns, mono_ns;
};

// A vehicle profile at work: frames in, latest valid value of each mapped signal out, as ProfileDecoder in
// daemon/vehicles/profile does it, operation by operation. Filled by the receive threads, copied once a tick.
//
// One mutex orders everything: the frames of several buses among each other, and all of them against a look. It is
// held for a batch of frames (tens of microseconds) on one side and for one copy (a few kilobytes) on the other. What
// a look gives is what came before the ring's position at that look; so the frames that go to the recorder and the
// values that the tick decides with cannot disagree about which frame came first.
class ProfileTable {
 public:
  static constexpr uint32_t kCounterBuses = 16;
  static constexpr uint32_t kBuses = 256;

  // The plan and the reception have been checked; both become the table's own.
  ProfileTable(Plan plan, Reception reception, FrameRing ring);
  ProfileTable(const ProfileTable&) = delete;
  ProfileTable& operator=(const ProfileTable&) = delete;

  // Shared by JavaScript's object and by each receiver; the last one out deletes.
  void Hold() { holders_.fetch_add(1, std::memory_order_relaxed); }
  void Release() {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  void Lock() { pthread_mutex_lock(&mutex_); }
  void Unlock() { pthread_mutex_unlock(&mutex_); }

  // Everything from here on is called with the lock held.

  // Drive time 0 on the monotonic clock. Before it is set, all frames have the time 0.
  void Start(double mono_us) { start_us_ = mono_us; }

  // A frame as it was received: given its place in the drive's time (never newer than its reception, never older than
  // the one before on its bus: a step of the realtime clock moves no order), decoded, put into the ring. False: the
  // ring was full, and nobody will see the frame; its values count.
  bool Receive(FrameSlot* frame, const Moment& moment);

  // A frame with a time of its own.
  void Take(uint32_t id, uint8_t flags, uint32_t bus, const uint8_t* data, uint32_t length, double time_us);

  uint32_t message_count() const { return reception_.message.size; }
  uint32_t signal_count() const { return reception_.signal.size; }
  // doubles that Read fills
  uint32_t size() const;

  // Copies the state: table, messages, signals; `has_arrived` and `changes` begin anew. Returns the ring's position.
  uint32_t Read(double* out);

  // Moves up to `max` pending faults out; returns how many.
  uint32_t DrainFaults(Fault* out, uint32_t max);

 private:
  // what is remembered of a value and not shown
  struct Memory {
    double accepted_at_us = 0;
    bool has_value = false;
  };
  struct CounterMemory {
    int32_t last = -1;
    double seen_us = 0;
  };

  ~ProfileTable() { pthread_mutex_destroy(&mutex_); }
  bool AcceptsCounter(uint32_t m, const uint8_t* data, uint32_t bus, double time_us, double* lost);
  void Bad(uint32_t m, FaultKind kind, double time_us);
  void Good(uint32_t m, double time_us);
  void TakeValue(uint32_t s, double decoded, double time_us);
  void Invalidate(uint32_t s, double time_us);
  void Report(uint32_t subject, FaultKind kind, bool is_active, double time_us);

  const Plan plan_;
  const Reception reception_;
  FrameRing ring_;
  std::atomic<uint32_t> holders_{1};
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  double start_us_;
  std::unique_ptr<double[]> last_us_;        // of a bus
  std::unique_ptr<int32_t[]> mapped_;        // plan message → mapped message, −1 = not used
  TableState table_;
  std::unique_ptr<MessageState[]> message_;
  std::unique_ptr<SignalState[]> signal_;
  std::unique_ptr<Memory[]> memory_;
  std::unique_ptr<CounterMemory[]> counter_; // mapped message × kCounterBuses
  std::unique_ptr<double[]> decoded_;        // scratch for one message
  std::unique_ptr<uint8_t[]> present_;
  std::unique_ptr<Fault[]> faults_;
  uint32_t fault_count_ = 0;
};

}  // namespace can_rx
