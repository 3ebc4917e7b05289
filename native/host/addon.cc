// host.node: what the daemon asks of the operating system beside CAN: the tick timer, the priority of one thread, the
// sandbox, the service manager, link states.
#include <napi.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "host/denial_counter.h"
#include "host/netlink.h"
#include "host/notify.h"
#include "host/sandbox.h"
#include "host/tick_timer.h"

namespace host {
namespace {

constexpr int kAbi = 3;

// realtimeThread(priority): SCHED_FIFO for the calling thread alone; 0 or errno. Threads made later start at normal
// priority: at equal real-time priority the collector's and compiler's threads would compete with the tick.
Napi::Value RealtimeThread(const Napi::CallbackInfo& info) {
  const sched_param parameters = {info[0].ToNumber().Int32Value()};
  const int failed = sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0 ? 0 : errno;
  return Napi::Number::New(info.Env(), failed);
}

// struct sched_attr of linux/sched/types.h in its first size; not every libc has it.
struct SchedAttr {
  uint32_t size = sizeof(SchedAttr);
  uint32_t policy = SCHED_OTHER;
  uint64_t flags = 0;
  int32_t nice = 0;
  uint32_t priority = 0;
  uint64_t runtime = 0, deadline = 0, period = 0;
};
constexpr uint64_t kResetOnFork = 1;  // SCHED_FLAG_RESET_ON_FORK

// shortSlice(us): asks for turns of this length (100 µs to 100 ms) for the calling thread alone, at its ordinary
// priority; 0 or errno. Since Linux 6.12 a thread that wakes up goes before one at work with a longer slice, instead
// of waiting for the end of that one's turn; older kernels ignore it. A real-time thread needs none and is left alone.
Napi::Value ShortSlice(const Napi::CallbackInfo& info) {
  SchedAttr attributes;
  int failed = syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) == 0 ? 0 : errno;
  if (failed == 0 && attributes.policy == SCHED_OTHER) {
    attributes.size = sizeof attributes;
    attributes.flags = kResetOnFork;  // not for threads and processes made later
    attributes.runtime = static_cast<uint64_t>(info[0].ToNumber().Int64Value()) * 1000;
    failed = syscall(SYS_sched_setattr, 0, &attributes, 0) == 0 ? 0 : errno;
  }
  return Napi::Number::New(info.Env(), failed);
}

// sliceUs(): the slice of the calling thread, µs; 0 where the kernel has none of its own for it.
Napi::Value SliceUs(const Napi::CallbackInfo& info) {
  SchedAttr attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) attributes.runtime = 0;
  return Napi::Number::New(info.Env(), static_cast<double>(attributes.runtime) / 1000);
}

Napi::Value IsRealtime(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO);
}

DenialCounter* denials = nullptr;

// denyWrites(firstDescriptor): 0 or errno. The filter is the process's; asked again it stays as it is.
Napi::Value DenyWrites(const Napi::CallbackInfo& info) {
  // A second filter would answer before the first one's supervisor hears of the call.
  if (denials != nullptr) return Napi::Number::New(info.Env(), 0);
  const Sandbox sandbox = DenyWritesFrom(info[0].ToNumber().Int32Value());
  if (sandbox.listener >= 0) denials = DenialCounter::Start(sandbox.listener);
  return Napi::Number::New(info.Env(), sandbox.error);
}

// deniedCalls(): how many so far; −1 where the kernel cannot tell.
Napi::Value DeniedCalls(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), denials == nullptr ? -1 : static_cast<double>(denials->total()));
}

Napi::Value DescribeDenied(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), denials == nullptr ? "" : denials->Describe());
}

Napi::Value Notify(const Napi::CallbackInfo& info) {
  const std::string state = info[0].ToString().Utf8Value();
  return Napi::Number::New(info.Env(), NotifyServiceManager(state.data(), state.size()));
}

// clockOffsetUs(): realtime − monotonic. The monotonic clock is read before and after, so that a preemption between
// the two readings does not pass for a step of the clock; the narrowest of three tries counts.
Napi::Value ClockOffsetUs(const Napi::CallbackInfo& info) {
  double best = 0, narrowest = 1e18;
  for (int i = 0; i < 3; i++) {
    timespec before, real, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    clock_gettime(CLOCK_REALTIME, &real);
    clock_gettime(CLOCK_MONOTONIC, &after);
    const auto us = [](const timespec& t) { return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) / 1e3; };
    const double width = us(after) - us(before);
    if (width >= narrowest) continue;
    narrowest = width;
    best = us(real) - (us(before) + us(after)) / 2;
  }
  return Napi::Number::New(info.Env(), best);
}

Napi::Value LinkSocket(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), OpenLinkSocket()); }

Napi::Value LinkRequest(const Napi::CallbackInfo& info) {
  if (!info[1].IsTypedArray()) return Napi::Number::New(info.Env(), EINVAL);
  const Napi::Uint8Array request = info[1].As<Napi::Uint8Array>();
  return Napi::Number::New(info.Env(), RequestLinks(info[0].ToNumber().Int32Value(), request.Data(), request.ByteLength()));
}

Napi::Value LinkReceive(const Napi::CallbackInfo& info) {
  if (!info[1].IsTypedArray()) return Napi::Number::New(info.Env(), -EINVAL);
  Napi::Uint8Array to = info[1].As<Napi::Uint8Array>();
  return Napi::Number::New(info.Env(), static_cast<double>(ReceiveLinks(info[0].ToNumber().Int32Value(), to.Data(), to.ByteLength())));
}

// socketPair(): two connected datagram descriptors, the stand-in for a CAN socket.
Napi::Value SocketPair(const Napi::CallbackInfo& info) {
  int pair[2];
  Napi::Array result = Napi::Array::New(info.Env(), 2);
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) pair[0] = pair[1] = -errno;
  result[0u] = Napi::Number::New(info.Env(), pair[0]);
  result[1u] = Napi::Number::New(info.Env(), pair[1]);
  return result;
}

Napi::Value CloseDescriptor(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), close(info[0].ToNumber().Int32Value()) == 0 ? 0 : errno);
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("abi", Napi::Number::New(env, kAbi));
  exports.Set("TickTimer", TickTimer::Define(env));
  exports.Set("realtimeThread", Napi::Function::New(env, RealtimeThread));
  exports.Set("shortSlice", Napi::Function::New(env, ShortSlice));
  exports.Set("sliceUs", Napi::Function::New(env, SliceUs));
  exports.Set("isRealtime", Napi::Function::New(env, IsRealtime));
  exports.Set("denyWrites", Napi::Function::New(env, DenyWrites));
  exports.Set("deniedCalls", Napi::Function::New(env, DeniedCalls));
  exports.Set("describeDenied", Napi::Function::New(env, DescribeDenied));
  exports.Set("notify", Napi::Function::New(env, Notify));
  exports.Set("clockOffsetUs", Napi::Function::New(env, ClockOffsetUs));
  exports.Set("linkSocket", Napi::Function::New(env, LinkSocket));
  exports.Set("linkRequest", Napi::Function::New(env, LinkRequest));
  exports.Set("linkReceive", Napi::Function::New(env, LinkReceive));
  exports.Set("socketPair", Napi::Function::New(env, SocketPair));
  exports.Set("closeDescriptor", Napi::Function::New(env, CloseDescriptor));
  return exports;
}

}  // namespace

NODE_API_MODULE(host, Init)

}  // namespace host
