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

constexpr uint32_t kDeny = SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA);

constexpr uint32_t Low(unsigned argument) {
  return static_cast<uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(uint64_t));  // little-endian low word
}

// Appends: if this system call has an argument ≥ limit (as unsigned), deny.
void DenyFrom(std::vector<sock_filter>* filter, uint32_t number, unsigned argument, uint32_t limit) {
  filter->push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  filter->push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3));
  filter->push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, Low(argument)));
  filter->push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, limit, 0, 1));
  filter->push_back(BPF_STMT(BPF_RET | BPF_K, kDeny));
}

// Appends: deny this system call when an argument equals a value.
void DenyValue(std::vector<sock_filter>* filter, uint32_t number, unsigned argument, uint32_t value) {
  filter->push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  filter->push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3));
  filter->push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, Low(argument)));
  filter->push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
  filter->push_back(BPF_STMT(BPF_RET | BPF_K, kDeny));
}

void DenyAlways(std::vector<sock_filter>* filter, uint32_t number) {
  filter->push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  filter->push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
  filter->push_back(BPF_STMT(BPF_RET | BPF_K, kDeny));
}

}  // namespace

int DenyWritesFrom(int first_descriptor) {
  const uint32_t limit = static_cast<uint32_t>(first_descriptor);
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, kDeny),  // another ABI would have other numbers
#if defined(__x86_64__)
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),  // x32 numbers
      BPF_STMT(BPF_RET | BPF_K, kDeny),
#endif
  };
  for (const uint32_t number : {SYS_write, SYS_writev, SYS_pwrite64, SYS_pwritev, SYS_pwritev2, SYS_sendto, SYS_sendmsg,
                                SYS_sendmmsg, SYS_sendfile, SYS_dup, SYS_dup3}) {
    DenyFrom(&filter, number, 0, limit);
  }
#if defined(SYS_dup2)
  DenyFrom(&filter, SYS_dup2, 0, limit);
#endif
  DenyFrom(&filter, SYS_splice, 2, limit);
  DenyFrom(&filter, SYS_tee, 1, limit);
  DenyFrom(&filter, SYS_vmsplice, 0, limit);
  DenyFrom(&filter, SYS_fcntl, 0, limit);  // F_DUPFD
  DenyFrom(&filter, SYS_pidfd_getfd, 1, limit);
  DenyValue(&filter, SYS_socket, 0, AF_CAN);
  DenyValue(&filter, SYS_socketpair, 0, AF_CAN);
  DenyAlways(&filter, SYS_io_uring_setup);
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));

  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  // TSYNC: every thread that runs already, those of V8 and libuv among them. LOG: the kernel's audit log tells of what
  // was denied, where it is set to (kernel.seccomp.actions_logged).
  const unsigned flags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_LOG;
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) != 0) return errno;
  return 0;
}

}  // namespace host
