#include "can_rx/receiver.h"

#include <fcntl.h>
#include <linux/errqueue.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "can_rx/frame_parser.h"

namespace can_rx {
namespace {

constexpr unsigned kBatch = 64;
constexpr unsigned kBatchesPerTurn = 64;
constexpr size_t kDatagram = 128;  // more than canfd_frame, so that an oversized datagram shows as one
constexpr uint64_t kIdleNs = 500'000'000;      // heartbeat while the bus is silent
constexpr uint64_t kFailureNs = 20'000'000;    // an interface that is down reports at once, again and again

uint64_t ToNs(const timespec& t) { return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec); }

timespec ToTimespec(uint64_t ns) { return {static_cast<time_t>(ns / 1'000'000'000u), static_cast<long>(ns % 1'000'000'000u)}; }

// Read with the table's lock held, and the monotonic clock last: a preemption between the two then makes frames older
// than they are, never newer than their reception.
Moment Now() {
  timespec real, mono;
  clock_gettime(CLOCK_REALTIME, &real);
  clock_gettime(CLOCK_MONOTONIC, &mono);
  return {ToNs(real), ToNs(mono)};
}

struct Arrival {
  uint64_t time_ns = 0;
  uint8_t time_source = 0;
  bool has_overflow = false;
  uint32_t overflow = 0;
};

Arrival ReadControl(msghdr* header) {
  Arrival arrival;
  for (cmsghdr* c = CMSG_FIRSTHDR(header); c != nullptr; c = CMSG_NXTHDR(header, c)) {
    if (c->cmsg_level != SOL_SOCKET) continue;
    if (c->cmsg_type == SCM_TIMESTAMPING) {
      scm_timestamping stamps;
      std::memcpy(&stamps, CMSG_DATA(c), sizeof stamps);
      // Index 0: kernel software stamp, realtime. Index 2: raw hardware stamp, the controller's own clock.
      // The kernel's stamp is what maps to our clocks; the hardware's presence is reported beside it.
      if (stamps.ts[0].tv_sec || stamps.ts[0].tv_nsec) arrival.time_ns = ToNs(stamps.ts[0]), arrival.time_source = 1;
      if (stamps.ts[2].tv_sec || stamps.ts[2].tv_nsec) {
        if (arrival.time_ns == 0) arrival.time_ns = ToNs(stamps.ts[2]);
        arrival.time_source = 2;
      }
    } else if (c->cmsg_type == SO_RXQ_OVFL) {
      arrival.has_overflow = true;
      std::memcpy(&arrival.overflow, CMSG_DATA(c), sizeof arrival.overflow);
    }
  }
  return arrival;
}

}  // namespace

int Receiver::Start() {
  if (is_running_) return 0;
  if (pipe2(stop_pipe_, O_CLOEXEC) != 0) return errno;
  // Signals belong to the main thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failed = pthread_create(&thread_, nullptr, Main, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failed != 0) {
    close(stop_pipe_[0]);
    close(stop_pipe_[1]);
    return failed;
  }
  is_running_ = true;
  return 0;
}

void Receiver::Stop() {
  if (!is_running_) return;
  close(stop_pipe_[1]);
  pthread_join(thread_, nullptr);
  close(stop_pipe_[0]);
  is_running_ = false;
}

void* Receiver::Main(void* self) {
  static_cast<Receiver*>(self)->Loop();
  return nullptr;
}

void Receiver::Loop() {
  for (;;) {
    counters_.heartbeat.fetch_add(1, std::memory_order_relaxed);
    pollfd wait[2] = {{fd_, POLLIN, 0}, {stop_pipe_[0], 0, 0}};
    const timespec idle = ToTimespec(kIdleNs);
    const int ready = ppoll(wait, 2, &idle, nullptr);
    if (wait[1].revents) return;
    if (ready <= 0) continue;
    if (wait[0].revents & POLLNVAL) return;  // the descriptor was closed under us: nothing will ever come
    if (collect_ns_ > 0 && !has_backlog_ && !(wait[0].revents & POLLERR) && !Pause(collect_ns_)) return;
    const bool is_over = (wait[0].revents & POLLHUP) && !(wait[0].revents & POLLIN);
    if (is_over || !Drain()) {
      if (!Pause(kFailureNs)) return;
    }
  }
}

bool Receiver::Pause(uint64_t ns) {
  pollfd stop = {stop_pipe_[0], 0, 0};
  const timespec length = ToTimespec(ns);
  return ppoll(&stop, 1, &length, nullptr) == 0 || !stop.revents;
}

bool Receiver::Drain() {
  uint8_t data[kBatch][kDatagram];
  alignas(cmsghdr) uint8_t control[kBatch][128];
  iovec parts[kBatch];
  mmsghdr messages[kBatch];
  has_backlog_ = false;
  // Bounded, so that a bus that never pauses cannot keep the thread from being stopped.
  for (unsigned turn = 0; turn < kBatchesPerTurn; turn++) {
    for (unsigned i = 0; i < kBatch; i++) {
      parts[i] = {data[i], kDatagram};
      messages[i] = {};
      messages[i].msg_hdr.msg_iov = &parts[i];
      messages[i].msg_hdr.msg_iovlen = 1;
      messages[i].msg_hdr.msg_control = control[i];
      messages[i].msg_hdr.msg_controllen = sizeof control[i];
    }
    const int count = recvmmsg(fd_, messages, kBatch, MSG_DONTWAIT, nullptr);
    if (count < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return true;
      counters_.failures.fetch_add(1, std::memory_order_relaxed);
      counters_.last_errno.store(static_cast<uint32_t>(errno), std::memory_order_relaxed);
      return false;
    }
    if (count == 0) return true;
    counters_.batches.fetch_add(1, std::memory_order_relaxed);
    counters_.last_errno.store(0, std::memory_order_relaxed);
    Moment moment = {};
    if (table_) {
      table_->Lock();
      moment = Now();
    }
    for (int i = 0; i < count; i++) {
      const Arrival arrival = ReadControl(&messages[i].msg_hdr);
      if (arrival.has_overflow && arrival.overflow != last_overflow_) {
        // The kernel's counter is modulo 2^32, and so is the difference.
        counters_.kernel_drops.fetch_add(arrival.overflow - last_overflow_, std::memory_order_relaxed);
        last_overflow_ = arrival.overflow;
      }
      const bool is_cut = messages[i].msg_hdr.msg_flags & MSG_TRUNC;
      TakeDatagram(data[i], is_cut ? kDatagram : messages[i].msg_len, arrival.time_ns, arrival.time_source, moment);
    }
    if (table_) table_->Unlock();
    if (count < static_cast<int>(kBatch)) return true;
    // A pair of sockets whose other end is closed gives empty datagrams for ever.
    if (messages[kBatch - 1].msg_len == 0) return false;
  }
  has_backlog_ = true;
  return true;
}

void Receiver::TakeDatagram(const uint8_t* data, size_t size, uint64_t time_ns, uint8_t time_source,
                            const Moment& moment) {
  FrameSlot slot;
  if (ParseFrame(data, size, &slot) != ParseResult::kFrame) {
    counters_.malformed.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (time_ns == 0) {
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time_ns = ToNs(now);
  }
  slot.time_ns = time_ns;
  slot.drive_us = 0;
  slot.bus = bus_;
  counters_.frames.fetch_add(1, std::memory_order_relaxed);
  counters_.last_frame_ns.store(time_ns, std::memory_order_relaxed);
  counters_.time_sources.fetch_or(1u << time_source, std::memory_order_relaxed);
  if (slot.flags & kError) counters_.error_frames.fetch_add(1, std::memory_order_relaxed);
  else if (slot.flags & kRemote) counters_.remote_frames.fetch_add(1, std::memory_order_relaxed);
  const bool is_kept = table_ ? table_->Receive(&slot, moment) : !ring_.is_attached() || ring_.Push(slot);
  if (!is_kept) counters_.ring_drops.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace can_rx
