#include "fitting/friction/slide_data.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "fitting/friction/slide_air.hpp"
#include "fitting/friction/slide_force.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/step_edges.hpp"
#include "fitting/recording/stream_reader.hpp"
#include "fitting/statistics/moving_mean.hpp"
#include "fitting/statistics/white_noise.hpp"
#include "libcalib/protocol/motion.hpp"

namespace tactelier {
namespace {

constexpr double kSmooth_s = 0.02;             // of the load: bristles feel its mean, not the noise
constexpr double kEachCycle = 40;              // positions that measure an oscillation
constexpr double kSlowestStage_s = 1 / 400.0;  // a motion sampled more seldom is not "measured"
constexpr std::size_t kMinRows = 50;
constexpr double kUnknownRamp = 0.1;  // of the run, where the stage doesn't tell
constexpr double kFullSwing = 0.9;    // of the amplitude
constexpr double kFades = 5;          // cycles of a protocol's swing (protocol/motion.hpp)

/// Stage position in the sensor frame up to a constant.
struct Path {
  std::vector<double> time_s, x_m, y_m;
  double period_s = 0;
  double step_m = 0;
};

/// Greatest length of which all reported positions are multiples, to the nanometre.
double common_step_m(std::span<const double> positions_m) {
  long long step_nm = 0;
  for (const double x : positions_m)
    step_nm = std::gcd(step_nm, std::llround(1e9 * (x - positions_m[0])));
  return 1e-9 * static_cast<double>(step_nm);
}

Result<Path> load_path(const StreamReader& reader) {
  Path path;
  auto source = reader.places();
  if (!source) return fail(source.error());
  if (!source->there()) return path;
  const auto placed = reader.session.metadata().stage_to_sensor.value_or(StageToSensor{});
  const double c = std::cos(placed.rz_rad), s = std::sin(placed.rz_rad);
  path.time_s = std::move(source->samples.time_s);
  path.period_s = median_interval(path.time_s);
  for (std::size_t axis = 0; axis < 2; ++axis)
    path.step_m = std::max(
        path.step_m,
        stated_step_m(reader.session, axis).value_or(common_step_m(source->samples.columns[axis])));
  for (std::size_t i = 0; i < path.time_s.size(); ++i) {
    const double x = (placed.mirror ? -1 : 1) * source->samples.columns[0][i];
    const double y = source->samples.columns[1][i];
    path.x_m.push_back(c * x - s * y);
    path.y_m.push_back(s * x + c * y);
  }
  return path;
}

/// Direction in which the side force swings with the commanded frequency.
std::array<double, 2> swing_direction(const ForceRows& rows, double frequency_hz) {
  std::array<std::complex<double>, 2> tone{};
  for (std::size_t i = 0; i < rows.time_s.size(); ++i) {
    const auto turn = std::polar(
        1.0, -2 * std::numbers::pi * frequency_hz * (rows.time_s[i] - rows.time_s.front()));
    for (std::size_t a = 0; a < 2; ++a) tone[a] += turn * rows.force_N[a + 1][i];
  }
  Eigen::Matrix2d power;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      power(i, j) = std::real(tone[static_cast<std::size_t>(i)] *
                              std::conj(tone[static_cast<std::size_t>(j)]));
  const Eigen::Vector2d axis =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(power).eigenvectors().col(1);
  const double sign = axis[0] + 1e-9 * axis[1] < 0 ? -1 : 1;
  return {sign * axis[0], sign * axis[1]};
}

/// Half swings of a motion about its middle: out beyond half the amplitude and back again, each by
/// when it was farthest out. What the event cuts at its begin or end is none, nor is one that stays
/// below nine tenths of the amplitude (fading in or out).
struct HalfSwings {
  double amplitude_m = 0;
  std::vector<double> time_s;

  HalfSwings(const Path& path, const SlideEvent& event) {
    const auto range = [](const std::vector<double>& along) {
      const auto [least, most] = std::minmax_element(along.begin(), along.end());
      return *most - *least;
    };
    const auto& along = range(path.x_m) >= range(path.y_m) ? path.x_m : path.y_m;
    amplitude_m = range(along) / 2;
    const double middle_m = *std::ranges::min_element(along) + amplitude_m;
    int side = 0;  // beyond half the amplitude: 1 or -1
    int last = 0;
    double out_s = 0, farthest_m = 0;
    for (std::size_t i = 0; i < along.size(); ++i) {
      if (path.time_s[i] < event.begin_s || path.time_s[i] >= event.end_s) continue;
      const double off_m = along[i] - middle_m;
      const int now = std::abs(off_m) < amplitude_m / 2 ? 0 : off_m > 0 ? 1 : -1;
      if (now == side) {
        farthest_m = std::max(farthest_m, std::abs(off_m));
        continue;
      }
      if (side != 0 && out_s > event.begin_s && farthest_m > kFullSwing * amplitude_m) {
        if (side == last) time_s.pop_back();  // it dipped: one half swing, not two
        last = side;
        time_s.push_back((out_s + path.time_s[i]) / 2);
      }
      side = now;
      out_s = path.time_s[i];
      farthest_m = std::abs(off_m);
    }
  }
};

/// Amplitude and frequency of an oscillation that the recording's events don't state, as the stage
/// went, and how long it swung fully: each half swing takes a quarter of a cycle before and after
/// its turn. A swing that is too short for the fades of a protocol has none.
void state_swing(const Path& path, SlideRun& run) {
  auto& event = run.event;
  const bool stated = event.amplitude_m > 0 && event.frequency_hz > 0;
  if (path.time_s.empty() ||
      (stated && (event.end_s - event.begin_s) * event.frequency_hz >= kFades + 1))
    return;
  const HalfSwings swings(path, event);
  if (swings.time_s.size() < 2) return;
  const double first_s = swings.time_s.front(), last_s = swings.time_s.back();
  const double half_s = (last_s - first_s) / static_cast<double>(swings.time_s.size() - 1);
  if (event.amplitude_m == 0) event.amplitude_m = swings.amplitude_m;
  if (event.frequency_hz == 0) event.frequency_hz = 1 / (2 * half_s);
  run.full_swing_s = {first_s - half_s / 2, last_s + half_s / 2};
}

class RunLoader {
 public:
  RunLoader(const StreamReader& reader, SlideRun& run) : reader_(reader), run_(run) {}

  Result<void> load(const SlideTare& tare) {
    auto rows = force_rows(tare);
    if (!rows) return fail(rows.error());
    if (!run_.usable()) return {};
    const auto path = load_path(reader_);
    if (!path) return fail(path.error());
    run_.time_s = rows->time_s;
    if (run_.event.oscillation) {
      state_swing(*path, run_);
      if (run_.event.amplitude_m == 0 || run_.event.frequency_hz == 0) {
        run_.refusal = fmt::format(
            "FR-04 {}: its amplitude and frequency are not stated, and the stage's record shows no "
            "full cycle: give amplitude_mm and frequency_hz",
            run_.where);
        return {};
      }
    }
    set_direction(*rows);
    for (std::size_t i = 0; i < rows->time_s.size(); ++i)
      run_.friction_N.push_back(
          -(run_.direction[0] * rows->force_N[1][i] + run_.direction[1] * rows->force_N[2][i]));
    run_.sigma_N = white_noise(run_.friction_N);
    run_.u_normal_N = tare.u_N[0];
    set_load(rows->force_N[0]);
    set_motion(*path);
    drop_first_row();
    return {};
  }

 private:
  Result<ForceRows> force_rows(const SlideTare& tare) {
    const auto force = reader_.force();
    if (!force && force.error().code != ErrorCode::kUnidentifiable) return fail(force.error());
    ForceRows rows;
    if (!force || force->samples.columns.size() < 3) {
      run_.refusal =
          !force
              ? force.error().message
              : "FR-01 The side forces were not recorded: friction needs a sensor of three axes.";
      return rows;
    }
    const auto& samples = force->samples;
    for (std::size_t i = 0; i < samples.rows(); ++i) {
      const double t = samples.time_s[i];
      if (t < run_.event.begin_s || t > run_.event.end_s) continue;
      rows.time_s.push_back(t);
      for (std::size_t a = 0; a < 3; ++a)
        rows.force_N[a].push_back(samples.columns[a][i] - tare.bias_N[a]);
    }
    run_.period_s = median_interval(rows.time_s);
    if (run_.period_s > 0) keep_whole_stretch(rows, run_.period_s);
    if (rows.time_s.size() < kMinRows)
      run_.refusal = fmt::format("NO-SAMPLES {} holds {} force samples without a gap, {} needed",
                                 run_.where, rows.time_s.size(), kMinRows);
    return rows;
  }

  void set_direction(const ForceRows& rows) {
    const double speed = run_.event.speed_m_per_s();
    if (speed > 0) {
      run_.direction = {run_.event.vx_m_per_s / speed, run_.event.vy_m_per_s / speed};
      const double lean = run_.direction[0] + 1e-6 * run_.direction[1];
      if (std::abs(run_.direction[0]) < 1e-9 ? run_.direction[1] < 0 : lean < 0)
        for (double& d : run_.direction) d = -d;
    } else {
      run_.direction = swing_direction(rows, run_.event.frequency_hz);
    }
  }

  void set_load(std::span<const double> normal_N) {
    const auto half = static_cast<std::size_t>(kSmooth_s / 2 / run_.period_s);
    run_.normal_N = moving_mean(normal_N, half);
    for (const double n : run_.normal_N)
      run_.mean_normal_N += n / static_cast<double>(run_.normal_N.size());
    const auto [least, most] = std::minmax_element(run_.normal_N.begin(), run_.normal_N.end());
    const double noise = 6 * white_noise(normal_N) / std::sqrt(static_cast<double>(2 * half + 1));
    if (run_.mean_normal_N > 0)
      run_.normal_variation = std::max(0.0, *most - *least - noise) / run_.mean_normal_N;
    if (!(*least > 0))
      run_.refusal = fmt::format("FR-05 {}: the load was lost during the run.", run_.where);
  }

  void set_motion(const Path& path) {
    run_.stage_period_s = path.period_s;
    std::vector<double> along;
    for (std::size_t i = 0; i < path.time_s.size(); ++i)
      along.push_back(run_.direction[0] * path.x_m[i] + run_.direction[1] * path.y_m[i]);
    run_.stage_step_m = path.step_m;
    set_ramp(path, along);
    const double cycle_s = run_.event.oscillation ? 1 / run_.event.frequency_hz : 0;
    run_.motion_measured =
        path.period_s > 0 && path.period_s <= std::max(kSlowestStage_s, cycle_s / kEachCycle);
    const auto at = run_.motion_measured
                        ? interpolate(path.time_s, along, run_.time_s, 2.5 * path.period_s)
                        : commanded();
    run_.velocity_m_per_s.assign(run_.time_s.size(), 0.0);
    for (std::size_t i = 1; i < at.size(); ++i)
      run_.velocity_m_per_s[i] = (at[i] - at[i - 1]) / (run_.time_s[i] - run_.time_s[i - 1]);
    for (const double v : run_.velocity_m_per_s)
      if (!std::isfinite(v))
        run_.refusal = fmt::format("NO-SAMPLES {}: the stage's record has a gap.", run_.where);
  }

  /// From T = L/v + v/a, with the way L that the stage reported.
  void set_ramp(const Path& path, const std::vector<double>& along) {
    const auto& event = run_.event;
    const double length_s = event.end_s - event.begin_s;
    run_.ramp_s = kUnknownRamp * length_s;
    const std::array ends{event.begin_s, event.end_s};
    const auto at = interpolate(path.time_s, along, ends, 2.5 * path.period_s);
    const double way_m = std::abs(at[1] - at[0]);
    if (event.oscillation || !std::isfinite(way_m)) return;
    run_.ramp_s = std::clamp(length_s - way_m / event.speed_m_per_s(), 0.0, length_s / 2);
  }

  std::vector<double> commanded() const {
    std::vector<double> at;
    const auto& event = run_.event;
    if (event.oscillation) {
      const auto motion = Motion::oscillation({}, {1, 0, 0}, event.amplitude_m, event.frequency_hz,
                                              event.frequency_hz, event.end_s - event.begin_s);
      for (const double t : run_.time_s) at.push_back(motion.position_m(t - event.begin_s)[0]);
      return at;
    }
    const double speed =
        run_.direction[0] * event.vx_m_per_s + run_.direction[1] * event.vy_m_per_s;
    for (const double t : run_.time_s) at.push_back(speed * (t - event.begin_s));
    return at;
  }

  /// Its step began before the run.
  void drop_first_row() {
    for (auto* column : {&run_.time_s, &run_.velocity_m_per_s, &run_.friction_N, &run_.normal_N})
      if (!column->empty()) column->erase(column->begin());
  }

  const StreamReader& reader_;
  SlideRun& run_;
};

/// An oscillation's sign along its axis is not in the event: bristles push back.
void turn_to_push_back(SlideRun& run) {
  if (!run.event.oscillation || !run.usable()) return;
  double at = 0, sum = 0, mean = 0;
  for (const double f : run.friction_N) mean += f / static_cast<double>(run.friction_N.size());
  for (std::size_t i = 0; i < run.friction_N.size(); ++i) {
    at += run.velocity_m_per_s[i] * run.period_s;
    sum += at * (run.friction_N[i] - mean);
  }
  if (sum >= 0) return;
  if (run.motion_measured) return;
  for (double& v : run.velocity_m_per_s) v = -v;
}

}  // namespace

Result<std::vector<SlideRun>> load_slides(const FitContext& context, std::size_t session) {
  const auto& from = *context.sessions[session].session;
  const auto name = from.file().filename().string();
  const auto events = slides(from.events());
  if (!events) return fail(events.error(), name);
  const auto clocks =
      session < context.clocks.size() ? context.clocks[session] : clocks_as_stated(from.metadata());
  std::vector<SlideRun> runs;
  SlideAir air(context, session);
  for (const auto& event : *events) {
    if (context.job.stopped()) return Job::cancelled();
    SlideRun run;
    run.event = event;
    run.session = session;
    run.where = fmt::format("{} slide {}", name, event.number);
    auto tare = air.before(event);
    if (!tare && tare.error().code != ErrorCode::kUnidentifiable) return fail(tare.error());
    // Under a dead weight that is never lifted there is no free air; what a table calls newtons is.
    run.as_written = !tare && from.metadata().imported.has_value();
    if (run.as_written) tare = SlideTare{};
    run.contact = air.contact();
    if (tare) {
      run.tare = *tare;
      const StreamReader reader{from, clocks, {event.begin_s, event.end_s}, false, context.job};
      if (auto loaded = RunLoader(reader, run).load(*tare); !loaded) {
        if (loaded.error().code != ErrorCode::kUnidentifiable) return fail(loaded.error());
        run.refusal = loaded.error().message;
      }
      turn_to_push_back(run);
    } else {
      run.refusal = tare.error().message;
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace tactelier
