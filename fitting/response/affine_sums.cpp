#include "fitting/response/affine_sums.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/response/affine_residual.hpp"

namespace tactelier {
namespace {

constexpr int kMaxIntervals = 256;
constexpr std::size_t kReadingsEach = 32;
constexpr std::size_t kEvery = 8;
constexpr double kSoftReach = 8;  // sigma of force over which the noisy corner is not yet a line

void add_term(const AffineTerm& term, AffinePoint& at) {
  const Eigen::Vector2d j(term.d_threshold, term.d_gain);
  at.cost += 0.5 * term.r * term.r;
  at.information += j * j.transpose();
  at.score -= term.r * j;
}

}  // namespace

void AffineSums::Moments::add(const Moments& other, double sign) {
  n += sign * other.n;
  f += sign * other.f;
  e += sign * other.e;
  ff += sign * other.ff;
  fe += sign * other.fe;
  ee += sign * other.ee;
  cc += sign * other.cc;
}

AffineSums::AffineSums(std::span<const ResponsePress> presses, const AffineSettings& settings,
                       double reference_threshold_N, double reference_gain)
    : data_(presses),
      settings_(settings),
      reference_threshold_N_(reference_threshold_N),
      reference_gain_(reference_gain) {
  double high_N = -1e300;
  low_N_ = 1e300;
  std::size_t most = 0;
  for (const auto& press : presses) {
    // Some are enough: what lies outside belongs to the outermost intervals.
    for (std::size_t i = 0; i < press.force_N.size(); i += kEvery) {
      low_N_ = std::min(low_N_, press.force_N[i]);
      high_N = std::max(high_N, press.force_N[i]);
    }
    most = std::max(most, press.force_N.size());
  }
  intervals_ = std::clamp(static_cast<int>(most / kReadingsEach), 1, kMaxIntervals);
  per_N_ = high_N > low_N_ ? intervals_ / (high_N - low_N_) : 0;
  for (const auto& press : presses) {
    Press sums;
    sums.ceiling = settings.saturation_counts - press.offset_counts;
    const auto size = static_cast<std::size_t>(intervals_) + 1;
    sums.up_to[kRead].resize(size);
    if (settings.floor == Clip::kCensored) sums.up_to[kFloored].resize(size);
    if (settings.ceiling == Clip::kCensored) sums.up_to[kFull].resize(size);
    sum(press, sums);
    for (auto& kind : sums.up_to)
      for (std::size_t i = 1; i < kind.size(); ++i) kind[i].add(kind[i - 1], 1);
    presses_.push_back(std::move(sums));
  }
}

// A force that rises stays within an interval for a while: as long as it does, sums stay in
// registers.
void AffineSums::sum(const ResponsePress& rows, Press& press) const {
  const double slope = 1 / reference_gain_;
  const double* force_N = rows.force_N.data();
  const double* counts = rows.counts.data();
  const std::size_t size = rows.force_N.size();
  std::size_t i = 0;
  while (i < size) {
    Run run{i, i, interval_of(force_N[i]), kind_of(counts[i] - rows.offset_counts, press.ceiling)};
    const double from_N = run.interval == 0 ? -HUGE_VAL : low_N_ + run.interval / per_N_;
    const double to_N =
        run.interval + 1 == intervals_ ? HUGE_VAL : low_N_ + (run.interval + 1) / per_N_;
    Moments m;
    do {
      const double f = force_N[i];
      double c = counts[i] - rows.offset_counts;
      if (run.kind == kFloored) c = 0;
      if (run.kind == kFull) c = press.ceiling;
      const double e = c - slope * (f - reference_threshold_N_);
      m.f += f;
      m.e += e;
      m.ff += f * f;
      m.fe += f * e;
      m.ee += e * e;
      m.cc += c * c;
      ++i;
    } while (i < size && force_N[i] >= from_N && force_N[i] < to_N &&
             kind_of(counts[i] - rows.offset_counts, press.ceiling) == run.kind);
    run.end = i;
    m.n = static_cast<double>(run.end - run.begin);
    press.up_to[run.kind][static_cast<std::size_t>(run.interval) + 1].add(m, 1);
    press.runs.push_back(run);
  }
}

AffineSums::Stretch::Form AffineSums::form_of(const Run& run,
                                              const std::array<int, 4>& corners) const {
  const bool below = run.interval < corners[0], above = run.interval >= corners[3];
  const bool between = run.interval >= corners[1] && run.interval < corners[2];
  if (run.kind == kRead && between) return Stretch::kOnLine;
  if (run.kind == kRead && below && settings_.floor == Clip::kVisible) return Stretch::kAtFloor;
  if ((run.kind == kFloored && below) || (run.kind == kFull && above)) return Stretch::kNothing;
  return Stretch::kAny;
}

std::vector<AffineSums::Stretch> AffineSums::stretches(std::size_t index, double threshold_N,
                                                       double gain) const {
  const auto& press = presses_[index];
  const auto corners = corners_of(press, threshold_N, gain);
  std::vector<Stretch> stretches;
  for (const auto& run : press.runs) {
    const auto form = form_of(run, corners);
    if (stretches.empty() || stretches.back().form != form)
      stretches.push_back({run.begin, run.end, form});
    else
      stretches.back().end = run.end;
  }
  return stretches;
}

int AffineSums::interval_of(double force_N) const {
  const double place = (force_N - low_N_) * per_N_;
  return static_cast<int>(std::clamp(place, 0.0, static_cast<double>(intervals_ - 1)));
}

AffineSums::Kind AffineSums::kind_of(double counts, double ceiling) const {
  if (settings_.ceiling == Clip::kCensored && counts >= ceiling) return kFull;
  if (settings_.floor == Clip::kCensored && counts <= 0) return kFloored;
  return kRead;
}

// r = w alpha . (1, F, e) with alpha the difference to the reference line, w = 1/sd of a reading on
// the line, which depends on the gain where the force is noisy.
void AffineSums::add_line(const Moments& m, double threshold_N, double gain,
                          AffinePoint& at) const {
  const double slope = 1 / gain, reference_slope = 1 / reference_gain_;
  const double force_variance = settings_.sigma_force_N * settings_.sigma_force_N;
  const double variance =
      settings_.sigma_counts * settings_.sigma_counts + slope * slope * force_variance;
  const double w = 1 / std::sqrt(variance);
  const double dw = w * w * w * force_variance * slope * slope * slope;
  Eigen::Matrix3d moments;
  moments << m.n, m.f, m.e, m.f, m.ff, m.fe, m.e, m.fe, m.ee;
  const Eigen::Vector3d alpha(threshold_N * slope - reference_threshold_N_ * reference_slope,
                              reference_slope - slope, 1);
  Eigen::Matrix<double, 3, 2> by;
  by.col(0) << w * slope, 0, 0;
  by.col(1) = Eigen::Vector3d(-threshold_N, 1, 0) * (w * slope * slope) + dw * alpha;
  const Eigen::Vector3d r = w * (moments * alpha);
  at.cost += 0.5 * w * alpha.dot(r);
  at.information += by.transpose() * moments * by;
  at.score -= by.transpose() * r;
}

void AffineSums::add_moments(const Moments& m, Kind kind, Zone zone, double ceiling,
                             double threshold_N, double gain, AffinePoint& at) const {
  if (m.n < 0.5) return;
  const double precision = 1 / (settings_.sigma_counts * settings_.sigma_counts);
  if (zone == Zone::kAbove && settings_.ceiling == Clip::kVisible) {
    const double c = m.e + (m.f - m.n * reference_threshold_N_) / reference_gain_;
    at.cost += 0.5 * precision * std::max(0.0, m.cc - 2 * ceiling * c + m.n * ceiling * ceiling);
    return;
  }
  if (kind == kFull && zone == Zone::kAbove) return;
  if (kind == kFloored && zone == Zone::kBelow) return;
  if (kind == kRead && zone == Zone::kBelow && settings_.floor == Clip::kVisible) {
    at.cost += 0.5 * precision * m.cc;
    return;
  }
  add_line(m, threshold_N, gain, at);
}

void AffineSums::add_range(const Press& press, int begin, int end, Zone zone, double threshold_N,
                           double gain, AffinePoint& at) const {
  if (end <= begin) return;
  for (int kind = 0; kind < kKinds; ++kind) {
    const auto& up_to = press.up_to[static_cast<std::size_t>(kind)];
    if (up_to.empty()) continue;
    Moments range = up_to[static_cast<std::size_t>(end)];
    range.add(up_to[static_cast<std::size_t>(begin)], -1);
    add_moments(range, static_cast<Kind>(kind), zone, press.ceiling, threshold_N, gain, at);
  }
}

std::array<int, 4> AffineSums::corners_of(const Press& press, double threshold_N,
                                          double gain) const {
  std::array<int, 4> corners{0, 0, intervals_, intervals_};
  const bool soft = settings_.floor == Clip::kVisible && settings_.sigma_force_N > 0;
  const double reach_N = soft ? kSoftReach * settings_.sigma_force_N : 0;
  if (settings_.floor != Clip::kNone) {
    corners[0] = interval_of(threshold_N - reach_N);
    corners[1] = interval_of(threshold_N + reach_N) + 1;
  }
  if (settings_.ceiling != Clip::kNone) {
    corners[2] = interval_of(threshold_N + gain * press.ceiling);
    corners[3] = corners[2] + 1;
    if (corners[2] < corners[1]) {  // one stretch for both
      corners[1] = std::max(corners[1], corners[3]);
      corners[2] = corners[3] = corners[1];
    }
  }
  return corners;
}

void AffineSums::fetch(std::size_t index, const std::array<int, 4>& corners) {
  auto& press = presses_[index];
  if (press.corners == corners) return;
  press.corners = corners;
  press.fetched.clear();
  for (const auto& run : press.runs) {
    const int at = run.interval;
    const bool trigger = at >= corners[0] && at < corners[1];
    if (!trigger && !(at >= corners[2] && at < corners[3])) continue;
    for (std::size_t i = run.begin; i < run.end; ++i) press.fetched.push_back(i);
  }
}

AffinePoint AffineSums::exactly(double threshold_N, double gain) {
  AffinePoint all;
  for (std::size_t p = 0; p < presses_.size(); ++p) {
    const auto one = exactly(p, threshold_N, gain);
    all.cost += one.cost;
    all.information += one.information;
    all.score += one.score;
  }
  return all;
}

AffinePoint AffineSums::exactly(std::size_t index, double threshold_N, double gain) {
  AffinePoint at;
  const AffineResidual residual(settings_, threshold_N, gain);
  const auto corners = corners_of(presses_[index], threshold_N, gain);
  fetch(index, corners);
  const auto& press = presses_[index];
  add_range(press, 0, corners[0], Zone::kBelow, threshold_N, gain, at);
  add_range(press, corners[1], corners[2], Zone::kLine, threshold_N, gain, at);
  add_range(press, corners[3], intervals_, Zone::kAbove, threshold_N, gain, at);
  const auto& rows = data_[index];
  for (const auto i : press.fetched)
    add_term(residual(rows.force_N[i], rows.counts[i], rows.offset_counts), at);
  return at;
}

AffinePoint AffineSums::roughly(double threshold_N, double gain) const {
  AffinePoint at;
  for (const auto& press : presses_) {
    const double top_N = threshold_N + gain * press.ceiling;
    for (int kind = 0; kind < kKinds; ++kind) {
      const auto& up_to = press.up_to[static_cast<std::size_t>(kind)];
      if (up_to.empty()) continue;
      // Mean forces rise from interval to interval.
      const auto past = [&](int from, double limit_N) {
        const auto more = [&](std::size_t i) {
          return up_to[i + 1].f - up_to[i].f <= limit_N * (up_to[i + 1].n - up_to[i].n);
        };
        while (from < intervals_ && more(static_cast<std::size_t>(from))) ++from;
        return from;
      };
      const int line = settings_.floor == Clip::kNone ? 0 : past(0, threshold_N);
      const int above = settings_.ceiling == Clip::kNone ? intervals_ : past(line, top_N);
      const auto add = [&](int begin, int end, Zone zone) {
        Moments range = up_to[static_cast<std::size_t>(end)];
        range.add(up_to[static_cast<std::size_t>(begin)], -1);
        add_moments(range, static_cast<Kind>(kind), zone, press.ceiling, threshold_N, gain, at);
      };
      add(0, line, Zone::kBelow);
      add(line, above, Zone::kLine);
      add(above, intervals_, Zone::kAbove);
    }
  }
  return at;
}

}  // namespace tactelier
