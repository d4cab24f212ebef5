#include "devices/bench/running_bench.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "devices/link/real_time_thread.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

using nlohmann::json;

constexpr double kStagePolls_hz = 10;
constexpr int kPriority = 5;

/// Micrometres are enough, and file-friendly.
double round_mm(double length_m) { return std::round(m_to_mm(length_m) * 1e3) * 1e-3; }

double round_um(double length_m) { return std::round(length_m * 1e9) * 1e-3; }

}  // namespace

RunningBench::~RunningBench() = default;

Result<std::unique_ptr<RunningBench>> RunningBench::start(const BenchSetup& setup, double speed,
                                                          const BenchPorts& ports) {
  std::unique_ptr<RunningBench> running(new RunningBench(setup, speed));
  auto& host = running->host_;
  auto bench = VirtualBench::create(setup, host.now_ns());
  if (!bench) return fail(bench.error());
  running->bench_ = std::move(*bench);
  auto& parts = *running->bench_;
  running->control_ = std::make_unique<BenchControl>(parts);
  running->draws_ = parts.pad().draws();
  const auto stage = host.add_pty(parts.stage());
  const auto tactile = host.add_pty(parts.tactile());
  const auto control = host.add_tcp(*running->control_);
  for (const auto* url : {&stage, &tactile, &control})
    if (!*url) return fail(url->error());
  auto& at = running->endpoints_;
  at.stage = *stage;
  at.tactile = *tactile;
  at.control = *control;
  if (auto placed = running->add_force(ports); !placed) return fail(placed.error());
  if (auto* encoder = parts.encoder()) {
    const auto url = host.add_pty(*encoder);
    if (!url) return fail(url.error());
    at.encoder = *url;
  }
  running->thread_ = std::jthread([&host](const std::stop_token& stop) {
    make_real_time(kPriority);  // hardware does not wait for this computer
    host.run(stop);
  });
  return running;
}

Result<void> RunningBench::add_force(const BenchPorts& ports) {
  if (auto* sensor = bench_->framed_force()) {
    const auto force = host_.add_pty(*sensor);
    if (!force) return fail(force.error());
    endpoints_.force = *force;
    return {};
  }
  const auto force = host_.add_udp(bench_->force(), ports.rdt);
  const auto web = host_.add_tcp(bench_->force_web(), ports.web);
  const auto command = host_.add_tcp(bench_->force_command(), ports.command);
  for (const auto* url : {&force, &web, &command})
    if (!*url) return fail(url->error());
  endpoints_.force = *force;
  endpoints_.force_web = "http://" + web->substr(4);
  endpoints_.force_command = *command;
  return {};
}

json RunningBench::force_entry() const {
  if (const auto* sensor = bench_->framed_force())
    return {{"driver", "framed-wrench"},
            {"url", endpoints_.force},
            {"device", setup_.force_device},
            {"rate_hz", sensor->rate_hz()},
            {"full_scale_N_Nm", setup_.force_ratings_SI}};
  return {{"driver", "net-ft"},
          {"url", endpoints_.force},
          {"http", endpoints_.force_web},
          {"command", endpoints_.force_command},
          {"full_scale_N_Nm", setup_.force_ratings_SI},
          {"rate_hz", setup_.force_rate_hz}};
}

json RunningBench::tactile_entry(std::string_view sensor_json) const {
  json entry{
      {"driver", setup_.array}, {"url", endpoints_.tactile}, {"sensor", json::parse(sensor_json)}};
  const double rate_hz = setup_.array_rate_hz();
  if (setup_.array == "weiss-dsa")
    entry["rate_hz"] = std::max(1, static_cast<int>(rate_hz));
  else
    entry["period_ms"] = static_cast<int>(std::ceil(1000 / rate_hz));
  return entry;
}

void RunningBench::hang(double force_N) {
  host_.post([this, force_N](std::int64_t) { bench_->pad().hang(force_N); });
}

void RunningBench::lengthen_tip(double by_m) {
  host_.post([this, by_m](std::int64_t) { bench_->lengthen_tip(by_m); });
}

void RunningBench::bump() {
  host_.post([this](std::int64_t) { bench_->pad().bump(); });
}

void RunningBench::inject(std::string device, const Fault& fault) {
  host_.post([this, device = std::move(device), fault](std::int64_t now_ns) {
    if (auto* emulator = bench_->device(device)) emulator->inject(fault, now_ns);
  });
}

std::string RunningBench::device_file(std::string_view sensor_json, double safe_z_m) const {
  const auto zero_m = setup_.controller_zero_m();
  auto gauges = json::array();
  if (!endpoints_.encoder.empty())
    gauges.push_back({{"driver", "length-gauge"},
                      {"url", endpoints_.encoder},
                      {"device", "bench-encoder"},
                      {"um_per_reading", round_um(kBenchEncoder_m)}});
  json document{
      {"format", "tactelier/devices"},
      {"version", 1},
      {"name", "virtual bench"},
      {"time_scale", speed_},
      {"stage",
       {{"driver", setup_.dialect.driver()},
        {"url", endpoints_.stage + "?baud=115200"},
        {"poll_hz", kStagePolls_hz},
        {"machine_zero_mm", {round_mm(zero_m[0]), round_mm(zero_m[1]), round_mm(zero_m[2])}},
        {"safe_z_mm", round_mm(safe_z_m)}}},
      {"force", force_entry()},
      {"tactile", tactile_entry(sensor_json)},
      {"aux", gauges},
      {"bench_control", endpoints_.control}};
  if (setup_.dialect.kind == StageDialect::Kind::kZaber) {
    auto& step_um = document["stage"]["um_per_step"] = json::array();
    for (const double step_m : setup_.zaber_step_m())
      step_um.push_back(std::round(step_m * 1e15) * 1e-9);
  }
  if (const auto clock = host_.clock_path(); !clock.empty()) document["bench_clock"] = clock;
  return document.dump();
}

}  // namespace tactelier::devices
