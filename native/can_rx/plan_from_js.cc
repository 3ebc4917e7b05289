#include "can_rx/plan_from_js.h"

#include <string>

#include "can_rx/array_from_js.h"

namespace can_rx {
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
