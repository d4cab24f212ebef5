#pragma once
// The devices of a rig at full load, emulated on this computer's wires in a thread of their own.

#include <sys/resource.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "devices/emulator/emulator_host.hpp"
#include "devices/emulator/framed_emulator.hpp"
#include "devices/emulator/grbl_emulator.hpp"
#include "devices/emulator/netft_emulator.hpp"
#include "devices/link/real_time_thread.hpp"
#include "devices/registry/device_file.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::devices {

constexpr double kBenchFrames_hz = 300;
constexpr std::string_view kBenchBoard =
    R"({"format": "tactelier/device", "version": 1, "name": "board",
  "source": "made up", "port": {"baud": 1000000}, "dialogue": {"start": "'S'", "stop": "'s'"},
  "frame": {"kind": "sync_fixed", "sync": "55 AA", "length": 182},
  "sequence": {"offset": 2, "type": "u32"}, "time": {"offset": 6, "type": "u32", "unit_s": 1e-6},
  "cells": {"rows": 14, "columns": 6, "offset": 10, "type": "u16"},
  "check": {"kind": "crc32", "at": -4}})";

inline double cpu_s(int who) {
  rusage use{};
  ::getrusage(who, &use);
  return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

struct FullLoadRig {
  NetFtBox box;
  DeviceDescription device = parse_device_description(kBenchBoard, "board").value();
  EmulatorHost host;
  NetFtEmulator rdt;
  NetFtWebEmulator web{box};
  FramedEmulator board{device,
                       {kBenchFrames_hz, 0, 0, 0},
                       [](std::int64_t) { return std::vector<double>(84, 7); },
                       host.now_ns()};
  GrblEmulator grbl{GrblBoard{}, host.now_ns()};
  double cpu_of_emulators_s = 0;
  std::jthread server;

  FullLoadRig(int force_rate_hz, WrenchSource wrench)
      : box{force_rate_hz}, rdt{box, std::move(wrench), host.now_ns()} {}

  /// Begins to serve. `stage` stands before the controller on its wire, or is it.
  Result<DeviceFile> start(const std::filesystem::path& folder, Emulator& stage,
                           bool stage_by_tcp = false) {
    const auto udp = host.add_udp(rdt).value(), tcp = host.add_tcp(web).value();
    const auto pty = host.add_pty(board).value();
    const auto stage_url = stage_by_tcp ? host.add_tcp(stage).value() : host.add_pty(stage).value();
    server = std::jthread([this](const std::stop_token& stop) {
      make_real_time(5);  // hardware does not wait for this computer
      host.run(stop);
      cpu_of_emulators_s = cpu_s(RUSAGE_THREAD);
    });
    if (auto put = write_text_file(folder / "board.json", kBenchBoard); !put)
      return fail(put.error());
    const nlohmann::json file{
        {"format", "tactelier/devices"},
        {"version", 1},
        {"stage", {{"driver", "grbl"}, {"url", stage_url}}},
        {"force", {{"driver", "net-ft"}, {"url", udp}, {"http", "http://" + tcp.substr(4)}}},
        {"tactile",
         {{"driver", "framed"},
          {"url", pty},
          {"device", (folder / "board.json").string()},
          {"sensor", "weiss-wts0614"}}}};
    return parse_device_file(file.dump(), "devices");
  }
};

}  // namespace tactelier::devices
