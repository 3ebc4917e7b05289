#pragma once
#include <napi.h>

#include <cstring>
#include <string>

#include "can_rx/plan.h"

namespace can_rx {

// The items of a typed array, or null where the value is something else. An empty array has no address of its own
// (N-API gives null), which must not pass for a wrong type.
template <typename T>
T* Data(Napi::Value value, napi_typedarray_type type, size_t* length) {
  static T nothing;
  if (!value.IsTypedArray()) return nullptr;
  void* data = nullptr;
  napi_typedarray_type given;
  napi_get_typedarray_info(value.Env(), value, &given, length, &data, nullptr, nullptr);
  if (given != type) return nullptr;
  return data ? static_cast<T*>(data) : &nothing;
}

// Copies the typed array `name` of an object; false with a pending TypeError where it is none of that type.
template <typename T>
bool Copy(Napi::Env env, Napi::Object from, const char* name, napi_typedarray_type type, Array<T>* to) {
  size_t length = 0;
  const T* data = Data<T>(from.Get(name), type, &length);
  if (!data) {
    Napi::TypeError::New(env, std::string("array ") + name + " is missing or of another type").ThrowAsJavaScriptException();
    return false;
  }
  to->items.reset(new T[length]);
  to->size = static_cast<uint32_t>(length);
  if (length > 0) std::memcpy(to->items.get(), data, length * sizeof(T));
  return true;
}

}  // namespace can_rx
