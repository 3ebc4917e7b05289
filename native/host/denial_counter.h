#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace host {

// Answers each denied system call with EPERM, and counts it by name: on a thread of its own, because the caller stands
// still until the answer. It never lets a call go on: there is no code here that could.
class DenialCounter {
 public:
  // Starts the thread; it lives as long as the process, as the filter does.
  static DenialCounter* Start(int listener);

  uint32_t total() const { return total_.load(std::memory_order_acquire); }

  // "socket 2, write 1; of child processes: socket 1": for records and people.
  std::string Describe() const;

 private:
  static constexpr unsigned kNumbers = 512;  // system call numbers of 64-bit ABIs lie below
  explicit DenialCounter(int listener) : listener_(listener) {}
  void Run();

  const int listener_;
  std::atomic<uint32_t> total_{0};
  std::atomic<uint32_t> own_[kNumbers]{};
  std::atomic<uint32_t> children_[kNumbers]{};
};

}  // namespace host
