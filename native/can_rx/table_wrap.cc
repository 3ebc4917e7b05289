#include "can_rx/table_wrap.h"

#include <string>
#include <utility>

#include "can_rx/array_from_js.h"
#include "can_rx/plan_from_js.h"

namespace can_rx {
namespace {

constexpr napi_type_tag kTableTag = {0x6e1f5b7a90c24d38, 0xa3d7f24c815b60e9};
constexpr uint32_t kFrameStride = 64;  // FRAME_STRIDE in daemon/core/can/frame-batch.ts

bool Number(Napi::Env env, Napi::Object from, const char* name, double* to) {
  const Napi::Value value = from.Get(name);
  *to = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : 0;
  if (*to > 0) return true;
  Napi::TypeError::New(env, std::string("number ") + name + " is not positive").ThrowAsJavaScriptException();
  return false;
}

bool ReceptionFromJs(Napi::Env env, Napi::Object from, const Plan& plan, Reception* r) {
  const bool is_complete =
      Copy(env, from, "message", napi_uint32_array, &r->message) &&
      Copy(env, from, "checksumKind", napi_uint8_array, &r->checksum_kind) &&
      Copy(env, from, "checksumSignal", napi_int32_array, &r->checksum_signal) &&
      Copy(env, from, "firstSummed", napi_uint32_array, &r->first_summed) &&
      Copy(env, from, "summed", napi_uint32_array, &r->summed) &&
      Copy(env, from, "counterSignal", napi_int32_array, &r->counter_signal) &&
      Copy(env, from, "counterModulo", napi_uint32_array, &r->counter_modulo) &&
      Copy(env, from, "firstMember", napi_uint32_array, &r->first_member) &&
      Copy(env, from, "member", napi_uint32_array, &r->member) &&
      Copy(env, from, "signal", napi_uint32_array, &r->signal) &&
      Copy(env, from, "scale", napi_float64_array, &r->scale) &&
      Copy(env, from, "offset", napi_float64_array, &r->offset) &&
      Copy(env, from, "mul", napi_float64_array, &r->mul) && Copy(env, from, "div", napi_float64_array, &r->div) &&
      Copy(env, from, "add", napi_float64_array, &r->add) && Copy(env, from, "min", napi_float64_array, &r->min) &&
      Copy(env, from, "max", napi_float64_array, &r->max) &&
      Copy(env, from, "coreMin", napi_float64_array, &r->core_min) &&
      Copy(env, from, "coreMax", napi_float64_array, &r->core_max) &&
      Copy(env, from, "maxRatePerUs", napi_float64_array, &r->max_rate_per_us) &&
      Copy(env, from, "firstUnavailable", napi_uint32_array, &r->first_unavailable) &&
      Copy(env, from, "unavailable", napi_float64_array, &r->unavailable) &&
      Number(env, from, "badFramesToFault", &r->bad_frames_to_fault) &&
      Number(env, from, "minRateWindowUs", &r->min_rate_window_us) &&
      Number(env, from, "counterRestartUs", &r->counter_restart_us) &&
      Number(env, from, "maxPendingFaults", &r->max_pending_faults);
  if (!is_complete) return false;
  r->is_classic = from.Get("isClassic").ToBoolean();
  const char* fault = r->max_pending_faults > 65536 ? "too many pending faults" : CheckReception(plan, *r);
  if (fault) Napi::RangeError::New(env, std::string("reception plan: ") + fault).ThrowAsJavaScriptException();
  return !fault;
}

}  // namespace

bool RingFromJs(Napi::Env env, Napi::Object options, FrameRing* ring) {
  const Napi::Value control = options.Get("ringControl"), slots = options.Get("ringSlots");
  if (control.IsUndefined() && slots.IsUndefined()) return true;
  size_t words = 0, bytes = 0;
  int32_t* word = Data<int32_t>(control, napi_int32_array, &words);
  uint8_t* slot = Data<uint8_t>(slots, napi_uint8_array, &bytes);
  const uint32_t capacity = static_cast<uint32_t>(bytes / sizeof(FrameSlot));
  if (!word || !slot || words < 3 || capacity == 0 || (capacity & (capacity - 1)) || bytes % sizeof(FrameSlot)) {
    Napi::RangeError::New(env, "the ring needs 3 control words and a power of two of 88-byte slots").ThrowAsJavaScriptException();
    return false;
  }
  *ring = FrameRing(reinterpret_cast<uint32_t*>(word), slot, capacity);
  return true;
}

Napi::Function TableWrap::Define(Napi::Env env) {
  return DefineClass(env, "ProfileTable",
                     {
                         InstanceMethod("start", &TableWrap::Start),
                         InstanceMethod("take", &TableWrap::Take),
                         InstanceMethod("read", &TableWrap::Read),
                         InstanceMethod("drainFaults", &TableWrap::DrainFaults),
                         InstanceAccessor("size", &TableWrap::Size, nullptr),
                     });
}

TableWrap::TableWrap(const Napi::CallbackInfo& info) : Napi::ObjectWrap<TableWrap>(info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsObject() || !info[1].IsObject()) {
    Napi::TypeError::New(env, "a decode plan and a reception plan are needed").ThrowAsJavaScriptException();
    return;
  }
  Plan plan;
  Reception reception;
  FrameRing ring;
  if (!PlanFromJs(env, info[0].As<Napi::Object>(), &plan)) return;
  if (!ReceptionFromJs(env, info[1].As<Napi::Object>(), plan, &reception)) return;
  if (info[2].IsObject()) {
    if (!RingFromJs(env, info[2].As<Napi::Object>(), &ring)) return;
    // Its own copy of the two references: the caller's object may be changed.
    Napi::Object held = Napi::Object::New(env);
    held.Set("control", info[2].As<Napi::Object>().Get("ringControl"));
    held.Set("slots", info[2].As<Napi::Object>().Get("ringSlots"));
    ring_ = Napi::Persistent(held);
  }
  table_ = new ProfileTable(std::move(plan), std::move(reception), ring);
  info.This().As<Napi::Object>().TypeTag(&kTableTag);
}

ProfileTable* TableWrap::From(Napi::Value value) {
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&kTableTag)) return nullptr;
  return Unwrap(value.As<Napi::Object>())->table_;
}

// start(monoUs): drive time 0 on the kernel's monotonic clock
Napi::Value TableWrap::Start(const Napi::CallbackInfo& info) {
  const double mono_us = info[0].ToNumber().DoubleValue();
  table_->Lock();
  table_->Start(mono_us);
  table_->Unlock();
  return info.Env().Undefined();
}

// take(id, flags, length, bus, data, from, to, tUs): frames of a batch, as VehicleProfile.consume
Napi::Value TableWrap::Take(const Napi::CallbackInfo& info) {
  size_t ids = 0, flags_size = 0, lengths = 0, buses = 0, bytes = 0, times = 0;
  const uint32_t* id = Data<uint32_t>(info[0], napi_uint32_array, &ids);
  const uint8_t* flags = Data<uint8_t>(info[1], napi_uint8_array, &flags_size);
  const uint8_t* length = Data<uint8_t>(info[2], napi_uint8_array, &lengths);
  const uint16_t* bus = Data<uint16_t>(info[3], napi_uint16_array, &buses);
  const uint8_t* data = Data<uint8_t>(info[4], napi_uint8_array, &bytes);
  const uint32_t from = info[5].ToNumber().Uint32Value(), to = info[6].ToNumber().Uint32Value();
  const double* time_us = Data<double>(info[7], napi_float64_array, &times);
  bool is_sound = id && flags && length && bus && data && time_us && from <= to && to <= ids && to <= flags_size &&
                  to <= lengths && to <= buses && size_t{to} * kFrameStride <= bytes && to - from <= times;
  for (uint32_t i = from; is_sound && i < to; i++) is_sound = length[i] <= kFrameStride;
  if (!is_sound) {
    Napi::RangeError::New(info.Env(), "take: an argument is out of bounds").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  table_->Lock();
  for (uint32_t i = from; i < to; i++) {
    table_->Take(id[i], flags[i], bus[i], data + size_t{i} * kFrameStride, length[i], time_us[i - from]);
  }
  table_->Unlock();
  return info.Env().Undefined();
}

// read(out: Float64Array): position of the ring that the values belong to
Napi::Value TableWrap::Read(const Napi::CallbackInfo& info) {
  size_t length = 0;
  double* out = Data<double>(info[0], napi_float64_array, &length);
  if (!out || length < table_->size()) {
    Napi::RangeError::New(info.Env(), "read: the array is too small").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  table_->Lock();
  const uint32_t position = table_->Read(out);
  table_->Unlock();
  return Napi::Number::New(info.Env(), position);
}

// drainFaults(out: Float64Array): how many; rows of subject, kind, 1 = began or 0 = ended, time
Napi::Value TableWrap::DrainFaults(const Napi::CallbackInfo& info) {
  static_assert(sizeof(Fault) == 4 * sizeof(double), "rows of JavaScript's array");
  size_t length = 0;
  double* out = Data<double>(info[0], napi_float64_array, &length);
  if (!out) {
    Napi::TypeError::New(info.Env(), "drainFaults: a Float64Array is needed").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  table_->Lock();
  const uint32_t count = table_->DrainFaults(reinterpret_cast<Fault*>(out), static_cast<uint32_t>(length / 4));
  table_->Unlock();
  return Napi::Number::New(info.Env(), count);
}

Napi::Value TableWrap::Size(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), table_->size()); }

}  // namespace can_rx
