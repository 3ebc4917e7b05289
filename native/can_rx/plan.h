#pragma once
#include <cstdint>
#include <memory>

// The decode plan: what DBC files compile to (daemon/vehicles/dbc/decode-plan.ts tells the layout). The arrays are
// copied from JavaScript once, so that the receive thread never touches memory that the collector may move.
namespace can_rx {

template <typename T>
struct Array {
  std::unique_ptr<T[]> items;
  uint32_t size = 0;
  const T& operator[](uint32_t i) const { return items[i]; }
};

constexpr uint8_t kSigned = 1;
constexpr uint8_t kMotorola = 2;
constexpr uint8_t kFloat = 4;
constexpr uint8_t kOpNone = 0;
constexpr uint8_t kOpFloat32 = 10;
constexpr uint8_t kOpFloat64 = 11;

constexpr uint32_t kFrameShort = 1;
constexpr uint32_t kFrameLong = 2;
constexpr uint32_t kFrameMuxUnknown = 4;

struct Plan {
  Array<uint32_t> message_id;
  Array<uint16_t> message_length;
  Array<uint32_t> message_first_signal;  // message_count + 1
  Array<uint32_t> message_first_block;   // message_count + 1
  Array<uint32_t> block_first_signal;    // block_count + 1
  Array<int32_t> block_selector;
  Array<uint32_t> block_first_range;  // block_count + 1
  Array<double> range_from;
  Array<double> range_to;
  Array<uint8_t> signal_op;
  Array<uint16_t> signal_first_byte;
  Array<uint16_t> signal_last_byte;
  Array<uint8_t> signal_bits;
  Array<uint8_t> signal_shift;
  Array<uint8_t> signal_flags;
  Array<double> signal_scale;
  Array<double> signal_offset;
  Array<int32_t> standard_message;  // 2048, −1 = unknown
  Array<uint32_t> extended_id;      // ascending
  Array<uint32_t> extended_message;
  Array<uint32_t> pgn_key;  // ascending, with repetitions
  Array<uint32_t> pgn_message;

  uint32_t message_count() const { return message_id.size; }
  uint32_t signal_count() const { return signal_op.size; }
};

// Null when every index and length in the plan is in bounds, else what is wrong: the executor may then trust it.
const char* CheckPlan(const Plan& plan);

// Message index of an identifier, or −1: the exact one first, then the J1939 parameter group (SAE J1939-21).
int32_t FindMessage(const Plan& plan, uint32_t id, bool is_extended);

// The bits of a signal as an unsigned integer. The caller has checked that its last byte is there.
uint64_t ReadUnsigned(const Plan& plan, uint32_t signal, const uint8_t* data);

// Decodes one payload, exactly as decodeMessage of daemon/vehicles/dbc does: values[k] and present[k] for the k-th
// signal of the message. Returns kFrame… bits.
uint32_t DecodeMessage(const Plan& plan, uint32_t message, const uint8_t* data, uint32_t length, double* values,
                       uint8_t* present);

}  // namespace can_rx
