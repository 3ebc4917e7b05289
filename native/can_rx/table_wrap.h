#pragma once
#include <napi.h>

#include "can_rx/frame_ring.h"
#include "can_rx/profile_table.h"

namespace can_rx {

// `ringControl` and `ringSlots` of an object as a ring; absent is fine. False with a pending error where they are wrong.
bool RingFromJs(Napi::Env env, Napi::Object options, FrameRing* ring);

// new ProfileTable(plan, reception, {ringControl, ringSlots}?): see native/index.ts
class TableWrap : public Napi::ObjectWrap<TableWrap> {
 public:
  static Napi::Function Define(Napi::Env env);
  explicit TableWrap(const Napi::CallbackInfo& info);
  ~TableWrap() override {
    if (table_) table_->Release();
  }

  // The table of an object that is one (its type tag tells), else null. Hold it for as long as it is used.
  static ProfileTable* From(Napi::Value value);

 private:
  Napi::Value Start(const Napi::CallbackInfo& info);
  Napi::Value Take(const Napi::CallbackInfo& info);
  Napi::Value Read(const Napi::CallbackInfo& info);
  Napi::Value DrainFaults(const Napi::CallbackInfo& info);
  Napi::Value Size(const Napi::CallbackInfo& info);

  ProfileTable* table_ = nullptr;
  Napi::ObjectReference ring_;  // its memory lives as long as JavaScript's views of it
};

}  // namespace can_rx
