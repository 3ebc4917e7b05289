#pragma once
#include <atomic>
#include <cstdint>
#include <cstring>

#include "can_rx/frame_slot.h"

namespace can_rx {

// One producer at a time (the receive thread, or the one that holds the table which several feed), one consumer
// (JavaScript), over memory that JavaScript allocated as a SharedArrayBuffer. When it is full the newest frame is dropped and counted: the reader's frames are never
// overwritten under it.
//
//   control[0]  frames written, modulo 2^32   store-release here, Atomics.load there
//   control[1]  frames read, modulo 2^32      Atomics.store there, load-acquire here
//   control[2]  frames dropped because the ring was full
class FrameRing {
 public:
  FrameRing() = default;
  // `slots` holds `capacity` (a power of two) slots.
  FrameRing(uint32_t* control, uint8_t* slots, uint32_t capacity)
      : control_(reinterpret_cast<std::atomic<uint32_t>*>(control)), slots_(slots), capacity_(capacity) {}

  bool is_attached() const { return capacity_ > 0; }

  // frames written so far, modulo 2^32; to be asked where no producer is at work
  uint32_t written() const { return capacity_ > 0 ? control_[0].load(std::memory_order_relaxed) : 0; }

  // False when full.
  bool Push(const FrameSlot& slot) {
    const uint32_t written = control_[0].load(std::memory_order_relaxed);
    if (written - control_[1].load(std::memory_order_acquire) >= capacity_) {
      control_[2].fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    std::memcpy(slots_ + static_cast<size_t>(written & (capacity_ - 1)) * sizeof(FrameSlot), &slot, offsetof(FrameSlot, data) + slot.length);
    control_[0].store(written + 1, std::memory_order_release);
    return true;
  }

 private:
  static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t), "shared with Atomics");
  std::atomic<uint32_t>* control_ = nullptr;
  uint8_t* slots_ = nullptr;
  uint32_t capacity_ = 0;
};

}  // namespace can_rx
