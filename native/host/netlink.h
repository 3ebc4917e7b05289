#pragma once
#include <cstddef>
#include <cstdint>

namespace host {

// A NETLINK_ROUTE socket that also hears link changes. What is asked and what is answered is built and read in
// TypeScript (daemon/sources/can/link-message.ts), so that recorded answers test it. Returns a descriptor or −errno.
int OpenLinkSocket();

// Sends one request. The kernel refuses anything but questions without CAP_NET_ADMIN, which the service lacks; this
// also refuses it before: only RTM_GETLINK leaves. Returns 0 or errno.
int RequestLinks(int fd, const uint8_t* request, size_t size);

// Takes one datagram without waiting. Returns its size, 0 when there is none, or −errno (−ENOBUFS: some were lost).
long ReceiveLinks(int fd, uint8_t* to, size_t size);

}  // namespace host
