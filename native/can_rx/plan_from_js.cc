#include "can_rx/plan_from_js.h"

#include <cstring>
#include <string>

namespace can_rx {
namespace {

template <typename T>
bool Copy(Napi::Env env, Napi::Object from, const char* name, napi_typedarray_type type, Array<T>* to) {
  const Napi::Value value = from.Get(name);
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
    Napi::TypeError::New(env, std::string("plan.") + name + " is missing or of another type").ThrowAsJavaScriptException();
    return false;
  }
  void* data = nullptr;
  size_t length = 0;
  napi_typedarray_type given;
  napi_get_typedarray_info(env, value, &given, &length, &data, nullptr, nullptr);
  to->items.reset(new T[length]);
  to->size = static_cast<uint32_t>(length);
  if (length > 0) std::memcpy(to->items.get(), data, length * sizeof(T));
  return true;
}

}  // namespace

bool PlanFromJs(Napi::Env env, Napi::Object from, Plan* p) {
  const bool is_complete =
      Copy(env, from, "messageId", napi_uint32_array, &p->message_id) &&
      Copy(env, from, "messageLength", napi_uint16_array, &p->message_length) &&
      Copy(env, from, "messageFirstSignal", napi_uint32_array, &p->message_first_signal) &&
      Copy(env, from, "messageFirstBlock", napi_uint32_array, &p->message_first_block) &&
      Copy(env, from, "blockFirstSignal", napi_uint32_array, &p->block_first_signal) &&
      Copy(env, from, "blockSelector", napi_int32_array, &p->block_selector) &&
      Copy(env, from, "blockFirstRange", napi_uint32_array, &p->block_first_range) &&
      Copy(env, from, "rangeFrom", napi_float64_array, &p->range_from) &&
      Copy(env, from, "rangeTo", napi_float64_array, &p->range_to) &&
      Copy(env, from, "signalOp", napi_uint8_array, &p->signal_op) &&
      Copy(env, from, "signalFirstByte", napi_uint16_array, &p->signal_first_byte) &&
      Copy(env, from, "signalLastByte", napi_uint16_array, &p->signal_last_byte) &&
      Copy(env, from, "signalBits", napi_uint8_array, &p->signal_bits) &&
      Copy(env, from, "signalShift", napi_uint8_array, &p->signal_shift) &&
      Copy(env, from, "signalFlags", napi_uint8_array, &p->signal_flags) &&
      Copy(env, from, "signalScale", napi_float64_array, &p->signal_scale) &&
      Copy(env, from, "signalOffset", napi_float64_array, &p->signal_offset) &&
      Copy(env, from, "standardMessage", napi_int32_array, &p->standard_message) &&
      Copy(env, from, "extendedId", napi_uint32_array, &p->extended_id) &&
      Copy(env, from, "extendedMessage", napi_uint32_array, &p->extended_message) &&
      Copy(env, from, "pgnKey", napi_uint32_array, &p->pgn_key) &&
      Copy(env, from, "pgnMessage", napi_uint32_array, &p->pgn_message);
  if (!is_complete) return false;
  if (const char* fault = CheckPlan(*p)) {
    Napi::RangeError::New(env, std::string("decode plan: ") + fault).ThrowAsJavaScriptException();
    return false;
  }
  return true;
}

}  // namespace can_rx
