#include "tests/app/support/session_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tactelier::test {
namespace {

constexpr double kAir_s = 1.0;
constexpr double kRamp_s = 4.0;
constexpr double kPress_s = 2 * kAir_s + 2 * kRamp_s;
constexpr double kContact_mm = 1.0;  // travel from the start of a press to first touch

/// Sum of twelve uniforms less six: near enough to normal, and the same on every platform.
double normal(std::mt19937_64& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random() >> 11) * 0x1.0p-53;
  return sum;
}

/// Travel below the start height over the time of one press: a triangle between stretches of air.
double travel_mm(double t_s, double peak_mm) {
  const double top_mm = kContact_mm + peak_mm;
  const double up = (t_s - kAir_s) / kRamp_s;
  return top_mm * std::clamp(std::min(up, 2 - up), 0.0, 1.0);
}

struct Writer {
  const PlainSession& session;
  std::mt19937_64 random;

  double depth_mm(const PlainPress& press, double t_s) const {
    const double peak_mm = press.peak_N / session.pad.stiffness_N_per_mm;
    return std::max(0.0, travel_mm(t_s, peak_mm) - kContact_mm);
  }
  double force_N(const PlainPress& press, double t_s) const {
    return session.pad.stiffness_N_per_mm * depth_mm(press, t_s);
  }
  double counts(const PlainPress& press, double t_s) {
    const auto& pad = session.pad;
    double value = std::max(0.0, force_N(press, t_s) - pad.trigger_N) * pad.counts_per_N;
    const bool noisy = value > 0 || pad.offset_counts != 0;
    value =
        pad.offset_counts + value * press.gain_factor + pad.count_noise * normal(random) * noisy;
    return std::round(std::clamp(value, 0.0, pad.saturation_counts));
  }

  double at_rest() {
    const auto& pad = session.pad;
    return pad.offset_counts == 0
               ? 0.0
               : std::round(pad.offset_counts + pad.count_noise * normal(random));
  }

  template <class Row>
  std::string table(std::string header, double rate_hz, Row row) {
    std::string text = header + "\n";
    for (std::size_t p = 0; p < session.presses.size(); ++p) {
      const auto rows = static_cast<int>(std::lround(kPress_s * rate_hz));
      for (int i = 0; i < rows; ++i) {
        const double t_s = i / rate_hz;
        text += fmt::format("{:.3f},{}\n", static_cast<double>(p) * kPress_s + t_s,
                            row(session.presses[p], t_s));
      }
    }
    return text;
  }

  std::string force_table() {
    return table("t[s],Fz[N]", 200, [&](const PlainPress& press, double t_s) {
      return fmt::format("{:.6f}",
                         force_N(press, t_s) + session.pad.force_noise_N * normal(random));
    });
  }
  std::string stage_table() {
    return table("t[s],x[mm],y[mm],z[mm]", 100, [&](const PlainPress& press, double t_s) {
      const double peak_mm = press.peak_N / session.pad.stiffness_N_per_mm;
      return fmt::format("0.000,0.000,{:.5f}", kContact_mm - travel_mm(t_s, peak_mm));
    });
  }
  std::string tactile_table(int tactels) {
    std::string header = "t[s]";
    for (int i = 0; i < tactels; ++i) header += fmt::format(",{}", i);
    return table(header, 100, [&](const PlainPress& press, double t_s) {
      std::string cells;
      for (int i = 0; i < tactels; ++i)
        cells += fmt::format("{}{:.0f}", i == 0 ? "" : ",",
                             i == press.tactel ? counts(press, t_s) : at_rest());
      return cells;
    });
  }
  std::string event_table() const {
    std::string text = "t[s],event,data\n";
    for (std::size_t p = 0; p < session.presses.size(); ++p) {
      const auto& press = session.presses[p];
      const double begin_s = static_cast<double>(p) * kPress_s;
      const int row = press.tactel / session.columns;
      const int column = press.tactel % session.columns;
      text += fmt::format(
          "{:.3f},press_begin,\"{{\"\"press\"\": {}, \"\"tactel\"\": {}, \"\"x_mm\"\": {:.2f}, "
          "\"\"y_mm\"\": {:.2f}, \"\"kind\"\": \"\"ramp\"\"}}\"\n",
          begin_s, press.number, press.tactel, (column - (session.columns - 1) / 2.0) * 3.4,
          (row - (session.rows - 1) / 2.0) * 3.4);
      text +=
          fmt::format("{:.3f},press_end,\"{{\"\"press\"\": {}, \"\"outcome\"\": \"\"ok\"\"}}\"\n",
                      begin_s + kPress_s - 0.01, press.number);
    }
    for (const auto& line : session.extra_events) text += line + "\n";
    return text;
  }
};

}  // namespace

void PlainSession::write(const TestFolder& folder, const std::string& name) const {
  const auto sensor =
      sensor_json.empty()
          ? fmt::format(R"({{"rows": {}, "columns": {}, "pitch_x_mm": 3.4, "pitch_y_mm": 3.4,
                          "adc": {{"bits": 12, "min": 0, "max": 4095}}}})",
                        rows, columns)
          : sensor_json;
  folder.write(name + "/session.json",
               fmt::format(R"({{"format": "tactelier/session", "version": 1, {}
 "created": "{}",
 "sensor": {},
 "indenter": {{"id": "pin", "shape": "cylinder", "diameter_mm": {:.3f}}},
 "force_sensor": {{"model": "ATI Nano17", "calibration": "SI-25-0.25", "press_axis": "z"}}}})",
                           extra_json, created, sensor, pin_mm));
  Writer writer{*this, std::mt19937_64(seed)};
  folder.write(name + "/events.csv", writer.event_table());
  if (presses.empty()) return;
  folder.write(name + "/force.csv", writer.force_table());
  folder.write(name + "/stage.csv", writer.stage_table());
  folder.write(name + "/tactile.csv", writer.tactile_table(rows * columns));
}

}  // namespace tactelier::test
