#pragma once
#include <cstddef>
#include <cstdint>

namespace obd_tx {

// Why a request may not leave; the numbers are known to native/index.ts.
enum class Verdict : uint8_t { kAllowed = 0, kIdentifier = 1, kService = 2, kLength = 3, kSubFunction = 4, kDataIdentifier = 5 };

// Whether a diagnostic request may leave on an identifier: only what reads, only to the addresses of ISO 15765-4 and a
// few pairs that makers use. No state, no library: the one function that every request passes right before it is sent.
Verdict CheckRequest(uint32_t id, bool is_extended, const uint8_t* data, size_t length);

// True for the addresses that every ECU hears: 7DF and 18DB33F1. They are sent to, never listened on, so that no flow
// control can go there.
bool IsFunctional(uint32_t id, bool is_extended);

// The identifier on which the ECU behind an allowed physical address answers.
uint32_t AnswerId(uint32_t id, bool is_extended);

}  // namespace obd_tx
