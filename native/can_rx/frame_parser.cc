#include "can_rx/frame_parser.h"

#include <linux/can.h>

#include <cstring>

namespace can_rx {

ParseResult ParseFrame(const uint8_t* datagram, size_t size, FrameSlot* slot) {
  const bool is_fd = size == CANFD_MTU;
  if (!is_fd && size != CAN_MTU) return ParseResult::kBadSize;
  uint32_t can_id;
  std::memcpy(&can_id, datagram, sizeof can_id);
  const uint8_t length = datagram[4];
  if (length > (is_fd ? CANFD_MAX_DLEN : CAN_MAX_DLEN)) return ParseResult::kBadLength;

  uint8_t flags = 0;
  if (can_id & CAN_ERR_FLAG) {
    flags |= kError;
    slot->id = can_id & CAN_ERR_MASK;
  } else if (can_id & CAN_EFF_FLAG) {
    flags |= kExt;
    slot->id = can_id & CAN_EFF_MASK;
  } else {
    slot->id = can_id & CAN_SFF_MASK;
  }
  if (is_fd) {
    flags |= kFd;
    if (datagram[5] & CANFD_BRS) flags |= kBrs;
    if (datagram[5] & CANFD_ESI) flags |= kEsi;
  }
  const bool is_remote = !is_fd && !(flags & kError) && (can_id & CAN_RTR_FLAG);
  if (is_remote) flags |= kRemote;
  slot->flags = flags;
  slot->dlc = length;
  // A remote frame asks for `length` bytes and carries none.
  slot->length = is_remote ? 0 : length;
  std::memcpy(slot->data, datagram + 8, slot->length);
  return ParseResult::kFrame;
}

}  // namespace can_rx
