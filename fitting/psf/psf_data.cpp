#include "fitting/psf/psf_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "fitting/psf/psf_base.hpp"
#include "fitting/psf/psf_ripple.hpp"
#include "fitting/psf/psf_selection.hpp"
#include "fitting/recording/creep_correction.hpp"
#include "fitting/recording/force_ripple.hpp"
#include "fitting/recording/load_in_order.hpp"
#include "fitting/recording/step_edges.hpp"
#include "fitting/response/response_limits.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kClear = 5;              // sigma above the offset that count as an answer
constexpr double kNoisy = 3;              // times the noise of the array's median tactel
constexpr double kNear = 2.2;             // pitches: tactels whose silence tells something
constexpr std::size_t kMinBefore = 20;    // readings of free air that give a press its own offset
constexpr double kAtFloor = 0.5;          // share of free air at the floor that means it is cut
constexpr std::size_t kMinAnswering = 8;  // rows, for a tactel to be fitted
constexpr double kReleased = 0.05;        // of the peak: the pad is let go

/// Where the floor cuts off a part of the noise, the mean lies too high; the median does not.
double rest_level(std::vector<double> air, bool touches_floor) {
  if (touches_floor) return median(std::move(air));
  return std::accumulate(air.begin(), air.end(), 0.0) / static_cast<double>(air.size());
}

std::array<double, 2> middle_of(const SensorDescription& sensor) {
  std::array<double, 2> middle{};
  for (int t = 0; t < sensor.tactels(); ++t)
    for (std::size_t k = 0; k < 2; ++k) middle[k] += sensor.position_m(t)[k] / sensor.tactels();
  return middle;
}

/// The press with its times and loads.
PsfPress when_of(PsfPress press, const PressData& data, const PressContact& contact) {
  press.session = static_cast<std::uint32_t>(contact.session);
  press.peak_N = data.force_N[data.peak] - contact.force_bias_N;
  press.touch_s = contact.time_s;
  std::size_t last = data.rows() - 1;
  while (last > data.peak && data.force_N[last] - contact.force_bias_N < kReleased * press.peak_N)
    --last;
  press.release_s = data.time_s[last];
  double sum_N = 0, rows = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    if (data.time_s[i] < press.touch_s || data.time_s[i] > press.release_s) continue;
    sum_N += data.force_N[i] - contact.force_bias_N;
    ++rows;
  }
  press.mean_N = rows > 0 ? sum_N / rows : 0;
  return press;
}

/// Which way the stage came from the press before: presses of one line keep theirs.
void note_way(const PsfPress& before, PsfPress& press) {
  constexpr double kStill_m = 1e-6;
  const std::array moved_m{press.x_m - before.x_m, press.y_m - before.y_m};
  for (std::size_t axis = 0; axis < moved_m.size(); ++axis)
    press.came_against[axis] =
        std::abs(moved_m[axis]) < kStill_m ? before.came_against[axis] : moved_m[axis] < 0;
}

/// One press's rows for every tactel it reaches.
class PressReader {
 public:
  PressReader(const FitContext& context, PsfData& data, std::vector<PsfTactelBase> bases)
      : context_(context), data_(data), bases_(std::move(bases)) {
    for (std::size_t i = 0; i < bases_.size(); ++i)
      if (bases_[i].live) live_.push_back(static_cast<int>(i));
    half_step_ = context.model.response.resolution.value.value_or(0) / 2;
    data_.problem.tactels.resize(bases_.size());
    data_.noise.resize(bases_.size());
    for (std::size_t i = 0; i < bases_.size(); ++i) {
      data_.problem.tactels[i].index = static_cast<int>(i);
      data_.noise_dof += bases_[i].live ? bases_[i].noise_dof : 0;
    }
  }

  /// From any thread.
  Result<PressData> load(const PsfChosen& chosen) const {
    if (context_.job.stopped()) return Job::cancelled();
    const auto& contact = context_.contacts[chosen.row];
    auto loaded = load_press(context_, contact.session, contact.press,
                             chosen.role == PsfRole::kEarlier ? std::span<const int>() : live_);
    if (loaded && chosen.role == PsfRole::kRows) correct_creep(context_, contact, *loaded);
    return loaded;
  }

  /// From any thread. By the motor's steps, of a press whose rows count.
  Result<std::optional<ForceRipple>> ripple(const PsfChosen& chosen, double step_m) const {
    const auto& contact = context_.contacts[chosen.row];
    if (chosen.role != PsfRole::kRows || !(step_m > 0)) return std::nullopt;
    const auto loaded = load_press(context_, contact.session, contact.press, {}, PressBase::kForce);
    if (!loaded) {
      if (loaded.error().code != ErrorCode::kUnidentifiable) return fail(loaded.error());
      return std::nullopt;
    }
    return force_ripple(*loaded, contact, step_m);
  }

  /// Of the press that was taken last.
  void take_ripple(const ForceRipple& ripple) {
    data_.problem.presses.back().ripple_N = ripple.constant_N;
    data_.problem.presses.back().ripple_growth = ripple.growth;
  }

  /// In the presses' order. Why the press can't be used; "" where it can.
  Result<std::string> take(const PsfChosen& chosen, const Result<PressData>& loaded) {
    const auto& contact = context_.contacts[chosen.row];
    if (!loaded) {
      if (loaded.error().code != ErrorCode::kUnidentifiable) return fail(loaded.error());
      return loaded.error().message;
    }
    if (chosen.role == PsfRole::kEarlier) {
      if (loaded->has_force())
        data_.problem.earlier.push_back(when_of(chosen.press, *loaded, contact));
      return std::string();
    }
    if (loaded->counts.empty() || !loaded->has_force())
      return std::string("force or tactile stream missing");
    if (contact.session < context_.clocks.size())
      data_.u_latency_s = std::max(data_.u_latency_s, context_.clocks[contact.session].u_latency_s);
    if (chosen.role == PsfRole::kPreloaded) {
      data_.preloaded.push_back(
          preloaded_press(context_, contact.session, *loaded, chosen.press, live_, bases_));
      return std::string();
    }
    const auto index = static_cast<std::uint32_t>(data_.problem.presses.size());
    data_.problem.presses.push_back(when_of(chosen.press, *loaded, contact));
    data_.press_row.push_back(chosen.row);
    if (index > 0) note_way(data_.problem.presses[index - 1], data_.problem.presses[index]);
    data_.peak_force_N =
        std::max(data_.peak_force_N, loaded->force_N[loaded->peak] - contact.force_bias_N);
    Image image;
    const auto loading = psf_loading(*loaded, contact);
    for (std::size_t i = 0; i < live_.size(); ++i)
      add(*loaded, loading, contact.force_bias_N, i, index, image);
    finish(chosen.press, image);
    add_rate(*loaded, loading);
    return std::string();
  }

  /// No reading could be told from one at rest.
  bool rest_unknown() const {
    const auto& tactels = data_.problem.tactels;
    return without_rest_ > 0 && std::all_of(tactels.begin(), tactels.end(),
                                            [](const PsfTactel& t) { return t.rows.empty(); });
  }

  void finish_rates() {
    data_.force_rate_N_per_s = rates_.empty() ? 0 : median(rates_);
    data_.force_growth_per_s = growths_.empty() ? 0 : median(growths_);
  }

 private:
  struct Image {
    double sum = 0, x = 0, y = 0;
    std::size_t answering = 0;
  };

  void add(const PressData& data, const PsfLoading& loading, double bias_N, std::size_t i,
           std::uint32_t press, Image& image) {
    const auto t = static_cast<std::size_t>(live_[i]);
    const auto reading = reading_of(data, loading.before, i, bases_[t]);
    if (!reading) return;
    auto& tactel = data_.problem.tactels[t];
    if (reading->offset_shared && !reading->cut_floor)
      tactel.u_offset_counts = bases_[t].u_offset_counts;
    auto& noise = data_.noise[t];
    const auto begin = static_cast<std::uint32_t>(tactel.rows.size());
    add_rows(data, loading, bias_N, i, *reading, tactel, noise);
    double brightest = 0;
    bool answers = false;
    for (std::size_t r = begin; r < tactel.rows.size(); ++r) {
      const auto& row = tactel.rows[r];
      brightest = std::max(brightest, row.counts);
      if (row.counts > kClear * std::max(std::sqrt(noise[r].counts2), half_step_)) answers = true;
    }
    const auto centre = context_.model.sensor.position_m(live_[i]);
    const auto& at = data_.problem.presses[press];
    const double away_m = std::hypot(centre[0] - at.x_m, centre[1] - at.y_m);
    // Of one reading a press those that its noise lifts over the bar would be a choice of the wide
    // ones; of many rows the brightest is clear of it.
    if (!answers && !data.static_readings && away_m > kNear * data_.problem.layout.pitch_m()) {
      tactel.rows.resize(begin);
      noise.resize(begin);
      return;
    }
    tactel.groups.push_back({press, begin, static_cast<std::uint32_t>(tactel.rows.size())});
    data_.samples += data.rows();
    if (!answers) return;
    ++image.answering;
    image.sum += brightest;
    image.x += brightest * centre[0];
    image.y += brightest * centre[1];
  }

  void add_rate(const PressData& data, const PsfLoading& loading) {
    if (data.static_readings || loading.rows.size() < 2) return;
    const auto first = loading.rows.front(), last = loading.rows.back();
    const double time_s = data.time_s[last] - data.time_s[first];
    if (time_s > 0) rates_.push_back((data.force_N[last] - data.force_N[first]) / time_s);
    data_.frame_period_s = data.period_s;
    const auto middle = loading.rows[loading.rows.size() / 2];
    const double begin_s = data.time_s[middle] - data.time_s[first], end_s = time_s - begin_s;
    const double rise_N = data.force_N[last] - data.force_N[first];
    if (!(begin_s > 0 && end_s > 0 && rise_N > 0)) return;
    const double early = (data.force_N[middle] - data.force_N[first]) / begin_s;
    const double late = (data.force_N[last] - data.force_N[middle]) / end_s;
    growths_.push_back(2 * (late - early) / rise_N);
  }

  void finish(const PsfPress& press, const Image& image) {
    data_.most_answering = std::max(data_.most_answering, image.answering);
    if (!(image.sum > 0)) return;
    const auto middle = middle_of(context_.model.sensor);
    data_.images.push_back({{press.x_m - middle[0], press.y_m - middle[1]},
                            {image.x / image.sum - middle[0], image.y / image.sum - middle[1]}});
  }

  std::optional<PsfReading> reading_of(const PressData& data, std::size_t before, std::size_t i,
                                       const PsfTactelBase& base) {
    PsfReading reading{base.offset_counts, 0, base.noise_counts, base.ceiling_counts, false};
    const double floor = reading_floor(context_.model.sensor);
    std::vector<double> air;
    for (std::size_t r = 0; r < before; ++r)
      if (!std::isnan(data.counts[i][r])) air.push_back(data.counts[i][r]);
    if (air.size() >= kMinBefore) {
      const auto n = static_cast<double>(air.size());
      const auto at_floor = static_cast<double>(std::count(air.begin(), air.end(), floor));
      reading.cut_floor = at_floor >= kAtFloor * n;
      reading.offset_counts = reading.cut_floor ? floor : rest_level(std::move(air), at_floor > 0);
      if (!reading.cut_floor)
        reading.offset_variance_counts2 = base.noise_counts * base.noise_counts / n;
      return reading;
    }
    if (!base.offset_known) {
      ++without_rest_;
      return {};
    }
    reading.cut_floor = base.offset_counts <= floor;
    reading.offset_shared = true;
    return reading;
  }

  const FitContext& context_;
  PsfData& data_;
  std::vector<PsfTactelBase> bases_;
  std::vector<int> live_;
  double half_step_ = 0;                 // of the converter
  std::size_t without_rest_ = 0;         // readings of presses whose tactel's rest is not known
  std::vector<double> rates_, growths_;  // of the force, one per press
};

/// What a tactel reads that no press came near is what the matrix adds of others, in units of its
/// own unknown gain: it would set the ghosting of all.
bool pressed_nearby(const PsfProblem& problem, const Vector3& centre_m) {
  return std::any_of(problem.presses.begin(), problem.presses.end(), [&](const PsfPress& press) {
    return std::hypot(centre_m[0] - press.x_m, centre_m[1] - press.y_m) <=
           kNear * problem.layout.pitch_m();
  });
}

/// Counts from which a tactel is noisy: what its presses say of spread and ghosting is its noise,
/// cut by the converter's floor. Infinite where no noise is known.
double noisy_from(const SensorModel& model) {
  std::vector<double> noises;
  for (const auto& response : model.response.tactels)
    if (response.noise.value) noises.push_back(*response.noise.value);
  return noises.empty() ? std::numeric_limits<double>::infinity() : kNoisy * median(noises);
}

/// Tactels that answered too little, or to nothing near them, and noisy ones are no part of the
/// fit.
void drop_silent(const SensorModel& model, PsfData& data) {
  const double noisy = noisy_from(model);
  std::size_t kept = 0;
  for (std::size_t t = 0; t < data.problem.tactels.size(); ++t) {
    const auto& rows = data.problem.tactels[t].rows;
    std::size_t answering = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      answering += rows[i].kind != PsfRowKind::kCeiling &&
                           rows[i].counts > kClear * std::sqrt(data.noise[t][i].counts2)
                       ? 1
                       : 0;
    const auto index = data.problem.tactels[t].index;
    const auto centre_m = model.sensor.position_m(index);
    if (model.response.tactels[static_cast<std::size_t>(index)].noise.value.value_or(0) > noisy)
      continue;
    if (answering < kMinAnswering || !pressed_nearby(data.problem, centre_m)) continue;
    if (kept != t) {
      data.problem.tactels[kept] = std::move(data.problem.tactels[t]);
      data.noise[kept] = std::move(data.noise[t]);
    }
    ++kept;
  }
  data.problem.tactels.resize(kept);
  data.noise.resize(kept);
}

/// Of most tactels, relative to the largest reading; 0 where it doesn't show.
double hysteresis_of(const SensorModel& model) {
  std::vector<double> found;
  for (const auto& response : model.response.tactels)
    if (response.press_gain.identified())
      found.push_back(response.hysteresis.value.value_or(0) / 100);
  return found.empty() ? 0 : median(found);
}

double median_threshold_N(const FitContext& context) {
  std::vector<double> thresholds;
  for (const auto& response : context.model.response.tactels)
    if (response.press_threshold.identified())
      thresholds.push_back(*response.press_threshold.value);
  return thresholds.empty() ? 0 : median(thresholds);
}

}  // namespace

Result<PsfData> load_psf_data(FitContext& context) {
  auto layout = PsfLayout::create(context.model.sensor);
  if (!layout) return fail(layout.error());
  PsfData data;
  data.problem.layout = std::move(*layout);
  PsfSelection selection(context, data.problem.layout.pitch_m());
  const auto chosen = selection.presses(data.problem);
  PressReader reader(context, data, psf_tactel_bases(context));
  std::string objection = selection.first_objection();
  std::vector<std::pair<std::size_t, std::string>> refused;  // row of the model's list, why
  const double hysteresis = hysteresis_of(context.model);
  std::vector<double> steps_m(context.sessions.size(), 0.0);  // 0: no ripple is looked for
  for (std::size_t s = 0; hysteresis > 0 && s < steps_m.size(); ++s) {
    const auto step_m = stage_step_m(context, s);
    if (!step_m) return fail(step_m.error());
    steps_m[s] = *step_m;
  }
  std::vector<std::optional<ForceRipple>> ripples(chosen.size());
  const auto take = [&](std::size_t i, const Result<PressData>& loaded) -> Result<void> {
    context.job.progress("psf", static_cast<double>(i), static_cast<double>(chosen.size()));
    const auto why = reader.take(chosen[i], loaded);
    if (!why) return fail(why.error());
    if (why->empty()) {
      if (ripples[i]) reader.take_ripple(*ripples[i]);
      return {};
    }
    refused.emplace_back(chosen[i].row, *why);
    if (objection.empty()) objection = *why;
    return {};
  };
  const auto done = load_in_order(
      thread_count(context.options.threads), chosen.size(),
      [&](std::size_t i) -> Result<PressData> {
        const auto ripple =
            reader.ripple(chosen[i], steps_m[context.contacts[chosen[i].row].session]);
        if (!ripple) return fail(ripple.error());
        ripples[i] = *ripple;
        return reader.load(chosen[i]);
      },
      take);
  if (!done) return fail(done.error());
  for (const auto& [row, why] : refused) {
    auto& text = context.model.presses[row].why;
    text += (text.empty() ? "psf: " : "; psf: ") + why;
  }
  if (data.problem.presses.empty())
    return fail(ErrorCode::kUnidentifiable,
                "NOT-FITTED no press can speak for the point spread{}: press at known places with "
                "a flat-ended indenter (protocol study)",
                objection.empty() ? "" : " (" + objection + ")");
  if (reader.rest_unknown())
    return fail(ErrorCode::kUnidentifiable,
                "NOT-FITTED no reading at rest is known, so a neighbour's small answer is not "
                "either: record free air, or rows at zero force");
  reader.finish_rates();
  drop_silent(context.model, data);
  follow_crests(hysteresis, data.problem);
  data.median_press_threshold_N = median_threshold_N(context);
  return data;
}

}  // namespace tactelier
