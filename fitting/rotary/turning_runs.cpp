#include "fitting/rotary/turning_runs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kWindows = 400;  // that a recording is cut into to see its speed
constexpr double kSteady = 0.05;       // change of speed across a window, of the speed
constexpr double kSameRun = 0.1;       // difference from the run's speed so far, of that speed
constexpr double kNoises = 4;
constexpr std::size_t kLeastRows = 10;

constexpr std::string_view kTorque = "torque", kAngle = "angle", kSpeed = "angular_speed";

bool has(const StreamInfo& info, const std::string& column) { return info.find(column) >= 0; }

std::string column_of(std::string_view quantity, const std::string& joint) {
  return joint.empty() ? std::string(quantity) : fmt::format("{} {}", quantity, joint);
}

/// Rows on either side of a row that tell its speed.
std::size_t half_window(std::size_t rows) { return std::max<std::size_t>(1, rows / kWindows / 2); }

/// Speed at each row over its window; NaN at the ends.
std::vector<double> smoothed_speed(const JointRows& rows) {
  const auto n = rows.time_s.size(), half = half_window(n);
  std::vector<double> speed(n, std::nan(""));
  if (n < 2 * half + 1) return speed;
  std::vector<double> sum(n + 1, 0);
  if (rows.angle_rad.empty())
    std::partial_sum(rows.speed_rad_per_s.begin(), rows.speed_rad_per_s.end(), sum.begin() + 1);
  for (std::size_t i = half; i + half < n; ++i)
    speed[i] = rows.angle_rad.empty()
                   ? (sum[i + half + 1] - sum[i - half]) / static_cast<double>(2 * half + 1)
                   : (rows.angle_rad[i + half] - rows.angle_rad[i - half]) /
                         (rows.time_s[i + half] - rows.time_s[i - half]);
  return speed;
}

/// Of the smoothed speed, from windows side by side, where it mostly stands.
double noise_of_speed(const std::vector<double>& speed, std::size_t half) {
  std::vector<double> steps;
  for (std::size_t i = half; i + 3 * half + 1 < speed.size(); ++i)
    steps.push_back(speed[i + 2 * half + 1] - speed[i]);
  return steps.empty() ? 0 : mad_sigma(steps) / std::sqrt(2.0);
}

class RunFinder {
 public:
  explicit RunFinder(const JointRows& rows)
      : rows_(rows),
        half_(half_window(rows.time_s.size())),
        speed_(smoothed_speed(rows)),
        noise_(noise_of_speed(speed_, half_)) {}

  std::vector<TurningRun> find() {
    for (std::size_t i = 2 * half_; i + 2 * half_ < speed_.size(); ++i) {
      if (first_ < last_ && !goes_on(i)) close();
      if (!steady(i)) continue;
      if (first_ == last_) first_ = i;
      last_ = i + 1;
      sum_ += speed_[i];
    }
    close();
    return std::move(found_);
  }

 private:
  bool steady(std::size_t i) const {
    const double speed = std::abs(speed_[i]);
    return speed > kNoises * noise_ && std::abs(speed_[i + half_] - speed_[i - half_]) <=
                                           std::max(kNoises * noise_, kSteady * speed);
  }
  bool goes_on(std::size_t i) const {
    const double mean = sum_ / static_cast<double>(last_ - first_);
    return i == last_ && steady(i) &&
           std::abs(speed_[i] - mean) <= std::max(kNoises * noise_, kSameRun * std::abs(mean));
  }

  void close() {
    if (last_ >= first_ + std::max(kLeastRows, 2 * half_)) found_.push_back(run());
    first_ = last_ = 0;
    sum_ = 0;
  }

  TurningRun run() const {
    const auto mean = [&](const std::vector<double>& values) {
      return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first_),
                             values.begin() + static_cast<std::ptrdiff_t>(last_), 0.0) /
             static_cast<double>(last_ - first_);
    };
    const auto& angle = rows_.angle_rad;
    return {angle.empty() ? mean(rows_.speed_rad_per_s)
                          : (angle[last_ - 1] - angle[first_]) /
                                (rows_.time_s[last_ - 1] - rows_.time_s[first_]),
            mean(rows_.torque_Nm), last_ - first_};
  }

  const JointRows& rows_;
  std::size_t half_;
  std::vector<double> speed_;
  double noise_;
  std::size_t first_ = 0, last_ = 0;  // of the run that is open
  double sum_ = 0;
  std::vector<TurningRun> found_;
};

double deviation(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / n);
}

/// Empty where tables are few or short, or hold several speeds each.
std::vector<TurningRun> runs_of_tables(const JointRows& rows, std::span<const TimeRange> tables) {
  constexpr std::size_t kTables = 4;
  constexpr double kOneSpeed = 0.5;  // of what the tables' speeds differ by
  if (tables.size() < kTables || rows.speed_rad_per_s.empty()) return {};
  std::vector<TurningRun> runs;
  std::vector<double> speeds, within;
  for (const auto& table : tables) {
    TurningRun run;
    std::vector<double> own;
    for (std::size_t i = 0; i < rows.time_s.size(); ++i) {
      if (rows.time_s[i] < table.begin_s || rows.time_s[i] > table.end_s) continue;
      own.push_back(rows.speed_rad_per_s[i]);
      run.torque_Nm += rows.torque_Nm[i];
    }
    if (own.size() < kLeastRows) return {};
    run.rows = own.size();
    run.torque_Nm /= static_cast<double>(own.size());
    run.speed_rad_per_s =
        std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(own.size());
    speeds.push_back(run.speed_rad_per_s);
    within.push_back(deviation(own));
    runs.push_back(run);
  }
  return median(within) < kOneSpeed * deviation(speeds) ? runs : std::vector<TurningRun>{};
}

}  // namespace

std::vector<std::string> joints_of(const Session& session) {
  std::vector<std::string> joints;
  const auto* aux = session.stream(StreamKind::kAux);
  if (aux == nullptr) return joints;
  for (const auto& column : aux->info.columns) {
    if (!column.name.starts_with(kTorque)) continue;
    const auto rest = column.name.substr(kTorque.size());
    if (!rest.empty() && rest.front() != ' ') continue;
    const auto joint = rest.empty() ? rest : rest.substr(1);
    if (has(aux->info, column_of(kAngle, joint)) || has(aux->info, column_of(kSpeed, joint)))
      joints.push_back(joint);
  }
  return joints;
}

Result<JointRows> read_joint(const Session& session, const std::string& joint, const Job& job) {
  const auto& info = session.stream(StreamKind::kAux)->info;
  std::vector<std::string> columns{column_of(kTorque, joint)};
  const bool angle = has(info, column_of(kAngle, joint));
  const bool speed = has(info, column_of(kSpeed, joint));
  if (angle) columns.push_back(column_of(kAngle, joint));
  if (speed) columns.push_back(column_of(kSpeed, joint));
  const auto read = session.read(StreamKind::kAux, columns, {}, job);
  if (!read) return fail(read.error());
  JointRows rows;
  for (std::size_t i = 0; i < read->rows(); ++i) {
    if (std::any_of(read->columns.begin(), read->columns.end(),
                    [i](const auto& column) { return std::isnan(column[i]); }))
      continue;
    rows.time_s.push_back(read->time_s[i]);
    rows.torque_Nm.push_back(read->columns[0][i]);
    if (angle) rows.angle_rad.push_back(read->columns[1][i]);
    if (speed) rows.speed_rad_per_s.push_back(read->columns.back()[i]);
  }
  return rows;
}

std::vector<TurningRun> runs_of_rows(const JointRows& rows, std::span<const TimeRange> tables) {
  if (auto runs = runs_of_tables(rows, tables); !runs.empty()) return runs;
  std::vector<TurningRun> runs;
  for (std::size_t i = 0; i < rows.speed_rad_per_s.size(); ++i)
    if (rows.speed_rad_per_s[i] != 0)
      runs.push_back({rows.speed_rad_per_s[i], rows.torque_Nm[i], 1});
  return runs;
}

std::vector<TurningRun> steady_runs(const JointRows& rows) { return RunFinder(rows).find(); }

}  // namespace tactelier
