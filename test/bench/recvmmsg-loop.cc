// The bare loop that reception is measured against: one CAN_RAW socket, recvmmsg of 64 datagrams with the same
// timestamps and drop counter as can_rx asks for, nothing done with the frames. Arguments: interface, frames.
// Prints "ready" when its socket is open, begins on a line of standard input, prints seconds and processor seconds.
#include <linux/can.h>
#include <linux/can/raw.h>
#include <linux/net_tstamp.h>
#include <net/if.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

double Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

double Processor() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const long wanted = std::atol(argv[2]);
  const int fd = socket(PF_CAN, SOCK_RAW | SOCK_NONBLOCK, CAN_RAW);
  const int on = 1, stamps = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
  setsockopt(fd, SOL_CAN_RAW, CAN_RAW_FD_FRAMES, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof stamps);
  setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
  sockaddr_can address = {};
  address.can_family = AF_CAN;
  address.can_ifindex = static_cast<int>(if_nametoindex(argv[1]));
  if (fd < 0 || bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return 1;
  std::puts("ready");
  std::fflush(stdout);
  char line[16];
  if (!std::fgets(line, sizeof line, stdin)) return 1;

  constexpr unsigned kBatch = 64;
  static char data[kBatch][128], control[kBatch][128];
  static iovec parts[kBatch];
  static mmsghdr messages[kBatch];
  const double began = Now(), used = Processor();
  long frames = 0;
  while (frames < wanted) {
    for (unsigned i = 0; i < kBatch; i++) {
      parts[i] = {data[i], sizeof data[i]};
      messages[i] = {};
      messages[i].msg_hdr.msg_iov = &parts[i];
      messages[i].msg_hdr.msg_iovlen = 1;
      messages[i].msg_hdr.msg_control = control[i];
      messages[i].msg_hdr.msg_controllen = sizeof control[i];
    }
    const int count = recvmmsg(fd, messages, kBatch, MSG_DONTWAIT, nullptr);
    if (count > 0) frames += count;
    else if (Now() - began > 20) break;
  }
  std::printf("{\"frames\":%ld,\"seconds\":%.6f,\"cpu\":%.6f}\n", frames, Now() - began, Processor() - used);
  return 0;
}
