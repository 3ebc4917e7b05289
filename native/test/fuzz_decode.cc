// Fuzz target for what the receive thread does with bytes it did not make: the frame parser, the checks of a decode plan
// and of a reception plan, the decoder and the table that believes or refuses. With libFuzzer:
//
//   clang++ -std=c++17 -Inative -fsanitize=fuzzer,address,undefined -o fuzz_decode
//     native/test/fuzz_decode.cc native/can_rx/{decoder,frame_parser,profile_table,reception}.cc
//
// Without it (-DSTANDALONE) a driver of its own feeds pseudo-random inputs: ./fuzz_decode [rounds] [seed].
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "can_rx/frame_parser.h"
#include "can_rx/plan.h"
#include "can_rx/profile_table.h"
#include "can_rx/reception.h"

namespace {

using can_rx::Array;

// Deals out the input byte by byte; zeros when it is used up.
struct Dealer {
  const uint8_t* data;
  size_t size;
  uint8_t Byte() { return size > 0 ? (size--, *data++) : 0; }
  uint32_t Word() { return Byte() | Byte() << 8 | static_cast<uint32_t>(Byte()) << 16 | static_cast<uint32_t>(Byte()) << 24; }
};

template <typename T, typename Next>
void Fill(Array<T>* array, uint32_t size, Next next) {
  array->items.reset(new T[size]);
  array->size = size;
  for (uint32_t i = 0; i < size; i++) array->items[i] = static_cast<T>(next(i));
}

// A plan that is mostly well-formed, so that it often passes the check, with some bytes of it wrong.
void MakePlan(Dealer* in, can_rx::Plan* p) {
  const uint32_t messages = in->Byte() % 4 + 1, per = in->Byte() % 5 + 1, signals = messages * per;
  const auto dirty = [in](uint32_t value) { return in->Byte() == 7 ? in->Word() : value; };
  Fill(&p->message_id, messages, [&](uint32_t i) { return dirty(i * 3); });
  Fill(&p->message_length, messages, [&](uint32_t) { return in->Byte() % 3 ? 64 : in->Byte() % 65; });
  Fill(&p->message_first_signal, messages + 1, [&](uint32_t i) { return dirty(i * per); });
  Fill(&p->message_first_block, messages + 1, [&](uint32_t i) { return dirty(i * 2); });
  Fill(&p->block_first_signal, messages * 2 + 1, [&](uint32_t b) { return dirty(b / 2 * per + (b % 2 ? 1 : 0)); });
  Fill(&p->block_selector, messages * 2, [&](uint32_t b) { return b % 2 && in->Byte() % 2 ? static_cast<int32_t>(dirty(b / 2 * per)) : -1; });
  Fill(&p->block_first_range, messages * 2 + 1, [&](uint32_t b) { return dirty(b); });
  Fill(&p->range_from, messages * 2, [&](uint32_t) { return in->Byte(); });
  Fill(&p->range_to, messages * 2, [&](uint32_t) { return in->Byte(); });
  Fill(&p->signal_first_byte, signals, [&](uint32_t) { return in->Byte() % 60; });
  Fill(&p->signal_last_byte, signals, [&](uint32_t s) { return dirty(p->signal_first_byte[s] + in->Byte() % 9); });
  Fill(&p->signal_bits, signals, [&](uint32_t) { return dirty(in->Byte() % 64 + 1); });
  Fill(&p->signal_shift, signals, [&](uint32_t) { return dirty(in->Byte() % 8); });
  Fill(&p->signal_flags, signals, [&](uint32_t) { return in->Byte(); });
  Fill(&p->signal_op, signals, [&](uint32_t) { return in->Byte() % 12; });
  Fill(&p->signal_scale, signals, [&](uint32_t) { return in->Byte() - 100.0; });
  Fill(&p->signal_offset, signals, [&](uint32_t) { return in->Byte() / 8.0; });
  Fill(&p->standard_message, 2048, [&](uint32_t id) { return id < 16 ? static_cast<int32_t>(id % messages) : -1; });
  Fill(&p->extended_id, messages, [&](uint32_t i) { return i * 7; });
  Fill(&p->extended_message, messages, [&](uint32_t i) { return dirty(i); });
  Fill(&p->pgn_key, messages, [&](uint32_t i) { return i; });
  Fill(&p->pgn_message, messages, [&](uint32_t i) { return dirty(i); });
}

// One mapped message a plan message, one mapped signal a plan signal, checks of all kinds, some of it wrong.
void MakeReception(Dealer* in, const can_rx::Plan& p, can_rx::Reception* r) {
  const uint32_t messages = p.message_count(), signals = p.signal_count(), per = signals / messages;
  const auto dirty = [in](uint32_t value) { return in->Byte() == 7 ? in->Word() : value; };
  const auto number = [in](uint32_t) { return in->Byte() == 3 ? std::nan("") : in->Byte() - 128.0; };
  // A signal of a message; mostly one that a check may rest on, where there is one.
  const auto one_of = [&](uint32_t m, uint32_t bits) {
    uint32_t s = m * per + in->Byte() % per;
    for (uint32_t i = 0; i < per && (p.signal_op[s] == can_rx::kOpNone || p.signal_bits[s] > bits); i++) {
      s = m * per + (s + 1) % per;
    }
    return dirty(s);
  };
  Fill(&r->message, messages, [&](uint32_t m) { return dirty(m); });
  Fill(&r->checksum_kind, messages, [&](uint32_t) { return dirty(in->Byte() % can_rx::kChecksumKinds); });
  Fill(&r->checksum_signal, messages, [&](uint32_t m) { return static_cast<int32_t>(one_of(m, 64)); });
  Fill(&r->first_summed, messages + 1, [&](uint32_t m) { return dirty(m * 2); });
  Fill(&r->summed, messages * 2, [&](uint32_t i) { return one_of(i / 2, 64); });
  Fill(&r->counter_signal, messages, [&](uint32_t m) { return in->Byte() % 3 ? -1 : static_cast<int32_t>(one_of(m, 16)); });
  Fill(&r->counter_modulo, messages, [&](uint32_t) { return dirty(in->Byte() + 1); });
  Fill(&r->first_member, messages + 1, [&](uint32_t m) { return dirty(m * per); });
  Fill(&r->member, signals, dirty);
  Fill(&r->signal, signals, dirty);
  for (Array<double>* each : {&r->scale, &r->offset, &r->mul, &r->div, &r->add, &r->min, &r->max, &r->core_min,
                              &r->core_max, &r->max_rate_per_us, &r->unavailable})
    Fill(each, signals, number);
  Fill(&r->first_unavailable, signals + 1, dirty);
  r->bad_frames_to_fault = in->Byte() % 5 + 1;
  r->min_rate_window_us = in->Byte();
  r->counter_restart_us = in->Byte();
  r->max_pending_faults = in->Byte() % 8 + 1;
  r->is_classic = in->Byte() % 2;
}

// Frames of any kind and time through a table with a ring that is full soon.
void RunTable(Dealer* in, can_rx::Plan plan, can_rx::Reception reception) {
  uint32_t control[3] = {};
  std::vector<uint8_t> slots(4 * sizeof(can_rx::FrameSlot));
  auto* table = new can_rx::ProfileTable(std::move(plan), std::move(reception), can_rx::FrameRing(control, slots.data(), 4));
  std::vector<double> state(table->size());
  for (uint32_t i = 0; i < 24; i++) {
    can_rx::FrameSlot slot = {};
    slot.id = in->Byte() % 20;
    slot.flags = in->Byte() % 4 ? in->Byte() & can_rx::kExt : in->Byte();
    slot.length = in->Byte() % 65;
    slot.bus = in->Byte();
    slot.time_ns = uint64_t{in->Word()} << (in->Byte() % 33);
    for (uint32_t b = 0; b < slot.length; b++) slot.data[b] = in->Byte();
    const can_rx::Moment moment = {uint64_t{in->Word()} << (in->Byte() % 33), uint64_t{in->Word()} << (in->Byte() % 33)};
    if (i == 4) table->Start(in->Word());
    table->Lock();
    if (i % 3) table->Receive(&slot, moment);
    else table->Take(slot.id, slot.flags, in->Word(), slot.data, slot.length, in->Word() - 2e9);
    table->Unlock();
    control[1] += in->Byte() % 2 && control[1] != control[0];
  }
  if (table->Read(state.data()) != control[0] || state[0] != 24) std::abort();
  const double* signal = state.data() + state.size() - table->signal_count() * (sizeof(can_rx::SignalState) / sizeof(double));
  for (uint32_t s = 0; s < table->signal_count(); s++, signal += sizeof(can_rx::SignalState) / sizeof(double)) {
    const auto* now = reinterpret_cast<const can_rx::SignalState*>(signal);
    if (now->is_valid && !std::isfinite(now->value)) std::abort();
    // What arrived was accepted, refused for one reason, or not believed.
    if (now->arrived != now->accepted + now->not_available + now->not_finite + now->out_of_range + now->too_fast) std::abort();
  }
  can_rx::Fault faults[8];
  if (table->DrainFaults(faults, 8) > 8 || table->DrainFaults(faults, 8) != 0) std::abort();
  table->Hold();
  table->Release();
  table->Release();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Dealer in = {data, size};
  // A datagram in a buffer of exactly its size, so that a read beyond it is seen.
  const size_t length = in.Byte() % 3 == 0 ? in.Byte() : in.Byte() % 2 ? 16 : 72;
  std::vector<uint8_t> datagram(length);
  for (uint8_t& byte : datagram) byte = in.Byte();
  can_rx::FrameSlot slot = {};
  const bool is_frame = can_rx::ParseFrame(datagram.data(), datagram.size(), &slot) == can_rx::ParseResult::kFrame;
  if (is_frame && slot.length > 64) std::abort();

  can_rx::Plan plan;
  MakePlan(&in, &plan);
  if (can_rx::CheckPlan(plan) != nullptr) return 0;
  for (const uint32_t id : {slot.id, in.Word() & 0x1fffffff, 7u, 0u}) {
    for (const bool is_extended : {false, true}) {
      const int32_t message = can_rx::FindMessage(plan, id, is_extended);
      if (message < -1 || message >= static_cast<int32_t>(plan.message_count())) std::abort();
      if (message < 0) continue;
      const uint32_t m = static_cast<uint32_t>(message);
      const uint32_t count = plan.message_first_signal[m + 1] - plan.message_first_signal[m];
      const uint32_t bytes = in.Byte() % 65;
      std::unique_ptr<uint8_t[]> payload(new uint8_t[bytes]);
      for (uint32_t i = 0; i < bytes; i++) payload[i] = in.Byte();
      std::unique_ptr<double[]> values(new double[count]());
      std::unique_ptr<uint8_t[]> present(new uint8_t[count]());
      can_rx::DecodeMessage(plan, m, payload.get(), bytes, values.get(), present.get());
      for (uint32_t k = 0; k < count; k++) {
        if (present[k] > 1) std::abort();
      }
    }
  }
  can_rx::Reception reception;
  MakeReception(&in, plan, &reception);
  if (can_rx::CheckReception(plan, reception) == nullptr) RunTable(&in, std::move(plan), std::move(reception));
  return 0;
}

#ifdef STANDALONE
int main(int argc, char** argv) {
  const long rounds = argc > 1 ? std::atol(argv[1]) : 100000;
  uint32_t state = argc > 2 ? static_cast<uint32_t>(std::atol(argv[2])) : 0x9e3779b9;
  std::vector<uint8_t> input(8192);
  for (long round = 0; round < rounds; round++) {
    for (uint8_t& byte : input) {
      state ^= state << 13, state ^= state >> 17, state ^= state << 5;
      byte = static_cast<uint8_t>(state);
    }
    LLVMFuzzerTestOneInput(input.data(), 64 + state % 8000);
  }
  std::printf("%ld rounds\n", rounds);
}
#endif
