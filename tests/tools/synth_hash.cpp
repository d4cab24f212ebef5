// Prints the content hash of one simulated recording per preset, and before it a hash over every
// bit of the pad's samples before they are rounded: `synth_hash FOLDER`. What a seed gives must not
// depend on how the program was compiled (tests/tools/same_recordings).

#include <fmt/core.h>

#include <bit>
#include <cstdint>
#include <filesystem>

#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/session/session.hpp"
#include "libcalib/synth/synth.hpp"

namespace {

using namespace tactelier;

// Every kind of motion and of contact.
constexpr const char* kProtocol = R"({"format": "tactelier/protocol", "version": 1, "name": "all",
  "indenter": {"shape": "cylinder", "diameter_mm": 1}, "steps": [
  {"do": "zero", "time_s": 1},
  {"do": "plate", "force_N": 5, "speed_mm_s": 0.1},
  {"do": "scan", "tactels": [38, 45], "speed_mm_s": 1, "until": {"saturated": true, "force_N": 3}},
  {"do": "hold", "sites": [[1.5, -2]], "force_N": 1, "ramp_s": 0.5, "time_s": 2},
  {"do": "chirp", "sites": ["centre"], "preload_mm": 0.4, "amplitude_mm": 0.02, "from_hz": 0.5,
   "to_hz": 5, "time_s": 3},
  {"do": "area", "force_N": [2], "dwell_s": 1},
  {"do": "weights", "masses_g": [100], "area_mm2": 400},
  {"do": "prompt", "text": "ball", "indenter": {"shape": "sphere", "diameter_mm": 10}},
  {"do": "slide", "load_N": [1], "speeds_mm_s": [4], "length_mm": 6, "directions_deg": [30, 210]},
  {"do": "preslide", "load_N": [1], "amplitude_mm": [0.02], "frequencies_hz": [2], "time_s": 2}]})";

/// FNV-1a over the bits of all samples of a ramp and a slide.
Result<std::uint64_t> bits_of(const pad::PadTruth& truth, const pad::Effects& effects) {
  auto pad = pad::Pad::create(truth, effects, {}, 7);
  if (!pad) return fail(pad.error());
  pad::PadOutput output;
  for (int i = 1; i <= 4000; ++i) {
    const double t_s = 1e-3 * i;
    pad->advance(1e-3, {2e-3 * t_s, 1e-3 * t_s, 0.5e-3 - 0.4e-3 * t_s}, output);
  }
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&](double x) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3U;
  };
  for (const auto& sample : output.force)
    for (const double x : sample.wrench) add(x);
  for (const auto& sample : output.stage)
    for (const double x : sample.position_m) add(x);
  for (const double x : output.counts) add(x);
  return hash;
}

Result<std::string> hash_of(std::string_view preset, const std::filesystem::path& file) {
  const auto sensor = load_sensor("weiss-wts0614");
  if (!sensor) return fail(sensor.error());
  auto truth = pad::draw_truth(*sensor, 7, {true, true, true, true, true, false});
  if (!truth) return fail(truth.error());
  const auto effects = pad::preset(preset);
  if (!effects) return fail(effects.error());
  auto exact = *effects;
  exact.reading.quantised = false;
  const auto bits = bits_of(*truth, exact);
  if (!bits) return fail(bits.error());
  auto protocol = parse_protocol(kProtocol, "all.json");
  if (!protocol) return fail(protocol.error());
  const auto bench = synth::SimulatedBench::create(
      {std::move(*truth), *effects, std::string(preset), {}, std::move(*protocol), {}, 7});
  if (!bench) return fail(bench.error());
  std::filesystem::remove(file);
  if (const auto report = bench->record(file, {}); !report) return fail(report.error());
  const auto session = Session::open(file);
  if (!session) return fail(session.error());
  const auto hash = session->content_hash();
  if (!hash) return fail(hash.error());
  return fmt::format("{:016x} {}", *bits, *hash);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: synth_hash FOLDER\n");
    return 2;
  }
  for (const auto* preset : {"clean", "lab"}) {
    const auto file = std::filesystem::path(argv[1]) / (std::string(preset) + ".tact");
    const auto hash = hash_of(preset, file);
    if (!hash) {
      fmt::print(stderr, "{}\n", hash.error().message);
      return 1;
    }
    fmt::print("{} {}\n", preset, *hash);
  }
  return 0;
}
