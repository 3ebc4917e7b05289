#pragma once
#include <napi.h>

#include "can_rx/plan.h"

namespace can_rx {

// Copies the arrays of a decode plan. False with a pending JavaScript exception when one is missing, has another type,
// or an index points out of bounds.
bool PlanFromJs(Napi::Env env, Napi::Object from, Plan* plan);

}  // namespace can_rx
