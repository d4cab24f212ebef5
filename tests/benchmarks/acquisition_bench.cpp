// What the drivers lose, and what they cost, at the full load of a rig: 7000 force samples/s by
// UDP, 300 frames/s of 84 tactels and a stage at 10 Hz over pseudo-terminals, from emulators in
// another thread. TACTELIER_BENCH_SECONDS sets how long (10 when unset); run it once on an idle
// machine and once beside "stress-ng --cpu 2". `unexplained` = sent - stored - lost must be 0.

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "devices/ati/netft.hpp"
#include "devices/emulator/emulator_host.hpp"
#include "devices/emulator/framed_emulator.hpp"
#include "devices/emulator/grbl_emulator.hpp"
#include "devices/emulator/netft_emulator.hpp"
#include "devices/stage/grbl_stage.hpp"
#include "devices/tactile/framed_array.hpp"

namespace tactelier::devices {
namespace {

constexpr std::string_view kBoard = R"({"format": "tactelier/device", "version": 1, "name": "board",
  "source": "made up", "port": {"baud": 1000000}, "dialogue": {"start": "'S'", "stop": "'s'"},
  "frame": {"kind": "sync_fixed", "sync": "55 AA", "length": 178},
  "sequence": {"offset": 2, "type": "u32"},
  "cells": {"rows": 14, "columns": 6, "offset": 6, "type": "u16"},
  "check": {"kind": "crc32", "at": -4}})";

double seconds() {
  const char* text = std::getenv("TACTELIER_BENCH_SECONDS");
  double number = 10;
  if (text != nullptr) std::from_chars(text, text + std::string_view(text).size(), number);
  return number;
}

double cpu_s() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

void full_load(benchmark::State& state) {
  for (auto unused : state) {
    (void)unused;
    NetFtBox box;
    box.rdt_rate_hz = 7000;
    const auto start_ns = steady_host_clock().now_ns();
    NetFtEmulator rdt(
        box, [](std::int64_t) { return std::array<double, 6>{}; }, start_ns);
    NetFtWebEmulator web(box);
    const auto device = parse_device_description(kBoard, "board").value();
    FramedEmulator board(
        device, {300, 0, 0, 0}, [](std::int64_t) { return std::vector<double>(84, 7); }, start_ns);
    GrblEmulator grbl(GrblBoard{}, start_ns);
    EmulatorHost host;
    const auto udp = host.add_udp(rdt).value(), tcp = host.add_tcp(web).value();
    const auto pty = host.add_pty(board).value(), stage_pty = host.add_pty(grbl).value();
    const std::jthread server([&](const std::stop_token& stop) { host.run(stop); });
    auto stage = GrblStage::open({stage_pty, 10, true, {}, 5e-3, 5e-3}, system_connector());
    auto force = NetFt::open({udp, "http://" + tcp.substr(4), {}}, system_connector());
    auto array = FramedArray::open(pty, device, system_connector());
    if (!stage || !force || !array || !(*array)->start() || !(*force)->start())
      return state.SkipWithError("a device did not start");
    const double before_s = cpu_s();
    const auto end_ns = steady_host_clock().now_ns() + static_cast<std::int64_t>(seconds() * 1e9);
    std::int64_t places = 0;
    {
      const auto until_end = [&](auto read) {
        return std::jthread([=]() mutable {
          while (steady_host_clock().now_ns() < end_ns && read()) continue;
        });
      };
      const auto force_thread = until_end([&, samples = std::vector<ForceSample>()]() mutable {
        samples.clear();
        return (*force)->read(samples, Timeout(1000)).has_value();
      });
      const auto tactile_thread = until_end([&, frames = std::vector<TactileFrame>()]() mutable {
        frames.clear();
        return (*array)->read(frames, Timeout(1000)).has_value();
      });
      const auto stage_thread = until_end([&, samples = std::vector<StageSample>()]() mutable {
        samples.clear();
        const bool good = (*stage)->poll(samples, Timeout(50)).has_value();
        places += static_cast<std::int64_t>(samples.size());
        return good;
      });
    }
    state.counters["cpu_percent"] = 100 * (cpu_s() - before_s) / seconds();
    (void)(*array)->stop();
    std::vector<TactileFrame> frames;
    while ((*array)->read(frames, Timeout(100))) continue;
    const auto& f = (*force)->counters();
    const auto& t = (*array)->counters();
    state.counters["force"] = static_cast<double>(f.received);
    state.counters["force_lost"] = static_cast<double>(f.lost);
    state.counters["force_lost_in_host"] = static_cast<double>(f.lost_in_host);
    state.counters["frames"] = static_cast<double>(t.received);
    state.counters["frames_lost"] = static_cast<double>(t.lost);
    state.counters["frames_unexplained"] =
        static_cast<double>(board.frames_sent() - t.received - t.lost);
    state.counters["stage"] = static_cast<double>(places);
  }
}

BENCHMARK(full_load)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace tactelier::devices
