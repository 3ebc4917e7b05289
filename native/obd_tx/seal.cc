#include "obd_tx/seal.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "obd_tx/isotp_socket.h"

namespace obd_tx {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "64-bit x86 and Arm only"
#endif

constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA);

struct Call {
  uint32_t number;
  unsigned argument;  // which one is the descriptor
};

// Every call that puts bytes into a descriptor or makes a second name for one, but sendto.
constexpr Call kCalls[] = {
    {SYS_write, 0},    {SYS_writev, 0},   {SYS_pwrite64, 0}, {SYS_pwritev, 0},    {SYS_pwritev2, 0},
    {SYS_sendmsg, 0},  {SYS_sendmmsg, 0}, {SYS_sendfile, 0}, {SYS_splice, 2},     {SYS_tee, 1},
    {SYS_vmsplice, 0}, {SYS_dup, 0},      {SYS_dup3, 0},     {SYS_pidfd_getfd, 1}, {SYS_fcntl, 0},
#if defined(SYS_dup2)
    {SYS_dup2, 0},
#endif
};

}  // namespace

int Seal() {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, kRefuse),  // another ABI would have other numbers
#if defined(__x86_64__)
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),  // x32 numbers
      BPF_STMT(BPF_RET | BPF_K, kRefuse),
#endif
  };
  for (const Call& call : kCalls) {
    const uint32_t low = static_cast<uint32_t>(offsetof(seccomp_data, args) + call.argument * sizeof(uint64_t));
    filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call.number, 0, 3));
    filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, low));  // little-endian low word
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, static_cast<uint32_t>(kFirstDescriptor), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, kRefuse));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  const long failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return failed == 0 ? 0 : failed > 0 ? EBUSY : errno;  // > 0: the thread that could not be brought along
}

}  // namespace obd_tx
