#include "can_rx/profile_table.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace can_rx {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

ProfileTable::ProfileTable(Plan plan, Reception reception, FrameRing ring)
    : plan_(std::move(plan)),
      reception_(std::move(reception)),
      ring_(ring),
      start_us_(kInfinity),
      last_us_(new double[kBuses]()),
      mapped_(new int32_t[plan_.message_count()]),
      message_(new MessageState[message_count()]),
      signal_(new SignalState[signal_count()]()),
      memory_(new Memory[signal_count()]),
      counter_(new CounterMemory[size_t{message_count()} * kCounterBuses]),
      faults_(new Fault[static_cast<uint32_t>(reception_.max_pending_faults)]) {
  uint32_t longest = 0;
  for (uint32_t m = 0; m < plan_.message_count(); m++) {
    mapped_[m] = -1;
    const uint32_t count = plan_.message_first_signal[m + 1] - plan_.message_first_signal[m];
    if (count > longest) longest = count;
  }
  for (uint32_t m = 0; m < message_count(); m++) mapped_[reception_.message[m]] = static_cast<int32_t>(m);
  for (uint32_t s = 0; s < signal_count(); s++) {
    signal_[s].lowest = kInfinity;
    signal_[s].highest = -kInfinity;
  }
  decoded_.reset(new double[longest]());
  present_.reset(new uint8_t[longest]());
}

bool ProfileTable::Receive(FrameSlot* frame, const Moment& moment) {
  const uint64_t age_ns = moment.real_ns > frame->time_ns ? moment.real_ns - frame->time_ns : 0;
  const uint64_t received_ns = moment.mono_ns > age_ns ? moment.mono_ns - age_ns : 0;
  const double time_us = static_cast<double>(received_ns / 1000) - start_us_;
  double& last_us = last_us_[frame->bus];
  if (time_us > last_us) last_us = time_us;
  frame->drive_us = static_cast<uint64_t>(last_us);
  Take(frame->id, frame->flags, frame->bus, frame->data, frame->length, last_us);
  return !ring_.is_attached() || ring_.Push(*frame);
}

void ProfileTable::Take(uint32_t id, uint8_t flags, uint32_t bus, const uint8_t* data, uint32_t length, double time_us) {
  table_.frames++;
  if (flags & kError) {
    table_.ignored_error++;
    return;
  }
  if (flags & kRemote) {
    table_.ignored_remote++;
    return;
  }
  const int32_t found = FindMessage(plan_, id, flags & kExt);
  const int32_t mapped = found < 0 ? -1 : mapped_[found];
  if (mapped < 0) {
    table_.unmapped++;
    return;
  }
  if ((flags & kFd) && reception_.is_classic) {
    table_.ignored_fd++;
    return;
  }
  const uint32_t m = static_cast<uint32_t>(mapped);
  MessageState& state = message_[m];
  if (state.frames == 0) state.first_us = time_us;
  state.last_us = time_us;
  state.frames++;
  const uint32_t findings =
      DecodeMessage(plan_, static_cast<uint32_t>(found), data, length, decoded_.get(), present_.get());
  if (findings & kFrameLong) state.too_long++;
  if (findings & kFrameShort) {
    state.too_short++;
    return Bad(m, kFaultLength, time_us);
  }
  if (!HoldsChecksum(plan_, reception_, m, data, length)) {
    state.checksum++;
    return Bad(m, kFaultChecksum, time_us);
  }
  double lost = 0;
  if (reception_.counter_signal[m] >= 0 && !AcceptsCounter(m, data, bus, time_us, &lost)) {
    state.stuck++;
    return Bad(m, kFaultCounter, time_us);
  }
  state.lost += lost;
  state.accepted++;
  Good(m, time_us);
  const uint32_t base = plan_.message_first_signal[static_cast<uint32_t>(found)];
  for (uint32_t i = reception_.first_member[m]; i < reception_.first_member[m + 1]; i++) {
    const uint32_t s = reception_.member[i], k = reception_.signal[s] - base;
    if (present_[k]) TakeValue(s, decoded_[k], time_us);
  }
}

bool ProfileTable::AcceptsCounter(uint32_t m, const uint8_t* data, uint32_t bus, double time_us, double* lost) {
  CounterMemory& memory = counter_[m * kCounterBuses + bus % kCounterBuses];
  const uint32_t signal = static_cast<uint32_t>(reception_.counter_signal[m]);
  const int32_t value = static_cast<int32_t>(ReadUnsigned(plan_, signal, data));
  const int32_t modulo = static_cast<int32_t>(reception_.counter_modulo[m]), last = memory.last;
  const bool is_first = last < 0 || std::fabs(time_us - memory.seen_us) > reception_.counter_restart_us;
  memory.seen_us = time_us;
  if (!is_first && value == last) return false;
  if (!is_first && value < modulo && last < modulo) *lost = (value - last - 1 + modulo) % modulo;
  memory.last = value;
  return true;
}

void ProfileTable::TakeValue(uint32_t s, double decoded, double time_us) {
  const Reception& r = reception_;
  SignalState& state = signal_[s];
  Memory& memory = memory_[s];
  state.arrived++;
  for (uint32_t i = r.first_unavailable[s]; i < r.first_unavailable[s + 1]; i++) {
    if (r.unavailable[i] != decoded) continue;
    state.not_available++;
    return Invalidate(s, time_us);
  }
  const double scaled = decoded * r.scale[s] + r.offset[s];
  const double value = (scaled * r.mul[s]) / r.div[s] + r.add[s];
  if (!std::isfinite(value)) {
    state.not_finite++;
    return Invalidate(s, time_us);
  }
  if (scaled < r.min[s] || scaled > r.max[s] || value < r.core_min[s] || value > r.core_max[s]) {
    state.out_of_range++;
    return Invalidate(s, time_us);
  }
  const double age_us = time_us - memory.accepted_at_us;
  const double elapsed_us = age_us > r.min_rate_window_us ? age_us : r.min_rate_window_us;
  if (memory.has_value && std::fabs(value - state.value) > r.max_rate_per_us[s] * elapsed_us) {
    state.too_fast++;
    state.rejected_in_row++;
    if (state.rejected_in_row == r.bad_frames_to_fault) Report(s, kFaultRate, true, time_us);
    if (state.rejected_in_row >= r.bad_frames_to_fault) Invalidate(s, time_us);
    return;
  }
  if (state.rejected_in_row >= r.bad_frames_to_fault) Report(s, kFaultRate, false, time_us);
  state.rejected_in_row = 0;
  if (memory.has_value && value != state.value) state.changes++;
  state.value = value;
  state.is_valid = 1;
  memory.has_value = true;
  memory.accepted_at_us = time_us;
  state.observed_at_us = time_us;
  state.has_arrived = 1;
  state.accepted++;
  if (value < state.lowest) state.lowest = value;
  if (value > state.highest) state.highest = value;
}

void ProfileTable::Invalidate(uint32_t s, double time_us) {
  signal_[s].is_valid = 0;
  signal_[s].observed_at_us = time_us;
  signal_[s].has_arrived = 1;
}

void ProfileTable::Bad(uint32_t m, FaultKind kind, double time_us) {
  MessageState& state = message_[m];
  state.bad_in_row++;
  if (state.bad_in_row < reception_.bad_frames_to_fault) return;
  if (state.bad_in_row == reception_.bad_frames_to_fault) {
    state.fault = kind;
    Report(m, kind, true, time_us);
  }
  for (uint32_t i = reception_.first_member[m]; i < reception_.first_member[m + 1]; i++) {
    Invalidate(reception_.member[i], time_us);
  }
}

void ProfileTable::Good(uint32_t m, double time_us) {
  MessageState& state = message_[m];
  state.bad_in_row = 0;
  if (state.fault == kFaultNone) return;
  Report(m, static_cast<FaultKind>(state.fault), false, time_us);
  state.fault = kFaultNone;
}

void ProfileTable::Report(uint32_t subject, FaultKind kind, bool is_active, double time_us) {
  table_.active_faults += is_active ? 1 : -1;
  if (is_active) table_.faults++;
  if (fault_count_ < static_cast<uint32_t>(reception_.max_pending_faults)) {
    faults_[fault_count_++] = {static_cast<double>(subject), static_cast<double>(kind), is_active ? 1.0 : 0.0, time_us};
  } else {
    table_.dropped_faults++;
  }
}

uint32_t ProfileTable::size() const {
  return (sizeof(TableState) + sizeof(MessageState) * message_count() + sizeof(SignalState) * signal_count()) / sizeof(double);
}

uint32_t ProfileTable::Read(double* out) {
  std::memcpy(out, &table_, sizeof table_);
  out += sizeof table_ / sizeof(double);
  std::memcpy(out, message_.get(), sizeof(MessageState) * message_count());
  out += sizeof(MessageState) / sizeof(double) * message_count();
  std::memcpy(out, signal_.get(), sizeof(SignalState) * signal_count());
  for (uint32_t s = 0; s < signal_count(); s++) signal_[s].has_arrived = signal_[s].changes = 0;
  return ring_.written();
}

uint32_t ProfileTable::DrainFaults(Fault* out, uint32_t max) {
  const uint32_t count = fault_count_ < max ? fault_count_ : max;
  std::memcpy(out, faults_.get(), sizeof(Fault) * count);
  std::memmove(faults_.get(), faults_.get() + count, sizeof(Fault) * (fault_count_ - count));
  fault_count_ -= count;
  return count;
}

}  // namespace can_rx
