"""Sends the frames it is told on stdin, a line each (identifier flags hex-data; flags: e = 29 bits, r = remote,
x = error frame), and
answers each with the errno of sending, 0 where it went out. Tries for a while: queues empty, interfaces come back."""
import errno
import socket
import struct
import sys
import time


def connect(name):
    bus = socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)
    bus.bind((name,))
    return bus


def main(name):
    bus = None
    for line in sys.stdin:
        identifier, flags, data = (line.rstrip("\n").split(" ") + ["", ""])[:3]
        payload = bytes.fromhex(data)
        word = int(identifier) | (0x80000000 if "e" in flags else 0) | (0x40000000 if "r" in flags else 0)
        word |= 0x20000000 if "x" in flags else 0
        frame = struct.pack("=IB3x8s", word, len(payload), payload)
        result = errno.ENOBUFS
        for _ in range(200):
            try:
                bus = bus or connect(name)
                bus.send(frame)
                result = 0
                break
            except OSError as error:
                result = error.errno
                if result != errno.ENOBUFS:
                    bus = None  # the interface is gone or was made anew: bind again
                time.sleep(0.001)
        print(result, flush=True)


main(sys.argv[1])
