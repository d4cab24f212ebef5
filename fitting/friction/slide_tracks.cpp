#include "fitting/friction/slide_tracks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

#include "fitting/friction/slide_air.hpp"
#include "fitting/recording/computed_travel.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/step_edges.hpp"
#include "fitting/recording/stream_reader.hpp"

namespace tactelier {
namespace {

constexpr double kAlongAxis = 0.9998;    // cosine: as far from an axis as a mounted pad is turned
constexpr double kBefore_s = 0.02;       // of a slide, and
constexpr double kAfter_s = 0.12;        // after it: until the force has followed the stage
constexpr double kSmoothLoad_s = 0.061;  // between the noise and how fast the load changes
constexpr double kUnknownState_m = 1.5e-3;  // slid until bristles no longer know how they began
// A position under way was latched somewhere between question and answer, of a line that the
// controller may have begun late.
constexpr double kLatchedWithin_s = 0.05;
constexpr double kReadWithin_m = 10e-6;
constexpr double kMaxContradiction = 0.01;  // of the positions read
constexpr std::size_t kMinTrackRows = 50;

/// Weighted by 1 + cos over `width_s`; missing samples are left out.
std::vector<double> hann_smoothed(std::span<const double> values, std::size_t half) {
  std::vector<double> weights;
  for (std::size_t k = 0; k <= half; ++k)
    weights.push_back(
        1 + std::cos(std::numbers::pi * static_cast<double>(k) / static_cast<double>(half + 1)));
  std::vector<double> result(values.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < values.size(); ++i) {
    double sum = 0, total = 0;
    const std::size_t last = std::min(values.size() - 1, i + half);
    for (std::size_t j = i - std::min(i, half); j <= last; ++j) {
      if (std::isnan(values[j])) continue;
      const double weight = weights[j > i ? j - i : i - j];
      sum += weight * values[j];
      total += weight;
    }
    if (total > 0) result[i] = sum / total;
  }
  return result;
}

/// Bias at a time: on the line between the air before and the air after.
struct AirPair {
  SlideTare before;
  std::optional<SlideTare> after;

  double bias_N(std::size_t axis, double t_s) const {
    if (!after || after->at_s <= before.at_s) return before.bias_N[axis];
    const double share = std::clamp((t_s - before.at_s) / (after->at_s - before.at_s), 0.0, 1.0);
    return before.bias_N[axis] + share * (after->bias_N[axis] - before.bias_N[axis]);
  }
  double u_N(std::size_t axis) const { return before.u_N[axis]; }
};

/// Slides and swings of one contact, in order.
struct ContactRuns {
  std::size_t session = 0;
  std::vector<const SlideRun*> runs;

  const SlideRun& first() const { return *runs.front(); }
  const SlideRun& last() const { return *runs.back(); }
};

std::vector<ContactRuns> by_contact(std::span<const SlideRun> runs) {
  std::vector<ContactRuns> contacts;
  for (const auto& run : runs) {
    if (contacts.empty() || contacts.back().session != run.session ||
        contacts.back().first().contact != run.contact)
      contacts.push_back({run.session, {}});
    contacts.back().runs.push_back(&run);
  }
  return contacts;
}

double swung_m(const SlideEvent& event) {
  return 4 * event.amplitude_m * event.frequency_hz * (event.end_s - event.begin_s);
}

/// Of the sensor frame, along which one axis of the stage moves.
std::array<double, 2> axis_direction(const StageToSensor& placed, std::size_t axis) {
  const double c = std::cos(placed.rz_rad), s = std::sin(placed.rz_rad);
  if (axis == 1) return {-s, c};
  return placed.mirror ? std::array{-c, -s} : std::array{c, s};
}

/// Whether what the stage answered while it moved is what its lines say.
bool polls_agree(const Source& polls, std::size_t axis, const CommandedPath& path,
                 std::span<const SlideRun* const> runs) {
  std::size_t read = 0, contradicting = 0;
  for (std::size_t i = 0; i < polls.samples.time_s.size(); ++i) {
    const double t_s = polls.samples.time_s[i];
    const auto under_way = [&](const SlideRun* run) {
      return t_s > run->event.begin_s && t_s < run->event.end_s;
    };
    const double read_m = polls.samples.columns[axis][i];
    if (std::isnan(read_m) || std::none_of(runs.begin(), runs.end(), under_way)) continue;
    const auto& line = path.line_at(t_s);
    const double a_m = line.place_m(t_s - kLatchedWithin_s)[axis];
    const double b_m = line.place_m(t_s + kLatchedWithin_s)[axis];
    ++read;
    if (read_m < std::min(a_m, b_m) - kReadWithin_m || read_m > std::max(a_m, b_m) + kReadWithin_m)
      ++contradicting;
  }
  return static_cast<double>(contradicting) <= kMaxContradiction * static_cast<double>(read);
}

class TrackLoader {
 public:
  TrackLoader(const FitContext& context, std::span<const SlideRun> runs)
      : context_(context), groups_(by_contact(runs)), runs_(runs) {}

  Result<SlideTracks> load() {
    if (!find_axis()) return std::move(found_);
    for (std::size_t s = 0; s < context_.sessions.size(); ++s)
      if (auto known = load_path(s); !known) return fail(known.error());
    if (!found_.why_not.empty()) return std::move(found_);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (auto loaded = load_contact(g); !loaded) return fail(loaded.error());
    if (found_.contacts.empty())
      found_.why_not = "NO-SAMPLES No slide has force samples from beginning to end.";
    set_reference();
    return std::move(found_);
  }

 private:
  StageToSensor placed(std::size_t session) const {
    return context_.sessions[session].session->metadata().stage_to_sensor.value_or(StageToSensor{});
  }

  /// The one axis of the stage along which all slides go.
  bool find_axis() {
    const SlideRun* first = nullptr;
    for (const auto& run : runs_) {
      if (run.event.oscillation || !run.usable()) continue;
      if (!first) first = &run;
      const auto turned = [&](std::size_t axis) {
        const auto d = axis_direction(placed(run.session), axis);
        return d[0] * run.direction[0] + d[1] * run.direction[1];
      };
      if (first == &run) {
        found_.axis = std::abs(turned(1)) > std::abs(turned(0)) ? 1 : 0;
        found_.along = turned(found_.axis) > 0 ? 1 : -1;
      }
      if (found_.along * turned(found_.axis) > kAlongAxis) continue;
      found_.why_not = fmt::format(
          "FR-02 {} goes along no axis of the stage, or another than the slides before it.",
          run.where);
      return false;
    }
    if (!first) found_.why_not = "FR-01 No slide can be used.";
    return first != nullptr;
  }

  std::vector<const SlideRun*> slides_of(std::size_t session) const {
    std::vector<const SlideRun*> slides;
    for (const auto& run : runs_)
      if (run.session == session && !run.event.oscillation) slides.push_back(&run);
    return slides;
  }

  Result<void> load_path(std::size_t session) {
    const auto slides = slides_of(session);
    found_.paths.emplace_back();
    if (slides.empty()) return {};
    const auto& recording = *context_.sessions[session].session;
    auto& path = found_.paths.back() = commanded_path(recording);
    const double from_s = slides.front()->event.begin_s, to_s = slides.back()->event.end_s;
    const auto no_line = [&](const SlideRun* run) {
      return path.lines().empty() || std::abs(path.line_at(run->event.begin_s + kBefore_s).begin_s -
                                              run->event.begin_s) > kBefore_s;
    };
    if (std::any_of(slides.begin(), slides.end(), no_line) ||
        !path.joined(found_.axis, from_s, to_s,
                     stated_step_m(recording, found_.axis).value_or(0))) {
      found_.why_not = fmt::format("FR-02 {}: the moves of the stage are not known.",
                                   recording.file().filename().string());
      return {};
    }
    return compare_with_polls(session, {from_s, to_s}, slides);
  }

  Result<void> compare_with_polls(std::size_t session, TimeRange range,
                                  std::span<const SlideRun* const> slides) {
    const auto& recording = *context_.sessions[session].session;
    const auto clocks = clocks_of(context_, session);
    const StreamReader reader{recording, clocks, range, false, context_.job};
    const auto polls = reader.places();
    if (!polls) return fail(polls.error());
    if (!polls->there()) return {};
    if (!polls_agree(*polls, found_.axis, found_.paths[session], slides))
      found_.why_not = fmt::format(
          "FR-02 {}: the stage was not where its moves say, by what it answered itself.",
          recording.file().filename().string());
    return {};
  }

  Result<AirPair> air_of(std::size_t group) {
    const auto& runs = groups_[group];
    AirPair air{runs.first().tare, std::nullopt};
    if (group + 1 < groups_.size() && groups_[group + 1].session == runs.session) {
      air.after = groups_[group + 1].first().tare;
      return air;
    }
    const auto after = SlideAir(context_, runs.session).after(runs.last().event);
    if (!after) return fail(after.error());
    air.after = *after;
    return air;
  }

  Result<void> load_contact(std::size_t group) {
    const auto& runs = groups_[group];
    SlideContact contact;
    contact.session = runs.session;
    for (const auto* run : runs.runs) {
      if (run->event.oscillation) slid_m_ += swung_m(run->event);
      // A short run reports few places, and those may all lie several steps apart.
      found_.step_m = 1e-9 * static_cast<double>(std::gcd(std::llround(1e9 * found_.step_m),
                                                          std::llround(1e9 * run->stage_step_m)));
    }
    contact.slid_before_m = slid_m_;
    if (!runs.first().usable() || context_.job.stopped()) return {};
    const auto air = air_of(group);
    if (!air) return fail(air.error());
    contact.u_zero_N = air->u_N(0);
    contact.u_side_N = std::hypot(air->u_N(1), air->u_N(2));
    const auto clocks = clocks_of(context_, runs.session);
    const StreamReader reader{
        *context_.sessions[runs.session].session,
        clocks,
        {runs.first().event.begin_s - kAfter_s, runs.last().event.end_s + 2 * kAfter_s},
        false,
        context_.job};
    const auto force = reader.force();
    if (!force && force.error().code != ErrorCode::kUnidentifiable) return fail(force.error());
    if (!force || force->samples.columns.size() < 3) return {};
    add_slides(runs, force->samples, *air, contact);
    if (!contact.slides.empty()) found_.contacts.push_back(std::move(contact));
    return {};
  }

  void add_slides(const ContactRuns& runs, const Samples& force, const AirPair& air,
                  SlideContact& contact) const {
    const auto& time_s = force.time_s;
    std::vector<double> normal_N(time_s.size()), friction_N(time_s.size());
    const auto d = axis_direction(placed(runs.session), found_.axis);
    for (std::size_t i = 0; i < time_s.size(); ++i) {
      const auto tared = [&](std::size_t a) {
        return force.columns[a][i] - air.bias_N(a, time_s[i]);
      };
      normal_N[i] = tared(0);
      friction_N[i] = -found_.along * (d[0] * tared(1) + d[1] * tared(2));
    }
    const double period_s = median_interval(time_s);
    if (!(period_s > 0)) return;
    const auto load_N =
        hann_smoothed(normal_N, static_cast<std::size_t>(kSmoothLoad_s / 2 / period_s));
    double slid_m = 0, sum_N = 0;
    for (const auto* run : runs.runs) {
      if (run->event.oscillation) {
        slid_m = 0;
        continue;
      }
      const auto row = [&](double t_s) {
        return static_cast<std::size_t>(std::lower_bound(time_s.begin() + 1, time_s.end(), t_s) -
                                        time_s.begin());
      };
      const auto begin = row(run->event.begin_s - kBefore_s);
      const auto end = row(run->event.end_s + kAfter_s);
      if (end < begin + kMinTrackRows) continue;
      SlideRows rows{contact.time_s.size(), 0, run->sigma_N > 0 ? run->sigma_N : 1e-3,
                     run->event.speed_m_per_s(), run->usable() && slid_m >= kUnknownState_m};
      for (std::size_t i = begin; i < end; ++i) {
        contact.time_s.push_back(time_s[i]);
        contact.step_s.push_back(time_s[i] - time_s[i - 1]);
        contact.normal_N.push_back(load_N[i]);
        contact.friction_N.push_back(friction_N[i]);
        sum_N += load_N[i];
      }
      rows.end = contact.time_s.size();
      contact.slides.push_back(rows);
      slid_m += run->event.speed_m_per_s() * (run->event.end_s - run->event.begin_s);
    }
    contact.load_N = sum_N / static_cast<double>(std::max<std::size_t>(1, contact.time_s.size()));
  }

  void set_reference() {
    std::vector<double> loads_N;
    for (const auto& contact : found_.contacts) loads_N.push_back(contact.load_N);
    std::sort(loads_N.begin(), loads_N.end());
    if (!loads_N.empty()) found_.reference_N = loads_N[(loads_N.size() - 1) / 2];
  }

  const FitContext& context_;
  std::vector<ContactRuns> groups_;
  std::span<const SlideRun> runs_;
  SlideTracks found_;
  double slid_m_ = 0;  // by oscillations so far
};

}  // namespace

Result<SlideTracks> slide_tracks(const FitContext& context, std::span<const SlideRun> runs) {
  return TrackLoader(context, runs).load();
}

}  // namespace tactelier
