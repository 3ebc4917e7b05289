#pragma once
#include <cstdint>

namespace can_rx {

struct IdFilter {
  uint32_t id;    // with flag bits, as in struct can_filter
  uint32_t mask;
};

// How a CAN socket is set up. A stand-in (socketpair) takes none of it.
struct SocketOptions {
  bool fd_frames = true;
  uint32_t error_mask = 0;
  int receive_buffer_bytes = 1 << 20;
  const IdFilter* filters = nullptr;
  uint32_t filter_count = 0;  // 0 = everything
};

// What the socket was really given: the kernel may grant less than was asked for.
struct SocketFacts {
  int receive_buffer_bytes = 0;
  bool has_fd_frames = false;
  bool has_timestamps = false;
  bool is_bound = false;
};

// Descriptors of CAN sockets live from this number on, where the sandbox denies every way to write to them;
// low numbers would collide with the descriptors of child processes, which inherit the filter.
constexpr int kReservedDescriptor = 900;

// Opens a CAN_RAW socket that only ever receives and binds it. Returns a descriptor ≥ 900 or −errno. An interface that
// is not there yet is no failure: the socket stays unbound (and silent) until RebindCanSocket, because once the sandbox
// is on no other CAN socket can be opened.
int OpenCanSocket(const char* interface, const SocketOptions& options, SocketFacts* facts);

// Binds again after the interface was deleted and made anew, and sets the filters again: the kernel clears the
// filter list with the old interface and says nothing, and the socket would then receive nothing for ever.
// Returns 0 or −errno.
int RebindCanSocket(int fd, const char* interface, const SocketOptions& options);

}  // namespace can_rx
