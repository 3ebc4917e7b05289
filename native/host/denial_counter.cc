#include "host/denial_counter.h"

#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "host/sandbox.h"

namespace host {
namespace {

// Is this thread one of ours? Notifications name a thread; the threads of this process are in /proc/self/task.
bool IsOwnThread(uint32_t tid) {
  return syscall(SYS_tgkill, getpid(), static_cast<pid_t>(tid), 0) == 0;
}

void Append(std::string* text, const std::atomic<uint32_t>* counts, unsigned size) {
  std::vector<std::pair<std::string, uint32_t>> named;
  for (unsigned number = 0; number < size; number++) {
    const uint32_t count = counts[number].load(std::memory_order_relaxed);
    if (count > 0) named.emplace_back(NameOfDenied(number), count);
  }
  std::sort(named.begin(), named.end());
  for (size_t i = 0; i < named.size(); i++) {
    if (i > 0) *text += ", ";
    *text += named[i].first + " " + std::to_string(named[i].second);
  }
}

}  // namespace

DenialCounter* DenialCounter::Start(int listener) {
  // Never freed: the kernel asks as long as the process lives.
  auto* counter = new DenialCounter(listener);
  std::thread([counter] { counter->Run(); }).detach();
  return counter;
}

void DenialCounter::Run() {
  // The kernel's structures may be longer than those of the headers this was built with.
  seccomp_notif_sizes sizes = {};
  if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0) return;
  std::vector<char> question(std::max<size_t>(sizes.seccomp_notif, sizeof(seccomp_notif)));
  std::vector<char> answer(std::max<size_t>(sizes.seccomp_notif_resp, sizeof(seccomp_notif_resp)));
  for (;;) {
    std::fill(question.begin(), question.end(), 0);
    auto* asked = reinterpret_cast<seccomp_notif*>(question.data());
    if (ioctl(listener_, SECCOMP_IOCTL_NOTIF_RECV, asked) != 0) {
      // ENOENT: the caller was killed while it waited.
      if (errno == EINTR || errno == ENOENT) continue;
      return;
    }
    const unsigned number = std::min<unsigned>(static_cast<unsigned>(asked->data.nr), kNumbers - 1);
    (IsOwnThread(asked->pid) ? own_ : children_)[number].fetch_add(1, std::memory_order_relaxed);
    total_.fetch_add(1, std::memory_order_release);
    std::fill(answer.begin(), answer.end(), 0);
    auto* said = reinterpret_cast<seccomp_notif_resp*>(answer.data());
    said->id = asked->id;
    said->error = -EPERM;
    ioctl(listener_, SECCOMP_IOCTL_NOTIF_SEND, said);
  }
}

std::string DenialCounter::Describe() const {
  std::string own, children;
  Append(&own, own_, kNumbers);
  Append(&children, children_, kNumbers);
  if (children.empty()) return own;
  return (own.empty() ? "" : own + "; ") + "of child processes: " + children;
}

}  // namespace host
