#pragma once
#include <cstdint>

#include "can_rx/plan.h"

namespace can_rx {

constexpr uint8_t kChecksumNone = 0;
constexpr uint8_t kChecksumXor8 = 1;
constexpr uint8_t kChecksumSum8 = 2;
constexpr uint8_t kChecksumCrc8SaeJ1850 = 3;
constexpr uint8_t kChecksumNibbleSum4 = 4;
constexpr uint8_t kChecksumFieldSum8 = 5;
constexpr uint8_t kChecksumKinds = 6;

// What a vehicle profile wants of a frame and of a value before it believes them, compiled by
// daemon/vehicles/profile/reception-plan.ts. Every number that decides stands here, so that none is decided in C++.
struct Reception {
  // a mapped message
  Array<uint32_t> message;          // plan message
  Array<uint8_t> checksum_kind;
  Array<int32_t> checksum_signal;   // plan signal, −1 = none
  Array<uint32_t> first_summed;     // + 1
  Array<uint32_t> summed;           // plan signals of a field sum
  Array<int32_t> counter_signal;    // plan signal, −1 = none
  Array<uint32_t> counter_modulo;
  Array<uint32_t> first_member;     // + 1
  Array<uint32_t> member;           // mapped signals of the message
  // a mapped signal
  Array<uint32_t> signal;           // plan signal
  Array<double> scale, offset;      // of the profile
  Array<double> mul, div, add;      // to the core's unit
  Array<double> min, max;           // before that conversion
  Array<double> core_min, core_max; // after it
  Array<double> max_rate_per_us;
  Array<uint32_t> first_unavailable;  // + 1
  Array<double> unavailable;          // decoded values that mean "not available"
  // for all
  double bad_frames_to_fault = 0;
  double min_rate_window_us = 0;
  double counter_restart_us = 0;
  double max_pending_faults = 0;
  bool is_classic = false;  // a bus without CAN FD
};

// Null when every index is in bounds of the (checked) plan and every field of a check lies within its message.
const char* CheckReception(const Plan& plan, const Reception& reception);

// True where the payload carries the checksum that message m of the profile wants; `length` ≥ the message's.
bool HoldsChecksum(const Plan& plan, const Reception& reception, uint32_t m, const uint8_t* data, uint32_t length);

}  // namespace can_rx
