{
  "variables": { "sanitize%": "" },
  "target_defaults": {
    "include_dirs": ["<!(node -p \"require('node-addon-api').include_dir\")", "native"],
    "defines": ["NAPI_VERSION=8", "NAPI_DISABLE_CPP_EXCEPTIONS", "NODE_ADDON_API_DISABLE_DEPRECATED"],
    "cflags!": ["-fno-exceptions"],
    "cflags_cc!": ["-fno-exceptions", "-std=gnu++17", "-std=gnu++20"],
    # -ffp-contract=off: a fused multiply-add on arm64 would differ from x86 in the last bit of a signal.
    "cflags_cc": [
      "-std=c++17", "-fno-exceptions", "-fno-rtti", "-fvisibility=hidden", "-ffp-contract=off",
      "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", "-Wno-cast-function-type", "-O2"
    ],
    "ldflags": ["-Wl,-z,now", "-Wl,-z,relro", "-Wl,--as-needed"],
    "conditions": [
      ["sanitize!=''", {
        "cflags_cc": ["-fsanitize=<(sanitize)", "-fno-omit-frame-pointer", "-g"],
        "ldflags": ["-fsanitize=<(sanitize)"]
      }]
    ]
  },
  "targets": [
    {
      "target_name": "can_rx",
      "sources": [
        "native/can_rx/addon.cc",
        "native/can_rx/decoder.cc",
        "native/can_rx/frame_parser.cc",
        "native/can_rx/plan_from_js.cc",
        "native/can_rx/profile_table.cc",
        "native/can_rx/receiver.cc",
        "native/can_rx/reception.cc",
        "native/can_rx/table_wrap.cc",
        "native/can_rx/transport.cc"
      ]
    },
    {
      "target_name": "host",
      "sources": [
        "native/host/addon.cc",
        "native/host/denial_counter.cc",
        "native/host/netlink.cc",
        "native/host/notify.cc",
        "native/host/sandbox.cc",
        "native/host/tick_timer.cc"
      ]
    },
    {
      # Built and loaded apart from the receive path: the one module that can send.
      "target_name": "obd_tx",
      "sources": [
        "native/obd_tx/addon.cc",
        "native/obd_tx/guard.cc",
        "native/obd_tx/isotp_socket.cc",
        "native/obd_tx/seal.cc"
      ]
    }
  ]
}
