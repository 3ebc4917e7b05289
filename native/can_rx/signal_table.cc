#include "can_rx/signal_table.h"

#include <cmath>
#include <cstring>

namespace can_rx {

SignalTable::SignalTable(const Plan& plan, const uint32_t* subscribed, uint32_t count)
    : plan_(plan),
      count_(count),
      place_(new int32_t[plan.signal_count()]),
      is_wanted_(new uint8_t[plan.message_count()]()),
      value_(new double[count]),
      time_ns_(new uint64_t[count]()),
      received_(new uint32_t[count]()),
      changed_(new uint32_t[count]()) {
  for (uint32_t s = 0; s < plan.signal_count(); s++) place_[s] = -1;
  for (uint32_t i = 0; i < count; i++) {
    place_[subscribed[i]] = static_cast<int32_t>(i);
    value_[i] = std::nan("");
  }
  uint32_t longest = 0;
  for (uint32_t m = 0; m < plan.message_count(); m++) {
    const uint32_t first = plan.message_first_signal[m], end = plan.message_first_signal[m + 1];
    if (end - first > longest) longest = end - first;
    for (uint32_t s = first; s < end; s++) {
      if (place_[s] >= 0) is_wanted_[m] = 1;
    }
  }
  decoded_.reset(new double[longest]());
  present_.reset(new uint8_t[longest]());
}

bool SignalTable::Take(const FrameSlot& frame) {
  const int32_t message = FindMessage(plan_, frame.id, frame.flags & kExt);
  if (message < 0 || !is_wanted_[message]) return false;
  const uint32_t m = static_cast<uint32_t>(message);
  DecodeMessage(plan_, m, frame.data, frame.length, decoded_.get(), present_.get());
  const uint32_t first = plan_.message_first_signal[m], end = plan_.message_first_signal[m + 1];
  for (uint32_t s = first; s < end; s++) {
    const int32_t place = place_[s];
    if (place < 0 || !present_[s - first]) continue;
    const double value = decoded_[s - first];
    // Bitwise, so that NaN equals itself and 0 differs from −0 as little as it matters.
    if (std::memcmp(&value, &value_[place], sizeof value) != 0) changed_[place]++;
    value_[place] = value;
    time_ns_[place] = frame.time_ns;
    received_[place]++;
  }
  return true;
}

void SignalTable::Snapshot(double* values, uint64_t* times_ns, uint32_t* received, uint32_t* changed) {
  Lock();
  std::memcpy(values, value_.get(), count_ * sizeof(double));
  std::memcpy(times_ns, time_ns_.get(), count_ * sizeof(uint64_t));
  std::memcpy(received, received_.get(), count_ * sizeof(uint32_t));
  std::memcpy(changed, changed_.get(), count_ * sizeof(uint32_t));
  std::memset(received_.get(), 0, count_ * sizeof(uint32_t));
  std::memset(changed_.get(), 0, count_ * sizeof(uint32_t));
  Unlock();
}

}  // namespace can_rx
