#pragma once

#include <cstdint>

namespace host {

struct Sandbox {
  int error;     // 0 or errno
  int listener;  // where the kernel tells of denied calls; −1: it cannot
};

// From here on no thread of this process can write to a descriptor ≥ `first_descriptor`, duplicate one below it,
// open a new CAN socket, or set up io_uring (which would go around the filter). Reading goes on. A descriptor
// handed over in a message (SCM_RIGHTS) is beyond this filter: it cannot look into messages. Irrevocable;
// children inherit it.
Sandbox DenyWritesFrom(int first_descriptor);

// Name of a system call that the filter denies; "other" for calls of another ABI.
const char* NameOfDenied(uint32_t number);

}  // namespace host
