#pragma once

namespace host {

// From here on no thread of this process can write to a descriptor ≥ `first_descriptor`, duplicate one below it,
// open a new CAN socket, or set up io_uring (which would go around the filter). Reading goes on. A descriptor
// handed over in a message (SCM_RIGHTS) is beyond this filter: it cannot look into messages. Irrevocable;
// children inherit it. Returns 0 or errno.
int DenyWritesFrom(int first_descriptor);

}  // namespace host
