#include "host/sandbox.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace host {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "64-bit x86 and Arm only"
#endif

constexpr uint32_t Low(unsigned argument) {
  return static_cast<uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(uint64_t));  // little-endian low word
}

// Appends: if this system call has an argument ≥ limit (as unsigned), deny.
void DenyFrom(std::vector<sock_filter>* filter, uint32_t verdict, uint32_t number, unsigned argument, uint32_t limit) {
  filter->push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  filter->push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3));
  filter->push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, Low(argument)));
  filter->push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, limit, 0, 1));
  filter->push_back(BPF_STMT(BPF_RET | BPF_K, verdict));
}

// Appends: deny this system call when an argument equals a value.
void DenyValue(std::vector<sock_filter>* filter, uint32_t verdict, uint32_t number, unsigned argument, uint32_t value) {
  filter->push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  filter->push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3));
  filter->push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, Low(argument)));
  filter->push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
  filter->push_back(BPF_STMT(BPF_RET | BPF_K, verdict));
}

void DenyAlways(std::vector<sock_filter>* filter, uint32_t verdict, uint32_t number) {
  filter->push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  filter->push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
  filter->push_back(BPF_STMT(BPF_RET | BPF_K, verdict));
}

struct Write {
  uint32_t number;
  const char* name;
  unsigned argument;  // which argument is the descriptor written to
};

// Every call that can put bytes into a descriptor, or make a second name for one.
constexpr Write kWrites[] = {
    {SYS_write, "write", 0},       {SYS_writev, "writev", 0},     {SYS_pwrite64, "pwrite64", 0}, {SYS_pwritev, "pwritev", 0},
    {SYS_pwritev2, "pwritev2", 0}, {SYS_sendto, "sendto", 0},     {SYS_sendmsg, "sendmsg", 0},   {SYS_sendmmsg, "sendmmsg", 0},
    {SYS_sendfile, "sendfile", 0}, {SYS_splice, "splice", 2},     {SYS_tee, "tee", 1},           {SYS_vmsplice, "vmsplice", 0},
    {SYS_dup, "dup", 0},           {SYS_dup3, "dup3", 0},         {SYS_fcntl, "fcntl", 0},       {SYS_pidfd_getfd, "pidfd_getfd", 1},
#if defined(SYS_dup2)
    {SYS_dup2, "dup2", 0},
#endif
};

std::vector<sock_filter> Filter(uint32_t limit, uint32_t verdict) {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, verdict),  // another ABI would have other numbers
#if defined(__x86_64__)
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),  // x32 numbers
      BPF_STMT(BPF_RET | BPF_K, verdict),
#endif
  };
  for (const Write& write : kWrites) DenyFrom(&filter, verdict, write.number, write.argument, limit);
  DenyValue(&filter, verdict, SYS_socket, 0, AF_CAN);
  DenyValue(&filter, verdict, SYS_socketpair, 0, AF_CAN);
  DenyAlways(&filter, verdict, SYS_io_uring_setup);
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return filter;
}

int Install(std::vector<sock_filter> filter, unsigned flags) {
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}

}  // namespace

const char* NameOfDenied(uint32_t number) {
  for (const Write& write : kWrites) {
    if (write.number == number) return write.name;
  }
  if (number == SYS_socket) return "socket";
  if (number == SYS_socketpair) return "socketpair";
  if (number == SYS_io_uring_setup) return "io_uring_setup";
  return "other";
}

Sandbox DenyWritesFrom(int first_descriptor) {
  const uint32_t limit = static_cast<uint32_t>(first_descriptor);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {errno, -1};
  // TSYNC: every thread that runs already, those of V8 and libuv among them.
  //
  // With a listener (Linux 5.7) the kernel holds a denied call until a supervisor has said which error it gets; ours
  // counts it and says EPERM (denial_counter.h). So attempts are known, those of child processes too, and without a
  // supervisor a call fails all the same (ENOSYS).
  constexpr unsigned kTsync = SECCOMP_FILTER_FLAG_TSYNC;
  constexpr unsigned kListen = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_TSYNC_ESRCH;
  const int listener = Install(Filter(limit, SECCOMP_RET_USER_NOTIF), kTsync | kListen);
  if (listener >= 0) return {0, listener};
  // An older kernel: denied just the same, told to the kernel's audit log only (kernel.seccomp.actions_logged).
  constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA);
  if (Install(Filter(limit, kRefuse), kTsync | SECCOMP_FILTER_FLAG_LOG) != 0) return {errno, -1};
  return {0, -1};
}

}  // namespace host
