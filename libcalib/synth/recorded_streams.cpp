#include "libcalib/synth/recorded_streams.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tactelier::synth {
namespace {

constexpr double kMicro = 1e-6;  // s, N
constexpr double kNano = 1e-9;   // N m
constexpr double kStage_mm = 1e-5;
constexpr double kThousandth = 1e-3;

std::int64_t whole(double value, double unit) { return std::llround(value / unit); }

ColumnInfo time_column(std::string name) { return {std::move(name), "us", 1.0}; }

/// Columns of one stream, row by row: its time, values, and with a clock of its own the host's time
/// of arrival.
class Columns {
 public:
  Columns(std::size_t rows, std::size_t values, bool own) : own_(own) {
    chunk_.columns.resize(1 + (own ? 1 : 0) + values);
    for (auto& column : chunk_.columns) column.mantissas.reserve(rows);
  }
  void begin_row(const pad::Stamp& stamp) {
    chunk_.columns[0].mantissas.push_back(whole(own_ ? stamp.device_s : stamp.true_s, kMicro));
    if (own_) chunk_.columns.back().mantissas.push_back(whole(stamp.host_s, kMicro));
    next_ = 1;
  }
  void add(std::int64_t value) { chunk_.columns[next_++].mantissas.push_back(value); }
  StreamChunk take() { return std::move(chunk_); }

 private:
  StreamChunk chunk_;
  bool own_;
  std::size_t next_ = 0;
};

}  // namespace

RecordedStreams::RecordedStreams(int tactels, bool own_clocks, bool rounded, bool temperature)
    : tactels_(static_cast<std::size_t>(tactels)),
      own_clocks_(own_clocks),
      rounded_(rounded),
      temperature_(temperature) {}

std::vector<StreamInfo> RecordedStreams::infos() const {
  const auto t = time_column("t");
  const auto t_host = time_column("t_host");
  StreamInfo force{StreamKind::kForce, {t}};
  for (const auto* name : {"Fx", "Fy", "Fz"}) force.columns.push_back({name, "N", kMicro});
  for (const auto* name : {"Tx", "Ty", "Tz"}) force.columns.push_back({name, "N*m", kNano});
  if (own_clocks_) force.columns.push_back(t_host);
  StreamInfo stage{StreamKind::kStage, {t}};
  for (const auto* name : {"x", "y", "z"}) stage.columns.push_back({name, "mm", kStage_mm});
  StreamInfo tactile{StreamKind::kTactile, {t}};
  for (std::size_t i = 0; i < tactels_; ++i)
    tactile.columns.push_back({fmt::format("{}", i), "", rounded_ ? 1.0 : kThousandth});
  if (own_clocks_) tactile.columns.push_back(t_host);
  std::vector<StreamInfo> infos{force, stage, tactile};
  if (temperature_) {
    infos.push_back({StreamKind::kAux, {t, {"temperature", "degC", kThousandth}}});
  }
  return infos;
}

StreamChunk RecordedStreams::force_chunk(const pad::PadOutput& output) const {
  Columns columns(output.force.size(), 6, own_clocks_);
  for (const auto& sample : output.force) {
    columns.begin_row(sample.stamp);
    for (std::size_t i = 0; i < 6; ++i)
      columns.add(whole(sample.wrench[i], i < 3 ? kMicro : kNano));
  }
  return columns.take();
}

StreamChunk RecordedStreams::stage_chunk(const pad::PadOutput& output) const {
  Columns columns(output.stage.size(), 3, false);
  for (const auto& sample : output.stage) {
    columns.begin_row(sample.stamp);
    for (const double at_m : sample.position_m) columns.add(whole(at_m * 1e3, kStage_mm));
  }
  return columns.take();
}

StreamChunk RecordedStreams::tactile_chunk(const pad::PadOutput& output) const {
  Columns columns(output.frames.size(), tactels_, own_clocks_);
  for (std::size_t frame = 0; frame < output.frames.size(); ++frame) {
    columns.begin_row(output.frames[frame]);
    for (std::size_t i = 0; i < tactels_; ++i)
      columns.add(whole(output.counts[frame * tactels_ + i], rounded_ ? 1.0 : kThousandth));
  }
  return columns.take();
}

StreamChunk RecordedStreams::aux_chunk(const pad::PadOutput& output) const {
  Columns columns(output.temperature.size(), 1, false);
  for (const auto& sample : output.temperature) {
    columns.begin_row(sample.stamp);
    columns.add(whole(sample.temperature_degC, kThousandth));
  }
  return columns.take();
}

Result<void> RecordedStreams::write(const pad::PadOutput& output, SessionWriter& writer) const {
  const auto put = [&](bool any, StreamKind kind, auto chunk) -> Result<void> {
    return any ? writer.append(kind, (this->*chunk)(output)) : Result<void>{};
  };
  if (auto ok = put(!output.force.empty(), StreamKind::kForce, &RecordedStreams::force_chunk); !ok)
    return ok;
  if (auto ok = put(!output.stage.empty(), StreamKind::kStage, &RecordedStreams::stage_chunk); !ok)
    return ok;
  if (auto ok = put(!output.frames.empty(), StreamKind::kTactile, &RecordedStreams::tactile_chunk);
      !ok)
    return ok;
  return put(!output.temperature.empty() && temperature_, StreamKind::kAux,
             &RecordedStreams::aux_chunk);
}

}  // namespace tactelier::synth
