#include "can_rx/reception.h"

#include <initializer_list>

namespace can_rx {
namespace {

struct CrcTable {
  uint8_t of[256];
  constexpr CrcTable() : of() {
    for (unsigned byte = 0; byte < 256; byte++) {
      unsigned crc = byte;
      for (int bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x1d) & 0xff : (crc << 1) & 0xff;
      of[byte] = static_cast<uint8_t>(crc);
    }
  }
};
constexpr CrcTable kCrc;  // SAE J1850: polynomial 1D

// The sum of the bytes of an integer. TypeScript holds the integer as a double, so it is rounded to 53 bits here too.
uint32_t SumOfBytes(uint64_t value) {
  const double rounded = static_cast<double>(value);
  if (rounded >= 18446744073709551616.0) return 1;  // 2^64: one byte of 1, eight of 0
  uint32_t sum = 0;
  for (uint64_t rest = static_cast<uint64_t>(rounded); rest > 0; rest >>= 8) sum += rest & 0xff;
  return sum;
}

bool Ascends(const Array<uint32_t>& starts, uint32_t count, uint32_t end) {
  if (starts.size != count + 1 || starts[0] != 0 || starts[count] != end) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (starts[i + 1] < starts[i]) return false;
  }
  return true;
}

// A readable integer signal of message m whose bytes every frame of full length has.
bool IsField(const Plan& plan, uint32_t message, int64_t signal) {
  if (signal < plan.message_first_signal[message] || signal >= plan.message_first_signal[message + 1]) return false;
  const uint32_t s = static_cast<uint32_t>(signal);
  return plan.signal_op[s] != kOpNone && plan.signal_last_byte[s] < plan.message_length[message];
}

}  // namespace

bool HoldsChecksum(const Plan& plan, const Reception& r, uint32_t m, const uint8_t* data, uint32_t length) {
  const uint8_t kind = r.checksum_kind[m];
  if (kind == kChecksumNone) return true;
  const uint32_t at = plan.signal_first_byte[static_cast<uint32_t>(r.checksum_signal[m])];
  uint32_t sum = 0;
  switch (kind) {
    case kChecksumXor8:
      for (uint32_t i = 0; i < length; i++) sum ^= data[i];
      return sum == 0;
    case kChecksumSum8:
      for (uint32_t i = 0; i < length; i++) sum += i == at ? 0 : data[i];
      return (sum & 0xff) == data[at];
    case kChecksumCrc8SaeJ1850:
      sum = 0xff;
      for (uint32_t i = 0; i < length; i++) {
        if (i != at) sum = kCrc.of[sum ^ data[i]];
      }
      return (sum ^ 0xff) == data[at];
    case kChecksumNibbleSum4:
      for (uint32_t i = 0; i < length; i++) sum += (data[i] >> 4) + (data[i] & 15);
      return (sum & 15) == 0;
    default:
      for (uint32_t i = r.first_summed[m]; i < r.first_summed[m + 1]; i++) {
        sum += SumOfBytes(ReadUnsigned(plan, r.summed[i], data));
      }
      return ((255 - sum) & 0xff) == data[at];
  }
}

const char* CheckReception(const Plan& plan, const Reception& r) {
  const uint32_t messages = r.message.size, signals = r.signal.size;
  if (r.checksum_kind.size != messages || r.checksum_signal.size != messages || r.counter_signal.size != messages ||
      r.counter_modulo.size != messages)
    return "message arrays differ in length";
  for (const Array<double>* each : {&r.scale, &r.offset, &r.mul, &r.div, &r.add, &r.min, &r.max, &r.core_min, &r.core_max,
                                    &r.max_rate_per_us}) {
    if (each->size != signals) return "signal arrays differ in length";
  }
  if (!Ascends(r.first_summed, messages, r.summed.size) || !Ascends(r.first_member, messages, r.member.size) ||
      !Ascends(r.first_unavailable, signals, r.unavailable.size))
    return "a start index is out of order";
  for (uint32_t m = 0; m < messages; m++) {
    if (r.message[m] >= plan.message_count()) return "unknown message";
    if (r.checksum_kind[m] >= kChecksumKinds) return "unknown checksum";
    if (r.checksum_kind[m] != kChecksumNone && !IsField(plan, r.message[m], r.checksum_signal[m]))
      return "a checksum lies outside its message";
    if (r.counter_signal[m] >= 0 &&
        (!IsField(plan, r.message[m], r.counter_signal[m]) ||
         plan.signal_bits[static_cast<uint32_t>(r.counter_signal[m])] > 16 || r.counter_modulo[m] < 1 || r.counter_modulo[m] > 65536))
      return "a counter is impossible";
    for (uint32_t i = r.first_summed[m]; i < r.first_summed[m + 1]; i++) {
      if (!IsField(plan, r.message[m], r.summed[i])) return "a summed field lies outside its message";
    }
    for (uint32_t i = r.first_member[m]; i < r.first_member[m + 1]; i++) {
      if (r.member[i] >= signals) return "unknown signal";
      const uint32_t s = r.signal[r.member[i]];
      if (s < plan.message_first_signal[r.message[m]] || s >= plan.message_first_signal[r.message[m] + 1])
        return "a signal is of another message";
    }
  }
  return nullptr;
}

}  // namespace can_rx
