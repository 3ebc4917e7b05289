#pragma once
#include <cstddef>
#include <cstdint>

#include "can_rx/frame_slot.h"

namespace can_rx {

enum class ParseResult : uint8_t {
  kFrame,
  kBadSize,    // neither a classic (16 bytes) nor an FD frame (72 bytes)
  kBadLength,  // payload length beyond what the frame type allows
};

// Reads one datagram of a CAN_RAW socket (struct can_frame or canfd_frame, host byte order) into a slot.
// Everything in the datagram is untrusted: a socketpair stand-in may send anything.
// Times and bus of the slot are left alone.
ParseResult ParseFrame(const uint8_t* datagram, size_t size, FrameSlot* slot);

}  // namespace can_rx
