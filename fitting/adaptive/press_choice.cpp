#include "fitting/adaptive/press_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>

namespace tactelier::adaptive {
namespace {

constexpr std::size_t kRecovering = 2;  // presses back: about ten seconds
constexpr double kForceSteps = 4;       // of the ladder
constexpr double kNamed = 0.25;         // of a press's score: parameters that its reason names
constexpr std::size_t kMostNamed = 3;
constexpr double kOwnPart = 0.5;  // of a score: less comes from what the press touches itself

double distance_m(const PressThought& a, const PressThought& b) {
  return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
}

struct Scored {
  double score = 0;
  std::size_t candidate = 0;
  std::size_t at = 0;  // presses chosen when it was scored

  bool operator<(const Scored& other) const { return score < other.score; }
};

/// Weights of all columns, 0 for those that nobody waits for.
class Weights {
 public:
  Weights(const PressInformation& information, std::span<const Wanted> wanted)
      : per_variance_(Eigen::VectorXd::Zero(information.stiffness_column() + 1)) {
    for (const auto& one : wanted) {
      const double square = one.target * one.target / one.scale;
      const double over = information.variance(one.column) / square - 1;
      if (over > 0) per_variance_[one.column] = over / square;
    }
  }
  bool any() const { return per_variance_.maxCoeff() > 0; }
  const Eigen::VectorXd& all() const { return per_variance_; }

 private:
  Eigen::VectorXd per_variance_;
};

/// What a press takes from each parameter, by how much that is wanted.
Eigen::VectorXd parts(const PressInformation& information, const PressSays& says,
                      const Weights& weights) {
  return information.would_lower(says).cwiseProduct(weights.all());
}

std::string reason(const PressInformation& information, const PressSays& says,
                   const Eigen::VectorXd& parts) {
  std::vector<std::pair<double, Eigen::Index>> order;
  double own = 0;
  for (const auto column : says.columns) {
    order.emplace_back(parts[column], column);
    own += parts[column];
  }
  if (own < kOwnPart * parts.sum()) return "all gains, by sigma";
  const double whole = own;
  std::sort(order.rbegin(), order.rend());
  std::string gains, others;
  std::size_t named = 0;
  for (const auto& [part, column] : order) {
    if (named >= kMostNamed || (named > 0 && part < kNamed * whole)) break;
    ++named;
    if (column == information.sigma_column()) {
      others += ", sigma";
    } else if (column == information.stiffness_column()) {
      others += ", k";
    } else {
      const auto tactel = (column - information.gain_column(0)) / 2;
      gains += fmt::format("{}{}", gains.empty() ? "gain of " : " and ", tactel);
    }
  }
  if (gains.empty() && !others.empty()) return others.substr(2);
  return gains + others;
}

}  // namespace

PressRange press_range(const SensorDescription& sensor, const Indenter& tip, double most_N) {
  PressRange range;
  for (int t = 0; t < sensor.tactels(); ++t) {
    const auto at_m = sensor.position_m(t);
    range.places_m.push_back({at_m[0], at_m[1]});
  }
  // Between neighbours: the middle of two, and of two such.
  const auto centres = range.places_m;
  const auto& array = sensor.arrays.front();
  for (const auto& [x_m, y_m] : centres) {
    const auto has = [&](double dx, double dy) {
      return std::any_of(centres.begin(), centres.end(), [&](const auto& other) {
        return std::abs(other[0] - x_m - dx) < 1e-6 && std::abs(other[1] - y_m - dy) < 1e-6;
      });
    };
    const bool right = has(array.pitch_x_m, 0), above = has(0, array.pitch_y_m);
    if (right) range.places_m.push_back({x_m + array.pitch_x_m / 2, y_m});
    if (above) range.places_m.push_back({x_m, y_m + array.pitch_y_m / 2});
    if (right && above)
      range.places_m.push_back({x_m + array.pitch_x_m / 2, y_m + array.pitch_y_m / 2});
  }
  for (double step = 1; step <= kForceSteps; ++step)
    range.forces_N.push_back(most_N * std::pow(0.65, kForceSteps - step));
  if (const auto area_m2 = tip.flat_area_m2()) range.tip_radius_m = std::sqrt(*area_m2 / M_PI);
  double nearest_m = HUGE_VAL;
  std::array<double, 2> middle_m{};
  for (const auto& at_m : centres)
    for (std::size_t axis = 0; axis < 2; ++axis)
      middle_m[axis] += at_m[axis] / static_cast<double>(centres.size());
  for (std::size_t t = 0; t < centres.size(); ++t) {
    const double away_m = std::hypot(centres[t][0] - middle_m[0], centres[t][1] - middle_m[1]);
    if (away_m > nearest_m - 1e-9) continue;
    nearest_m = away_m;
    range.anchor = static_cast<int>(t);
  }
  return range;
}

PressThought PressChoice::thought(std::size_t place, double force_N,
                                  const PressInformation& of) const {
  PressThought press;
  press.x_m = range_.places_m[place][0];
  press.y_m = range_.places_m[place][1];
  if (place < static_cast<std::size_t>(of.sensor().tactels()))
    press.tactel = static_cast<int>(place);
  press.force_N = force_N;
  press.depth_m = force_N / of.beliefs().k_N_per_m;
  press.speed_m_per_s = range_.speed_m_per_s;
  return press;
}

bool PressChoice::recovers(const PressThought& press, std::span<const PressThought> before,
                           const PressInformation& information) const {
  const double reach_m = 2 * information.beliefs().sigma_m + range_.tip_radius_m;
  const auto from = before.size() > kRecovering ? before.size() - kRecovering : 0;
  return std::any_of(
      before.begin() + static_cast<std::ptrdiff_t>(from), before.end(),
      [&](const PressThought& earlier) { return distance_m(press, earlier) < reach_m; });
}

double PressChoice::seconds(const PressThought& press, const PressThought* before) const {
  const double way_m = before ? distance_m(press, *before) : 0;
  return range_.rest_s + 2 * press.depth_m / press.speed_m_per_s + way_m / range_.travel_m_per_s;
}

std::vector<ChosenPress> PressChoice::batch(PressInformation& information,
                                            std::span<const Wanted> wanted,
                                            std::span<const PressThought> before, int count) {
  std::vector<PressThought> all(before.begin(), before.end());
  std::vector<ChosenPress> chosen;
  std::vector<PressThought> candidates;
  std::vector<PressSays> says;
  Weights weights(information, wanted);
  const auto take = [&](const PressThought& press, std::string why) {
    information.add(press);
    weights = Weights(information, wanted);
    for (std::size_t i = 0; press.tactel && i < candidates.size(); ++i)
      if (candidates[i].tactel == press.tactel) says[i] = information.says(candidates[i]);
    all.push_back(press);
    chosen.push_back({press, std::move(why)});
  };

  for (std::size_t place = 0; place < range_.places_m.size(); ++place)
    for (const double force_N : range_.forces_N) {
      candidates.push_back(thought(place, force_N, information));
      says.push_back(information.says(candidates.back()));
    }
  // Scores only fall while presses are added, but for the weights and the ways: the best of those
  // scored long ago is scored again before it is taken.
  std::priority_queue<Scored> best;
  const auto score = [&](std::size_t candidate) {
    return parts(information, says[candidate], weights).sum() /
           seconds(candidates[candidate], all.empty() ? nullptr : &all.back());
  };
  for (std::size_t i = 0; i < candidates.size(); ++i) best.push({score(i), i, 0});

  while (static_cast<int>(chosen.size()) < count) {
    const auto number = static_cast<int>(all.size()) + 1;
    const auto anchor =
        thought(static_cast<std::size_t>(range_.anchor), range_.forces_N.back(), information);
    if (range_.anchor_every > 0 && number % range_.anchor_every == 0) {
      take(anchor, "anchor");
      continue;
    }
    // What is believed to be reached is confirmed by what has been pressed before.
    const bool repeats =
        range_.repeat_every > 0 && number % range_.repeat_every == range_.repeat_every / 2;
    if ((repeats || !weights.any()) && !all.empty()) {
      auto again = all[random_() % all.size()];
      for (int tries = 0; tries < 20 && recovers(again, all, information); ++tries)
        again = all[random_() % all.size()];
      take(again, "repeat");
      continue;
    }
    std::vector<Scored> resting;
    bool found = false;
    while (!best.empty() && !found) {
      auto top = best.top();
      best.pop();
      if (recovers(candidates[top.candidate], all, information)) {
        resting.push_back(top);
        continue;
      }
      if (top.at != chosen.size()) {
        top = {score(top.candidate), top.candidate, chosen.size()};
        if (!best.empty() && top.score < best.top().score) {
          best.push(top);
          continue;
        }
      }
      found = true;
      const auto& says_it = says[top.candidate];
      take(candidates[top.candidate],
           reason(information, says_it, parts(information, says_it, weights)));
      best.push({top.score, top.candidate, chosen.size() - 1});
    }
    for (const auto& scored : resting) best.push(scored);
    if (!found) break;
  }
  return chosen;
}

}  // namespace tactelier::adaptive
