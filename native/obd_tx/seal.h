#pragma once

namespace obd_tx {

// From here on no thread can write to a descriptor ≥ kFirstDescriptor except with sendto(2), which JavaScript cannot
// call on a descriptor of its choice, nor make a second name for one. 0 or errno. Irrevocable; children inherit it.
int Seal();

}  // namespace obd_tx
