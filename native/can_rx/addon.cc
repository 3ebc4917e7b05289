// can_rx.node: receives CAN frames and decodes them. This module has no code that sends, and a test holds its imported
// symbols against an allow-list.
#include <napi.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "can_rx/array_from_js.h"
#include "can_rx/plan_from_js.h"
#include "can_rx/receiver.h"
#include "can_rx/table_wrap.h"
#include "can_rx/transport.h"

namespace can_rx {
namespace {

// Raised with every change of a layout or of a meaning; native/index.ts refuses another one.
constexpr int kAbi = 3;

Napi::Error SystemError(Napi::Env env, int number, const std::string& what) {
  Napi::Error error = Napi::Error::New(env, what + ": " + std::strerror(number));
  error.Set("errno", Napi::Number::New(env, number));
  return error;
}

// new Decoder(plan): the decoder alone, for recordings and for comparison with the one in TypeScript.
class Decoder : public Napi::ObjectWrap<Decoder> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "Decoder",
                       {InstanceMethod("find", &Decoder::Find), InstanceMethod("decode", &Decoder::Decode)});
  }
  explicit Decoder(const Napi::CallbackInfo& info) : Napi::ObjectWrap<Decoder>(info) {
    if (!info[0].IsObject()) {
      Napi::TypeError::New(info.Env(), "a decode plan is needed").ThrowAsJavaScriptException();
      return;
    }
    is_usable_ = PlanFromJs(info.Env(), info[0].As<Napi::Object>(), &plan_);
  }

 private:
  // find(id, ext): message index or −1
  Napi::Value Find(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), FindMessage(plan_, info[0].ToNumber().Uint32Value(), info[1].ToBoolean()));
  }

  // decode(message, data, start, length, values, present): findings, as decodeMessage in TypeScript
  Napi::Value Decode(const Napi::CallbackInfo& info) {
    const uint32_t message = info[0].ToNumber().Uint32Value();
    size_t bytes = 0, values = 0, presents = 0;
    const uint8_t* data = Data<uint8_t>(info[1], napi_uint8_array, &bytes);
    const uint32_t start = info[2].ToNumber().Uint32Value(), length = info[3].ToNumber().Uint32Value();
    double* value = Data<double>(info[4], napi_float64_array, &values);
    uint8_t* present = Data<uint8_t>(info[5], napi_uint8_array, &presents);
    const bool is_known = is_usable_ && message < plan_.message_count();
    const size_t needed = is_known ? plan_.message_first_signal[message + 1] - plan_.message_first_signal[message] : 0;
    if (!is_known || !data || !value || !present || uint64_t{start} + length > bytes || values < needed || presents < needed) {
      Napi::RangeError::New(info.Env(), "decode: an argument is out of bounds").ThrowAsJavaScriptException();
      return info.Env().Undefined();
    }
    return Napi::Number::New(info.Env(), DecodeMessage(plan_, message, data + start, length, value, present));
  }

  Plan plan_;
  bool is_usable_ = false;
};

// new CanReceiver({interface | fd, filters?, errorMask?, receiveBufferBytes?, collectUs?, table?, bus?, ringControl?,
//                  ringSlots?}): see native/index.ts
class CanReceiver : public Napi::ObjectWrap<CanReceiver> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "CanReceiver",
                       {
                           InstanceMethod("start", &CanReceiver::Start),
                           InstanceMethod("stop", &CanReceiver::Stop),
                           InstanceMethod("rebind", &CanReceiver::Rebind),
                           InstanceMethod("readCounters", &CanReceiver::ReadCounters),
                           InstanceAccessor("descriptor", &CanReceiver::Descriptor, nullptr),
                           InstanceAccessor("isBound", &CanReceiver::IsBound, nullptr),
                           InstanceAccessor("receiveBufferBytes", &CanReceiver::BufferBytes, nullptr),
                       });
  }

  explicit CanReceiver(const Napi::CallbackInfo& info) : Napi::ObjectWrap<CanReceiver>(info) {
    const Napi::Env env = info.Env();
    if (!info[0].IsObject()) {
      Napi::TypeError::New(env, "options are needed").ThrowAsJavaScriptException();
      return;
    }
    const Napi::Object options = info[0].As<Napi::Object>();
    const Napi::Value table = options.Get("table");
    uint8_t bus = 0;
    if (!table.IsUndefined()) {
      table_ = TableWrap::From(table);
      const uint32_t number = options.Get("bus").ToNumber().Uint32Value();
      if (!table_ || number >= ProfileTable::kBuses || !options.Get("ringSlots").IsUndefined()) {
        table_ = nullptr;
        Napi::TypeError::New(env, "table: a ProfileTable, a bus below 256 and no other ring are needed").ThrowAsJavaScriptException();
        return;
      }
      table_->Hold();
      table_object_ = Napi::Persistent(table.As<Napi::Object>());  // and with it the memory of its ring
      bus = static_cast<uint8_t>(number);
    }
    FrameRing ring;
    if (!AttachRing(env, options, &ring) || !OpenTransport(env, options)) return;
    const Napi::Value collect = options.Get("collectUs");
    const uint64_t collect_ns = collect.IsNumber() ? static_cast<uint64_t>(collect.ToNumber().DoubleValue() * 1000) : 2'000'000;
    receiver_ = std::make_unique<Receiver>(fd_, table_, bus, ring, collect_ns);
  }

  ~CanReceiver() override {
    Close();
    if (table_) table_->Release();
  }

 private:
  bool AttachRing(Napi::Env env, Napi::Object options, FrameRing* ring) {
    if (!RingFromJs(env, options, ring)) return false;
    if (!ring->is_attached()) return true;
    // The memory lives as long as JavaScript's views of it: hold them.
    ring_control_ = Napi::Persistent(options.Get("ringControl").As<Napi::Object>());
    ring_slots_ = Napi::Persistent(options.Get("ringSlots").As<Napi::Object>());
    return true;
  }

  bool OpenTransport(Napi::Env env, Napi::Object options) {
    if (options.Get("fd").IsNumber()) {
      // A stand-in that speaks the same datagrams. Duplicated, so that closing it is ours alone.
      fd_ = dup(options.Get("fd").ToNumber().Int32Value());
      if (fd_ < 0) SystemError(env, errno, "fd").ThrowAsJavaScriptException();
      return fd_ >= 0;
    }
    interface_ = options.Get("interface").ToString().Utf8Value();
    size_t count = 0;
    const uint32_t* filters = Data<uint32_t>(options.Get("filters"), napi_uint32_array, &count);
    for (size_t i = 0; filters && i + 1 < count; i += 2) filters_.push_back({filters[i], filters[i + 1]});
    socket_.filters = filters_.data();
    socket_.filter_count = static_cast<uint32_t>(filters_.size());
    if (options.Get("errorMask").IsNumber()) socket_.error_mask = options.Get("errorMask").ToNumber().Uint32Value();
    if (options.Get("receiveBufferBytes").IsNumber()) socket_.receive_buffer_bytes = options.Get("receiveBufferBytes").ToNumber().Int32Value();
    const int fd = OpenCanSocket(interface_.c_str(), socket_, &facts_);
    if (fd < 0) {
      SystemError(env, -fd, interface_).ThrowAsJavaScriptException();
      return false;
    }
    fd_ = fd;
    return true;
  }

  Napi::Value Start(const Napi::CallbackInfo& info) {
    const int failed = receiver_ ? receiver_->Start() : EBADF;
    if (failed) SystemError(info.Env(), failed, "start").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }

  Napi::Value Stop(const Napi::CallbackInfo& info) {
    Close();
    return info.Env().Undefined();
  }

  // rebind(): 0 or errno
  Napi::Value Rebind(const Napi::CallbackInfo& info) {
    if (fd_ < 0 || interface_.empty()) return Napi::Number::New(info.Env(), EBADF);
    const int failed = -RebindCanSocket(fd_, interface_.c_str(), socket_);
    facts_.is_bound = failed == 0;
    return Napi::Number::New(info.Env(), failed);
  }

  // readCounters(out: Float64Array): in the order of counterNames in native/index.ts
  Napi::Value ReadCounters(const Napi::CallbackInfo& info) {
    size_t length = 0;
    double* out = Data<double>(info[0], napi_float64_array, &length);
    if (!out || length < 12 || !receiver_) {
      Napi::RangeError::New(info.Env(), "readCounters: 12 places are needed").ThrowAsJavaScriptException();
      return info.Env().Undefined();
    }
    const Counters& c = receiver_->counters();
    const auto read = [](const auto& counter) { return static_cast<double>(counter.load(std::memory_order_relaxed)); };
    out[0] = read(c.frames);
    out[1] = read(c.error_frames);
    out[2] = read(c.remote_frames);
    out[3] = read(c.malformed);
    out[4] = read(c.kernel_drops);
    out[5] = read(c.ring_drops);
    out[6] = read(c.batches);
    out[7] = read(c.failures);
    out[8] = read(c.heartbeat);
    out[9] = read(c.last_frame_ns) / 1000.0;  // µs: exact in a double for 285 years
    out[10] = read(c.last_errno);
    out[11] = read(c.time_sources);
    return info.Env().Undefined();
  }

  Napi::Value Descriptor(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), fd_); }
  Napi::Value IsBound(const Napi::CallbackInfo& info) { return Napi::Boolean::New(info.Env(), facts_.is_bound); }
  Napi::Value BufferBytes(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), facts_.receive_buffer_bytes); }

  void Close() {
    if (receiver_) receiver_->Stop();
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

  ProfileTable* table_ = nullptr;
  std::unique_ptr<Receiver> receiver_;
  Napi::ObjectReference table_object_, ring_control_, ring_slots_;
  std::string interface_;
  std::vector<IdFilter> filters_;
  SocketOptions socket_;
  SocketFacts facts_;
  int fd_ = -1;
};

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("abi", Napi::Number::New(env, kAbi));
  exports.Set("Decoder", Decoder::Define(env));
  exports.Set("ProfileTable", TableWrap::Define(env));
  exports.Set("CanReceiver", CanReceiver::Define(env));
  return exports;
}

}  // namespace

NODE_API_MODULE(can_rx, Init)

}  // namespace can_rx
