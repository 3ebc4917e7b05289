// The guard alone, without Node and without a socket: reads cases of 16 bytes from stdin (id, is_extended, length, up to
// 8 bytes of request, 2 unused) and writes a verdict byte for each. The mutation test compiles it with changed guards.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "obd_tx/guard.h"

int main() {
  std::vector<uint8_t> cases(65536 * 16);
  std::vector<uint8_t> verdicts;
  for (size_t size; (size = std::fread(cases.data(), 16, 65536, stdin)) > 0;) {
    verdicts.clear();
    for (size_t i = 0; i < size; i++) {
      const uint8_t* at = cases.data() + i * 16;
      uint32_t id;
      std::memcpy(&id, at, 4);
      verdicts.push_back(static_cast<uint8_t>(obd_tx::CheckRequest(id, at[4] != 0, at + 6, at[5])));
    }
    if (std::fwrite(verdicts.data(), 1, size, stdout) != size) return 1;
  }
  return 0;
}
