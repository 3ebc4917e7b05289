#pragma once
#include <napi.h>
#include <uv.h>

namespace host {

// new TickTimer(periodUs, callback, delayUs = periodUs): calls callback(expirations, lateUs) on the event loop for each expiry of a timerfd,
// the first after delayUs. The deadlines are absolute, so a late tick shifts nothing; `expirations` > 1 means that ticks were missed: the
// caller takes one step and counts the rest, never a burst.
class TickTimer : public Napi::ObjectWrap<TickTimer> {
 public:
  static Napi::Function Define(Napi::Env env);
  explicit TickTimer(const Napi::CallbackInfo& info);
  ~TickTimer() override;

 private:
  static void OnReadable(uv_poll_t* poll, int status, int events);
  Napi::Value Stop(const Napi::CallbackInfo& info);
  void Close();

  int fd_ = -1;
  uint64_t first_ns_ = 0, period_ns_ = 0, expired_ = 0;
  uv_poll_t* poll_ = nullptr;
  Napi::FunctionReference callback_;
  Napi::AsyncContext context_;
};

}  // namespace host
