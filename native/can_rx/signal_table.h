#pragma once
#include <pthread.h>

#include <cstdint>
#include <memory>

#include "can_rx/frame_slot.h"
#include "can_rx/plan.h"

namespace can_rx {

// The latest value of every subscribed signal, filled by the receive thread and copied once a tick.
//
// One mutex, held for a batch of frames (tens of microseconds) on one side and for one copy (a few kilobytes) on the
// other: a sequence lock would save that wait and cost a proof for weakly ordered processors.
class SignalTable {
 public:
  // subscribed[i] is a plan signal; its values appear at place i.
  SignalTable(const Plan& plan, const uint32_t* subscribed, uint32_t count);
  ~SignalTable() { pthread_mutex_destroy(&mutex_); }
  SignalTable(const SignalTable&) = delete;
  SignalTable& operator=(const SignalTable&) = delete;

  uint32_t size() const { return count_; }

  void Lock() { pthread_mutex_lock(&mutex_); }
  void Unlock() { pthread_mutex_unlock(&mutex_); }

  // Decodes a data frame into the table; the caller holds the lock. False: no subscribed signal in it.
  bool Take(const FrameSlot& frame);

  // Copies and starts the next period: value (NaN before the first), time, and since the last call how often each
  // was received and how often its value changed.
  void Snapshot(double* values, uint64_t* times_ns, uint32_t* received, uint32_t* changed);

 private:
  const Plan& plan_;
  uint32_t count_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  std::unique_ptr<int32_t[]> place_;       // plan signal → place, −1 = not subscribed
  std::unique_ptr<uint8_t[]> is_wanted_;   // plan message → has a subscribed signal
  std::unique_ptr<double[]> value_;
  std::unique_ptr<uint64_t[]> time_ns_;
  std::unique_ptr<uint32_t[]> received_;
  std::unique_ptr<uint32_t[]> changed_;
  std::unique_ptr<double[]> decoded_;      // scratch for one message
  std::unique_ptr<uint8_t[]> present_;
};

}  // namespace can_rx
