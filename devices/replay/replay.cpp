#include "devices/replay/replay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tactelier::devices {
namespace {

constexpr std::array<const char*, 6> kWrench{"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
constexpr double kN_per_count = 1e-6;
constexpr double kNm_per_count = 1e-8;  // up to 21 N*m
constexpr std::uint32_t kMissing = 1;
constexpr double kDefaultRate_hz = 1000;

std::vector<std::string> force_columns() {
  std::vector<std::string> names(kWrench.begin(), kWrench.end());
  names.insert(names.end(), {"seq", "status"});
  return names;
}

class ReplayForce final : public ForceSensor {
 public:
  explicit ReplayForce(std::shared_ptr<ReplayShared> shared)
      : stream_(shared, StreamKind::kForce, force_columns()),
        rate_hz_(shared->session.stream(StreamKind::kForce)->rate_hz().value_or(kDefaultRate_hz)) {
    for (std::size_t axis = 0; axis < 6; ++axis) {
      axes_[axis] = stream_.find(kWrench[axis]);
      if (axes_[axis]) scale_.SI_per_count[axis] = axis < 3 ? kN_per_count : kNm_per_count;
    }
  }

  Result<void> start() override { return stream_.start(), Result<void>{}; }
  Result<void> stop() override { return {}; }
  Result<void> read(std::vector<ForceSample>& into, Timeout timeout) override {
    rows_.clear();
    auto got = stream_.read(rows_, timeout);
    if (!got && got.error().code == ErrorCode::kTimeout) ++counters_.timeouts;
    for (const auto& row : rows_) into.push_back(sample_of(row));
    counters_.received += static_cast<std::int64_t>(rows_.size());
    return got;
  }
  const ForceScale& scale() const override { return scale_; }
  double rate_hz() const override { return rate_hz_; }
  const StreamCounters& counters() const override { return counters_; }
  std::string describe_status(std::uint32_t status) const override {
    return status == kMissing ? "missing in the recording" : fmt::format("0x{:08x}", status);
  }

 private:
  ForceSample sample_of(const ReplayStream::Row& row) {
    ForceSample sample;
    sample.host_time_ns = row.host_time_ns;
    const auto value = [&](const char* name) -> std::optional<double> {
      const auto column = stream_.find(name);
      if (!column || !std::isfinite(row.values[*column])) return std::nullopt;
      return row.values[*column];
    };
    sample.record = static_cast<std::int64_t>(value("seq").value_or(double(++records_)));
    sample.tick = std::llround(row.time_s * 1e9);
    sample.status =
        static_cast<std::uint32_t>(std::clamp(value("status").value_or(0), 0.0, 4294967295.0));
    constexpr double kMost = std::numeric_limits<std::int32_t>::max();
    for (std::size_t axis = 0; axis < 6; ++axis) {
      if (!axes_[axis]) continue;
      const double counts = row.values[*axes_[axis]] / scale_.SI_per_count[axis];
      if (std::isfinite(counts) && std::abs(counts) <= kMost) {
        sample.counts[axis] = static_cast<std::int32_t>(std::lround(counts));
      } else {
        sample.status = kMissing;
        sample.valid = false;
      }
    }
    return sample;
  }

  ReplayStream stream_;
  double rate_hz_;
  ForceScale scale_;
  std::array<std::optional<std::size_t>, 6> axes_;
  StreamCounters counters_;
  std::vector<ReplayStream::Row> rows_;
  std::int64_t records_ = 0;
};

std::vector<std::string> tactel_columns(const StreamInfo& info) {
  std::vector<std::string> names;
  for (const auto& column : info.columns)
    if (column.name != "t" && column.name != "t_host" && column.name != "seq")
      names.push_back(column.name);
  return names;
}

class ReplayTactile final : public TactileArray {
 public:
  explicit ReplayTactile(std::shared_ptr<ReplayShared> shared)
      : stream_(shared, StreamKind::kTactile,
                tactel_columns(shared->session.stream(StreamKind::kTactile)->info)) {
    const auto readings =
        static_cast<int>(tactel_columns(shared->session.stream(StreamKind::kTactile)->info).size());
    const auto& sensor = shared->session.metadata().sensor;
    shape_ = {1, readings, 1, 1e-9};
    if (sensor.arrays.size() == 1 && sensor.tactels() * sensor.channels == readings)
      shape_ = {sensor.arrays[0].rows, sensor.arrays[0].columns, sensor.channels, 1e-9};
  }

  Result<void> start() override { return stream_.start(), Result<void>{}; }
  Result<void> stop() override { return {}; }
  /// Readings that the recording lacks are NaN.
  Result<void> read(std::vector<TactileFrame>& into, Timeout timeout) override {
    rows_.clear();
    auto got = stream_.read(rows_, timeout);
    if (!got && got.error().code == ErrorCode::kTimeout) ++counters_.timeouts;
    for (auto& row : rows_)
      into.push_back(
          {row.host_time_ns, std::llround(row.time_s * 1e9), std::nullopt, std::move(row.values)});
    counters_.received += static_cast<std::int64_t>(rows_.size());
    return got;
  }
  const TactileShape& shape() const override { return shape_; }
  const StreamCounters& counters() const override { return counters_; }

 private:
  ReplayStream stream_;
  TactileShape shape_;
  StreamCounters counters_;
  std::vector<ReplayStream::Row> rows_;
};

class ReplayStage final : public MotionStage {
 public:
  explicit ReplayStage(std::shared_ptr<ReplayShared> shared)
      : stream_(std::move(shared), StreamKind::kStage, {"x", "y", "z"}) {}

  Result<void> home() override { return refuse(); }
  Result<void> move_to(const StagePosition&, double) override { return refuse(); }
  Result<void> jog(const StagePosition&, double) override { return refuse(); }
  Result<void> stop_jog() override { return {}; }
  Result<void> poll(std::vector<StageSample>& into, Timeout timeout) override {
    rows_.clear();
    auto got = stream_.read(rows_, timeout);
    for (const auto& row : rows_) into.push_back(sample_of(row));
    if (!got && got.error().code == ErrorCode::kTimeout) return {};
    return got;
  }
  Result<void> wait_until_idle(Timeout) override { return {}; }
  Result<void> stop() override { return {}; }
  Result<void> abort() override { return {}; }
  void unlock() override {}
  Result<void> hold_now() override { return {}; }
  Result<void> reset_now() override { return {}; }
  bool position_trusted() const override { return true; }
  std::string position_doubt() const override { return ""; }
  const StageTravel& travel() const override { return travel_; }

 private:
  static tl::unexpected<Error> refuse() {
    return fail(ErrorCode::kUsage, "a replayed stage moves as it did then, not otherwise");
  }
  StageSample sample_of(const ReplayStream::Row& row) {
    constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};
    StageSample sample{row.host_time_ns, last_m_, StageState::kRun, true};
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (const auto column = stream_.find(kAxes[axis]);
          column && std::isfinite(row.values[*column]))
        sample.position_m[axis] = row.values[*column];
    if (sample.position_m == last_m_) sample.state = StageState::kIdle;
    last_m_ = sample.position_m;
    return sample;
  }

  ReplayStream stream_;
  StageTravel travel_;
  StagePosition last_m_{};
  std::vector<ReplayStream::Row> rows_;
};

/// First arrival of a stream: its first t_host, else its begin.
Result<double> first_arrival(const Session& session, const StreamSummary& summary) {
  const bool own = session.metadata().clock(summary.info.kind) == Clock::kOwn;
  if (summary.info.find("t_host") < 0) {
    if (own)
      return fail(ErrorCode::kInvalidInput,
                  "{}: the stream '{}' is on a clock of its own and has no t_host: nobody knows "
                  "when its samples arrived",
                  session.file().string(), to_string(summary.info.kind));
    return summary.begin_s;
  }
  const std::vector<std::string> columns{"t_host"};
  return session
      .read(summary.info.kind, columns, {summary.begin_s, std::nextafter(summary.begin_s, 1e300)})
      .map([&](const Samples& first) {
        const bool there = first.rows() > 0 && std::isfinite(first.columns[0][0]);
        return there ? first.columns[0][0] : summary.begin_s;
      });
}

}  // namespace

Result<Replay> Replay::open(const std::filesystem::path& file, HostClock& clock, double speed) {
  if (!(speed > 0) || !std::isfinite(speed))
    return fail(ErrorCode::kUsage, "replay speed {}: more than 0 expected", speed);
  auto session = Session::open(file);
  if (!session) return fail(session.error());
  double begin_s = std::numeric_limits<double>::infinity();
  for (const auto& summary : session->streams()) {
    if (summary.rows == 0 || summary.info.kind == StreamKind::kAux) continue;
    const auto first_s = first_arrival(*session, summary);
    if (!first_s) return fail(first_s.error());
    begin_s = std::min(begin_s, *first_s);
  }
  if (!std::isfinite(begin_s))
    return fail(ErrorCode::kInvalidInput, "{}: nothing is recorded in it", file.string());
  return Replay(std::make_shared<ReplayShared>(
      ReplayShared{std::move(*session), clock, speed, begin_s, std::nullopt}));
}

namespace {

template <class Device, class Interface>
Result<std::unique_ptr<Interface>> device_of(const std::shared_ptr<ReplayShared>& shared,
                                             StreamKind kind) {
  const auto* summary = shared->session.stream(kind);
  if (summary == nullptr || summary->rows == 0)
    return fail(ErrorCode::kInvalidInput, "{}: no {} stream is recorded in it",
                shared->session.file().string(), to_string(kind));
  return std::make_unique<Device>(shared);
}

}  // namespace

Result<std::unique_ptr<ForceSensor>> Replay::force() const {
  return device_of<ReplayForce, ForceSensor>(shared_, StreamKind::kForce);
}

Result<std::unique_ptr<TactileArray>> Replay::tactile() const {
  return device_of<ReplayTactile, TactileArray>(shared_, StreamKind::kTactile);
}

Result<std::unique_ptr<MotionStage>> Replay::stage() const {
  return device_of<ReplayStage, MotionStage>(shared_, StreamKind::kStage);
}

}  // namespace tactelier::devices
