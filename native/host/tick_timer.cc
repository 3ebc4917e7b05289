#include "host/tick_timer.h"

#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace host {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

uint64_t MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kSecond + static_cast<uint64_t>(now.tv_nsec);
}

timespec ToTimespec(uint64_t ns) { return {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)}; }

}  // namespace

Napi::Function TickTimer::Define(Napi::Env env) {
  return DefineClass(env, "TickTimer", {InstanceMethod("stop", &TickTimer::Stop)});
}

TickTimer::TickTimer(const Napi::CallbackInfo& info) : Napi::ObjectWrap<TickTimer>(info), context_(info.Env(), "TickTimer") {
  const double period_us = info[0].IsNumber() ? info[0].ToNumber().DoubleValue() : 0;
  if (!(period_us >= 1000 && period_us <= 10e6) || !info[1].IsFunction()) {
    Napi::TypeError::New(info.Env(), "a period of 1 ms to 10 s and a callback are needed").ThrowAsJavaScriptException();
    return;
  }
  callback_ = Napi::Persistent(info[1].As<Napi::Function>());
  period_ns_ = static_cast<uint64_t>(period_us * 1000);
  const double delay_us = info[2].IsNumber() ? info[2].ToNumber().DoubleValue() : period_us;
  first_ns_ = MonotonicNs() + (delay_us > 1 ? static_cast<uint64_t>(delay_us * 1000) : 1000);
  fd_ = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  const itimerspec when = {ToTimespec(period_ns_), ToTimespec(first_ns_)};
  uv_loop_t* loop = nullptr;
  if (fd_ < 0 || timerfd_settime(fd_, TFD_TIMER_ABSTIME, &when, nullptr) != 0 ||
      napi_get_uv_event_loop(info.Env(), &loop) != napi_ok) {
    Napi::Error::New(info.Env(), std::string("timerfd: ") + std::strerror(errno)).ThrowAsJavaScriptException();
    return;
  }
  poll_ = new uv_poll_t;
  uv_poll_init(loop, poll_, fd_);
  poll_->data = this;
  uv_poll_start(poll_, UV_READABLE, OnReadable);
  Ref();  // alive while the timer runs, whoever lets go of the object
}

TickTimer::~TickTimer() { Close(); }

void TickTimer::OnReadable(uv_poll_t* poll, int status, int) {
  TickTimer* self = static_cast<TickTimer*>(poll->data);
  uint64_t expirations = 0;
  if (!self || status < 0 || read(self->fd_, &expirations, sizeof expirations) != sizeof expirations) return;
  const uint64_t scheduled = self->first_ns_ + (self->expired_ + expirations - 1) * self->period_ns_;
  self->expired_ += expirations;
  const uint64_t now = MonotonicNs();
  const Napi::Env env = self->Env();
  Napi::HandleScope scope(env);
  self->callback_.MakeCallback(env.Global(),
                               {Napi::Number::New(env, static_cast<double>(expirations)),
                                Napi::Number::New(env, now > scheduled ? static_cast<double>(now - scheduled) / 1000 : 0)},
                               self->context_);
  if (env.IsExceptionPending()) napi_fatal_exception(env, env.GetAndClearPendingException().Value());
}

Napi::Value TickTimer::Stop(const Napi::CallbackInfo& info) {
  const bool was_running = poll_ != nullptr;
  Close();
  if (was_running) Unref();
  return info.Env().Undefined();
}

void TickTimer::Close() {
  if (poll_) {
    poll_->data = nullptr;
    uv_poll_stop(poll_);
    uv_close(reinterpret_cast<uv_handle_t*>(poll_), [](uv_handle_t* handle) { delete reinterpret_cast<uv_poll_t*>(handle); });
    poll_ = nullptr;
  }
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

}  // namespace host
