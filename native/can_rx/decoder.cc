#include <cstring>

#include "can_rx/plan.h"

namespace can_rx {

uint64_t ReadUnsigned(const Plan& plan, uint32_t s, const uint8_t* data) {
  const uint32_t first = plan.signal_first_byte[s];
  const uint32_t last = plan.signal_last_byte[s];
  const bool is_motorola = plan.signal_flags[s] & kMotorola;
  const uint32_t lowest = is_motorola ? last : first;
  const uint32_t shift = plan.signal_shift[s];
  const uint32_t bits = plan.signal_bits[s];
  uint64_t high = 0;  // the bytes above the lowest one, at most eight
  if (is_motorola) {
    for (uint32_t at = first; at < last; at++) high = high << 8 | data[at];
  } else {
    for (uint32_t at = last; at > first; at--) high = high << 8 | data[at];
  }
  uint64_t value = high << (8 - shift) | data[lowest] >> shift;
  return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

namespace {

double ReadRaw(const Plan& plan, uint32_t s, const uint8_t* data) {
  const uint64_t value = ReadUnsigned(plan, s, data);
  if (plan.signal_op[s] == kOpFloat32) {
    const uint32_t word = static_cast<uint32_t>(value);
    float number;
    std::memcpy(&number, &word, sizeof number);
    return number;
  }
  if (plan.signal_op[s] == kOpFloat64) {
    double number;
    std::memcpy(&number, &value, sizeof number);
    return number;
  }
  if (!(plan.signal_flags[s] & kSigned)) return static_cast<double>(value);
  const uint32_t unused = 64 - plan.signal_bits[s];
  return static_cast<double>(static_cast<int64_t>(value << unused) >> unused);
}

bool InRanges(const Plan& plan, uint32_t block, double value) {
  for (uint32_t r = plan.block_first_range[block]; r < plan.block_first_range[block + 1]; r++) {
    if (value >= plan.range_from[r] && value <= plan.range_to[r]) return true;
  }
  return false;
}

uint32_t LowerBound(const Array<uint32_t>& sorted, uint32_t key) {
  uint32_t low = 0, high = sorted.size;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (sorted[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

// SAE J1939-21 §5.2: the destination of a PDU1 group (PF < 240) is not part of the group.
uint32_t ParameterGroup(uint32_t id) {
  const uint32_t pgn = id >> 8 & 0x3ffff;
  return (id >> 16 & 0xff) < 240 ? pgn & 0x3ff00 : pgn;
}

int32_t FindParameterGroup(const Plan& plan, uint32_t id) {
  const uint32_t pgn = ParameterGroup(id);
  int32_t best = -1;
  uint32_t best_rank = 0;
  for (uint32_t i = LowerBound(plan.pgn_key, pgn); i < plan.pgn_key.size && plan.pgn_key[i] == pgn; i++) {
    const uint32_t candidate = plan.message_id[plan.pgn_message[i]];
    const uint32_t source = candidate & 0xff;
    uint32_t rank = source == (id & 0xff) ? 4 : source == 0xfe ? 2 : 0;
    if (rank == 0) continue;
    if (((candidate ^ id) & 0xff00) == 0) rank += 1;
    if (rank < best_rank) continue;
    best_rank = rank;
    best = static_cast<int32_t>(plan.pgn_message[i]);
  }
  return best;
}

bool Ascends(const Array<uint32_t>& starts, uint32_t end) {
  if (starts.size == 0 || starts[0] != 0 || starts[starts.size - 1] != end) return false;
  for (uint32_t i = 1; i < starts.size; i++) {
    if (starts[i] < starts[i - 1]) return false;
  }
  return true;
}

}  // namespace

int32_t FindMessage(const Plan& plan, uint32_t id, bool is_extended) {
  if (!is_extended) return id < plan.standard_message.size ? plan.standard_message[id] : -1;
  const uint32_t at = LowerBound(plan.extended_id, id);
  if (at < plan.extended_id.size && plan.extended_id[at] == id) return static_cast<int32_t>(plan.extended_message[at]);
  return plan.pgn_key.size > 0 ? FindParameterGroup(plan, id) : -1;
}

uint32_t DecodeMessage(const Plan& plan, uint32_t message, const uint8_t* data, uint32_t length, double* values,
                       uint8_t* present) {
  const uint32_t message_length = plan.message_length[message];
  const uint32_t usable = length < message_length ? length : message_length;
  const uint32_t base = plan.message_first_signal[message];
  if (plan.message_first_signal[message + 1] == base) return 0;  // the length of a message without signals is nobody's concern
  uint32_t findings = length < message_length ? kFrameShort : length > message_length ? kFrameLong : 0;
  int32_t selector = -1;
  double selector_value = 0;
  bool is_selector_present = false, is_selected = true;
  for (uint32_t block = plan.message_first_block[message]; block < plan.message_first_block[message + 1]; block++) {
    const uint32_t first = plan.block_first_signal[block], end = plan.block_first_signal[block + 1];
    if (plan.block_selector[block] != selector) {
      if (is_selector_present && !is_selected) findings |= kFrameMuxUnknown;
      selector = plan.block_selector[block];
      is_selector_present = selector >= 0 && present[static_cast<uint32_t>(selector) - base];
      is_selected = false;
      if (is_selector_present) selector_value = static_cast<double>(ReadUnsigned(plan, static_cast<uint32_t>(selector), data));
    }
    if (selector >= 0) {
      if (!is_selector_present || !InRanges(plan, block, selector_value)) {
        for (uint32_t s = first; s < end; s++) present[s - base] = 0;
        continue;
      }
      is_selected = true;
    }
    for (uint32_t s = first; s < end; s++) {
      if (plan.signal_last_byte[s] >= usable || plan.signal_op[s] == kOpNone) {
        present[s - base] = 0;
        continue;
      }
      values[s - base] = ReadRaw(plan, s, data) * plan.signal_scale[s] + plan.signal_offset[s];
      present[s - base] = 1;
    }
  }
  if (is_selector_present && !is_selected) findings |= kFrameMuxUnknown;
  return findings;
}

const char* CheckPlan(const Plan& p) {
  const uint32_t messages = p.message_count(), signals = p.signal_count();
  const uint32_t blocks = p.block_selector.size, ranges = p.range_from.size;
  if (p.message_length.size != messages || p.message_first_signal.size != messages + 1 ||
      p.message_first_block.size != messages + 1)
    return "message arrays differ in length";
  if (p.block_first_signal.size != blocks + 1 || p.block_first_range.size != blocks + 1)
    return "block arrays differ in length";
  if (p.range_to.size != ranges) return "range arrays differ in length";
  if (p.signal_first_byte.size != signals || p.signal_last_byte.size != signals || p.signal_bits.size != signals ||
      p.signal_shift.size != signals || p.signal_flags.size != signals || p.signal_scale.size != signals ||
      p.signal_offset.size != signals)
    return "signal arrays differ in length";
  if (!Ascends(p.message_first_signal, signals) || !Ascends(p.message_first_block, blocks) ||
      !Ascends(p.block_first_signal, signals) || !Ascends(p.block_first_range, ranges))
    return "a start index is out of order";
  if (p.standard_message.size != 2048) return "the table of 11-bit identifiers has another size";
  if (p.extended_id.size != p.extended_message.size || p.pgn_key.size != p.pgn_message.size)
    return "look-up arrays differ in length";
  for (uint32_t i = 0; i < 2048; i++) {
    if (p.standard_message[i] < -1 || p.standard_message[i] >= static_cast<int64_t>(messages)) return "unknown message";
  }
  for (uint32_t i = 0; i < p.extended_message.size; i++) {
    if (p.extended_message[i] >= messages) return "unknown message";
  }
  for (uint32_t i = 0; i < p.pgn_message.size; i++) {
    if (p.pgn_message[i] >= messages) return "unknown message";
  }
  for (uint32_t s = 0; s < signals; s++) {
    if (p.signal_op[s] == kOpNone) continue;
    const uint32_t first = p.signal_first_byte[s], last = p.signal_last_byte[s];
    if (first > last || last > 63 || last - first > 8) return "a signal lies outside a frame";
    if (p.signal_bits[s] < 1 || p.signal_bits[s] > 64 || p.signal_shift[s] > 7) return "a signal has an impossible length";
  }
  for (uint32_t m = 0; m < messages; m++) {
    const uint32_t base = p.message_first_signal[m], end = p.message_first_signal[m + 1];
    for (uint32_t b = p.message_first_block[m]; b < p.message_first_block[m + 1]; b++) {
      if (p.block_first_signal[b] < base || p.block_first_signal[b + 1] > end) return "a block leaves its message";
      const int64_t selector = p.block_selector[b];
      if (selector >= 0 && (selector < base || selector >= p.block_first_signal[b])) return "a selector comes too late";
    }
  }
  return nullptr;
}

}  // namespace can_rx
