#include "obd_tx/guard.h"

namespace obd_tx {
namespace {

constexpr uint32_t kFunctional = 0x7DF;              // ISO 15765-4, 11 bits
constexpr uint32_t kFirstPhysical = 0x7E0;           // … 7E7; answers on id + 8
constexpr uint32_t kLastPhysical = 0x7E7;
constexpr uint32_t kExtendedFunctional = 0x18DB33F1;  // ISO 15765-4, 29 bits: to 33 (OBD), from F1 (tester)
constexpr uint32_t kExtendedPhysical = 0x18DA00F1;    // to any one ECU, from F1
constexpr uint32_t kTargetMask = 0x0000FF00;

// Pairs outside the standard range that makers use for diagnostics: body, brakes, battery.
struct Pair {
  uint32_t request;
  uint32_t answer;
};
constexpr Pair kPairs[] = {
    {0x7B0, 0x7B8},
    {0x7C0, 0x7C8},
    {0x79B, 0x7BB},
};

bool IsPhysical(uint32_t id, bool is_extended) {
  if (is_extended) return (id & ~kTargetMask) == kExtendedPhysical;
  if (id >= kFirstPhysical && id <= kLastPhysical) return true;
  for (const Pair& pair : kPairs) {
    if (pair.request == id) return true;
  }
  return false;
}

Verdict Exactly(size_t length, size_t wanted) { return length == wanted ? Verdict::kAllowed : Verdict::kLength; }

// ReadDTCInformation, ISO 14229-1: the length of each sub-function's request, 0 = refused. Bit 7 (suppress the positive
// response) is refused with the rest: a question that wants no answer is none.
size_t DtcRequestLength(uint8_t sub_function) {
  switch (sub_function) {
    case 0x01: return 3;  // number of DTCs by status mask
    case 0x02: return 3;  // DTCs by status mask
    case 0x03: return 2;  // identification of snapshots
    case 0x04: return 6;  // snapshot record of a DTC
    case 0x06: return 6;  // extended data record of a DTC
    case 0x07: return 4;  // number of DTCs by severity mask
    case 0x08: return 4;  // DTCs by severity mask
    case 0x09: return 5;  // severity of a DTC
    case 0x0A: return 2;  // supported DTCs
    case 0x0B: return 2;  // first test failed DTC
    case 0x0C: return 2;  // first confirmed DTC
    case 0x0D: return 2;  // most recent test failed DTC
    case 0x0E: return 2;  // most recent confirmed DTC
    case 0x14: return 2;  // fault detection counters
    case 0x15: return 2;  // permanent DTCs
    default: return 0;
  }
}

// ReadDataByIdentifier: the identification options of ISO 14229-1, annex C. No maker's own identifier.
bool IsListedDataIdentifier(uint32_t did) {
  switch (did) {
    case 0xF187:  // spare part number
    case 0xF188:  // ECU software number
    case 0xF189:  // ECU software version
    case 0xF18A:  // system supplier
    case 0xF18B:  // manufacturing date
    case 0xF18C:  // serial number
    case 0xF190:  // VIN
    case 0xF191:  // ECU hardware number
    case 0xF192:  // supplier's hardware number
    case 0xF193:  // … hardware version
    case 0xF194:  // … software number
    case 0xF195:  // … software version
    case 0xF197:  // name of the system or engine type
      return true;
    default:
      return false;
  }
}

}  // namespace

bool IsFunctional(uint32_t id, bool is_extended) { return id == (is_extended ? kExtendedFunctional : kFunctional); }

uint32_t AnswerId(uint32_t id, bool is_extended) {
  if (is_extended) return 0x18DAF100 | (id & kTargetMask) >> 8;
  for (const Pair& pair : kPairs) {
    if (pair.request == id) return pair.answer;
  }
  return id + 8;
}

Verdict CheckRequest(uint32_t id, bool is_extended, const uint8_t* data, size_t length) {
  if (!IsFunctional(id, is_extended) && !IsPhysical(id, is_extended)) return Verdict::kIdentifier;
  if (length == 0) return Verdict::kLength;
  switch (data[0]) {
    case 0x01: return Exactly(length, 2);  // current data: PID
    case 0x02: return Exactly(length, 3);  // freeze frame: PID, frame
    case 0x03: return Exactly(length, 1);  // confirmed DTCs
    case 0x07: return Exactly(length, 1);  // pending DTCs
    case 0x09: return Exactly(length, 2);  // vehicle information: type
    case 0x0A: return Exactly(length, 1);  // permanent DTCs
    case 0x19: {
      if (length < 2) return Verdict::kLength;
      const size_t wanted = DtcRequestLength(data[1]);
      return wanted == 0 ? Verdict::kSubFunction : Exactly(length, wanted);
    }
    case 0x22: {
      if (length != 3) return Verdict::kLength;
      const uint32_t did = uint32_t{data[1]} << 8 | data[2];
      return IsListedDataIdentifier(did) ? Verdict::kAllowed : Verdict::kDataIdentifier;
    }
    default: return Verdict::kService;
  }
}

}  // namespace obd_tx
