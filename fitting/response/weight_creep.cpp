#include "fitting/response/weight_creep.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "fitting/recording/press_data.hpp"
#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kLongest_s = 300;      // that is looked at before a press beside the weight
constexpr double kFrom_s = 1;           // after laying on: before, hands shake it
constexpr double kMinRest_s = 8;        // under the weight
constexpr double kLaid = 0.8;           // of the readings in the end: from there on it lies still
constexpr double kOff = 0.5;            // below: the weight before is off
constexpr double kEnd_s = 1;            // of the rest, that says what was raised
constexpr double kRaised = 10;          // sigma above rest
constexpr double kBelowCeiling = 0.98;  // of the range
constexpr double kBeside = 2.9;         // pitches from the tip: not pressed with it
constexpr double kNear = 2.2;           // pitches from an earlier press: bore a part of it
constexpr double kMostHidden = 0.02;    // of the creep, by what was pressed before
constexpr double kMostBorne = 0.5;      // of the creep, by the weights before
constexpr std::size_t kMinTactels = 5;
constexpr std::size_t kMinRows = 50;
constexpr double kClear = 3;          // standard uncertainties
constexpr double kSystematic = 0.05;  // relative: dead zones, loads before
constexpr double kMedian = 1.2533;    // standard error of a median over that of a mean

/// What one tactel showed under one weight, and with how much it began.
struct Shown {
  double creep = 0;
  double level = 0;    // counts above the dead zone's beginning, before creep
  bool rested = true;  // nothing that the tip pressed before shows in it
};

/// One weight on the array.
struct Lying {
  double on_s = 0, off_s = 0;  // off: as far as the next one shows it
  std::map<int, Shown> tactels;
};

double pitch_m(const SensorDescription& sensor, int tactel) {
  const auto& array = sensor.array_of(tactel);
  return std::min(array.pitch_x_m, array.pitch_y_m);
}

double away_m(const SensorDescription& sensor, int tactel, const Press& press) {
  const auto centre = sensor.position_m(tactel);
  if (press.x_m && press.y_m) return std::hypot(centre[0] - *press.x_m, centre[1] - *press.y_m);
  if (!press.tactel) return 0;
  const auto at = sensor.position_m(*press.tactel);
  return std::hypot(centre[0] - at[0], centre[1] - at[1]);
}

class WeightsOfSession {
 public:
  WeightsOfSession(const FitContext& context, std::size_t session)
      : context_(context), session_(session), sensor_(context.model.sensor) {}

  Result<std::vector<Lying>> find() {
    const auto& presses = context_.sessions[session_].presses;
    for (std::size_t p = 0; p < presses.size(); ++p) {
      if (context_.job.stopped()) return Job::cancelled();
      if (presses[p].outcome != "preloaded" || presses[p].excluded) continue;
      if (const auto looked = look_before(p); !looked) return fail(looked.error());
    }
    return std::move(found_);
  }

 private:
  /// At the readings between the press before and this one, which is beside a weight.
  Result<void> look_before(std::size_t p) {
    const auto& press = context_.sessions[session_].presses[p];
    double begin_s = press.begin_s - kLongest_s;
    for (const auto& other : context_.sessions[session_].presses)
      if (other.end_s < press.begin_s) begin_s = std::max(begin_s, other.end_s);
    std::vector<int> tactels(static_cast<std::size_t>(sensor_.tactels()));
    std::iota(tactels.begin(), tactels.end(), 0);
    const auto readings = load_readings(context_, session_, tactels, {begin_s, press.begin_s});
    if (!readings && readings.error().code == ErrorCode::kUnidentifiable) return {};
    if (!readings) return fail(readings.error());
    std::vector<int> raised;
    for (const int tactel : tactels)
      if (raised_by_weight(*readings, tactel, press)) raised.push_back(tactel);
    if (raised.size() < kMinTactels) return {};
    const auto mean = mean_of(*readings, raised);
    const double last = level_at_end(readings->time_s, mean);
    std::size_t row = mean.size();
    while (row > 0 && mean[row - 1] >= kLaid * last) --row;
    if (row == 0 || row == mean.size()) return {};  // it lay there already
    end_the_one_before(*readings, mean, last);
    Lying lying{readings->time_s[row], press.begin_s, {}};
    if (press.begin_s - lying.on_s < kMinRest_s) return {};
    const bool replaces = borne_before(lying);
    for (const int tactel : raised)
      if (auto shown = shown_by(*readings, tactel, lying)) {
        shown->rested = !replaces && !pressed_before(tactel, lying);
        lying.tactels[tactel] = *shown;
      }
    found_.push_back(std::move(lying));
    return {};
  }

  const std::vector<double>& counts(const Readings& readings, int tactel) const {
    return readings.counts[static_cast<std::size_t>(tactel)];
  }

  double level_at_end(const std::vector<double>& time_s, const std::vector<double>& counts) const {
    double sum = 0, n = 0;
    for (std::size_t i = counts.size(); i-- > 0 && time_s[i] > time_s.back() - kEnd_s;)
      if (!std::isnan(counts[i])) {
        sum += counts[i];
        ++n;
      }
    return n > 0 ? sum / n : 0;
  }

  bool raised_by_weight(const Readings& readings, int tactel, const Press& press) const {
    const auto& response = context_.model.response.tactels[static_cast<std::size_t>(tactel)];
    if (!response.press_gain.identified() || !response.press_threshold.value ||
        !response.offset.value || !response.noise.value || readings.time_s.empty())
      return false;
    if (away_m(sensor_, tactel, press) < kBeside * pitch_m(sensor_, tactel)) return false;
    const double above =
        level_at_end(readings.time_s, counts(readings, tactel)) - *response.offset.value;
    const double range = response.saturation.value.value_or(HUGE_VAL) - *response.offset.value;
    return above > kRaised * *response.noise.value && above < kBelowCeiling * range;
  }

  std::vector<double> mean_of(const Readings& readings, const std::vector<int>& tactels) const {
    std::vector<double> mean(readings.time_s.size(), 0.0);
    for (const int tactel : tactels) {
      const auto& response = context_.model.response.tactels[static_cast<std::size_t>(tactel)];
      for (std::size_t i = 0; i < mean.size(); ++i) {
        const double reading = counts(readings, tactel)[i] - *response.offset.value;
        if (!std::isnan(reading)) mean[i] += reading / static_cast<double>(tactels.size());
      }
    }
    return mean;
  }

  void end_the_one_before(const Readings& readings, const std::vector<double>& mean, double last) {
    if (found_.empty()) return;
    std::size_t row = 0;
    while (row < mean.size() && mean[row] > kOff * last) ++row;
    if (row < mean.size()) found_.back().off_s = readings.time_s[row];
  }

  /// Whether what the tip pressed before still shows on the tactel.
  bool pressed_before(int tactel, const Lying& lying) const {
    std::vector<EarlierLoad> earlier;
    for (const auto& press : context_.sessions[session_].presses) {
      if (press.end_s > lying.on_s) continue;
      const bool all = press.indenter && press.indenter->shape == IndenterShape::kPlate;
      if (all || away_m(sensor_, tactel, press) < kNear * pitch_m(sensor_, tactel))
        earlier.push_back({press.end_s - press.begin_s, lying.on_s - press.end_s});
    }
    return creep_hidden(earlier, kFrom_s, lying.off_s - lying.on_s) > kMostHidden;
  }

  /// Whether a weight before took most of the creep: of one that takes the place of another little
  /// shows, and how heavy that was on each tactel is known too badly to take off what it left.
  bool borne_before(const Lying& lying) const {
    std::vector<EarlierLoad> earlier;
    for (const auto& before : found_)
      earlier.push_back({before.off_s - before.on_s, lying.on_s - before.off_s});
    return creep_hidden(earlier, kFrom_s, lying.off_s - lying.on_s) > kMostBorne;
  }

  /// Decades of creep t after laying on, the weights before counted by how heavy they were here.
  double decades(int tactel, const Lying& lying, double since_s, double level) const {
    double sum = std::log10(1 + since_s);
    for (const auto& before : found_) {
      const auto it = before.tactels.find(tactel);
      if (it == before.tactels.end()) continue;
      const double on_s = lying.on_s - before.on_s, off_s = lying.on_s - before.off_s;
      sum += it->second.level / level *
             (std::log10(1 + since_s + on_s) - std::log10(1 + since_s + off_s));
    }
    return sum;
  }

  std::optional<Shown> shown_by(const Readings& readings, int tactel, const Lying& lying) const {
    const auto& response = context_.model.response.tactels[static_cast<std::size_t>(tactel)];
    const double dead_zone = *response.press_threshold.value / *response.press_gain.value;
    const double level = level_at_end(readings.time_s, counts(readings, tactel)) -
                         *response.offset.value + dead_zone;
    std::vector<double> x, y;
    for (std::size_t i = 0; i < readings.time_s.size(); ++i) {
      const double since_s = readings.time_s[i] - lying.on_s;
      const double reading = counts(readings, tactel)[i];
      if (since_s < kFrom_s || std::isnan(reading)) continue;
      x.push_back(decades(tactel, lying, since_s, level));
      y.push_back(reading - *response.offset.value + dead_zone);
    }
    if (x.size() < kMinRows) return {};
    const auto line = fit_line(x, y);
    if (!line || !(line->intercept > 0)) return {};
    return Shown{line->slope / line->intercept, line->intercept};
  }

  const FitContext& context_;
  std::size_t session_;
  const SensorDescription& sensor_;
  std::vector<Lying> found_;
};

/// Median of its tactels, with what their scatter leaves of it.
std::optional<Estimate> creep_of(const Lying& lying) {
  std::vector<double> all;
  for (const auto& [tactel, shown] : lying.tactels)
    if (shown.rested) all.push_back(shown.creep);
  if (all.size() < kMinTactels) return {};
  const auto n = static_cast<double>(all.size());
  return Estimate{median(all), kMedian * mad_sigma(all) / std::sqrt(n), n - 1};
}

}  // namespace

Result<std::optional<ReadingCreep>> creep_under_weights(const FitContext& context) {
  std::vector<double> values;
  double noise2 = 0;
  std::map<int, std::vector<double>> of_tactel;
  std::vector<LaidWeight> laid;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto& session = *context.sessions[s].session;
    if (!session.stream(StreamKind::kTactile)) continue;
    const auto weights = WeightsOfSession(context, s).find();
    if (!weights) return fail(weights.error(), session.file().filename().string());
    for (const auto& lying : *weights) {
      laid.push_back({s, lying.on_s});
      const auto creep = creep_of(lying);
      if (!creep) continue;
      values.push_back(creep->value);
      noise2 += creep->std * creep->std;
      for (const auto& [tactel, shown] : lying.tactels)
        if (shown.rested) of_tactel[tactel].push_back(shown.creep);
    }
  }
  if (values.empty()) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const auto mean = press_spread(values);
  ReadingCreep creep;
  creep.per_decade = mean.value;
  creep.weights = std::move(laid);
  creep.u_per_decade = std::hypot(std::max(std::sqrt(noise2) / n, n > 1 ? mean.std : 0.0),
                                  kSystematic * creep.per_decade);
  if (!(std::abs(creep.per_decade) > kClear * creep.u_per_decade)) return std::nullopt;
  std::vector<double> off;
  for (const auto& [tactel, own] : of_tactel)
    for (const double each : own) off.push_back(each - creep.per_decade);
  const double scatter = mad_sigma(off);
  for (const auto& [tactel, own] : of_tactel) {
    const auto m = static_cast<double>(own.size());
    creep.of_tactel[tactel] = {std::accumulate(own.begin(), own.end(), 0.0) / m,
                               std::hypot(scatter / std::sqrt(m), creep.u_per_decade)};
  }
  return creep;
}

}  // namespace tactelier
