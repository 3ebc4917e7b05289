// Fuzz target for what the receive thread does with bytes it did not make: the frame parser, the check of a decode plan
// and the decoder. With libFuzzer:
//
//   clang++ -std=c++17 -Inative -fsanitize=fuzzer,address,undefined -o fuzz_decode
//     native/test/fuzz_decode.cc native/can_rx/decoder.cc native/can_rx/frame_parser.cc
//
// Without it (-DSTANDALONE) a driver of its own feeds pseudo-random inputs: ./fuzz_decode [rounds] [seed].
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "can_rx/frame_parser.h"
#include "can_rx/plan.h"

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
  Fill(&p->message_length, messages, [&](uint32_t) { return in->Byte() % 65; });
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
  return 0;
}

#ifdef STANDALONE
int main(int argc, char** argv) {
  const long rounds = argc > 1 ? std::atol(argv[1]) : 100000;
  uint32_t state = argc > 2 ? static_cast<uint32_t>(std::atol(argv[2])) : 0x9e3779b9;
  std::vector<uint8_t> input(1024);
  for (long round = 0; round < rounds; round++) {
    for (uint8_t& byte : input) {
      state ^= state << 13, state ^= state >> 17, state ^= state << 5;
      byte = static_cast<uint8_t>(state);
    }
    LLVMFuzzerTestOneInput(input.data(), 64 + state % 960);
  }
  std::printf("%ld rounds\n", rounds);
}
#endif
