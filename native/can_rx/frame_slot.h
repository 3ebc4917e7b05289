#pragma once
#include <cstddef>
#include <cstdint>

// One received frame, as it stands in the ring that JavaScript reads. The layout is a contract with
// daemon/sources/can/frame-ring.ts; a test compares the offsets below with the ones used there.
namespace can_rx {

// Bits of FrameSlot::flags, the same as in daemon/core/can/frame-batch.ts.
enum : uint8_t {
  kExt = 1,
  kFd = 2,
  kBrs = 4,
  kEsi = 8,
  kRemote = 16,
  kError = 32,
  kTx = 64,
};

struct FrameSlot {
  uint64_t time_ns;   // realtime clock
  uint64_t drive_us;  // time of the drive that the frame was decoded with; 0 where nothing decodes
  uint32_t id;        // without flag bits
  uint8_t flags;
  uint8_t length;     // payload bytes
  uint8_t dlc;        // length code as sent
  uint8_t bus;        // which of the interfaces that share a ring
  uint8_t data[64];
};

static_assert(sizeof(FrameSlot) == 88, "layout shared with JavaScript");
static_assert(offsetof(FrameSlot, id) == 16 && offsetof(FrameSlot, data) == 24, "layout shared with JavaScript");

}  // namespace can_rx
