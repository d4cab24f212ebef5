#include "app/workflow/recorded_images.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "app/workflow/recorded_course.hpp"
#include "app/workflow/same_arrays.hpp"
#include "fitting/recording/stream_reader.hpp"
#include "fitting/views/viewing_clocks.hpp"

namespace tactelier {
namespace {

constexpr double kWindow_s = 1;  // at the end of a press
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  int count = 0;
  for (const double value : values)
    if (!std::isnan(value)) {
      sum += value;
      ++count;
    }
  return count > 0 ? sum / count : kNone;
}

/// Reads means of the streams over stretches of one session.
class MeanReader {
 public:
  MeanReader(const Session& session, const SessionClocks& clocks, std::vector<Interval> zeros,
             const Job& job)
      : session_(session), clocks_(clocks), zeros_(std::move(zeros)), job_(job) {}

  /// The `zero` interval nearest in time; nullptr without any.
  const Interval* zero_near(double time_s) const {
    const Interval* nearest = nullptr;
    for (const auto& zero : zeros_)
      if (!nearest || apart_s(zero, time_s) < apart_s(*nearest, time_s)) nearest = &zero;
    return nearest;
  }

  struct Readings {
    std::vector<double> means;
    std::size_t rows = 0;
  };
  Result<Readings> readings(const Interval& over) const {
    std::vector<int> tactels(static_cast<std::size_t>(session_.metadata().sensor.tactels()));
    std::iota(tactels.begin(), tactels.end(), 0);
    const auto source = reader(over).tactile(tactels);
    if (!source) return fail(source.error());
    Readings found{{}, source->samples.rows()};
    for (const auto& column : source->samples.columns) found.means.push_back(mean_of(column));
    return found;
  }

  /// Compression; NaN without a force sensor.
  Result<double> force_N(const Interval& over) const {
    const auto source = reader(over).force();
    if (!source) return fail(source.error());
    if (!source->there()) return kNone;
    std::vector<double> within;
    for (std::size_t i = 0; i < source->samples.rows(); ++i)
      if (source->samples.time_s[i] >= over.begin_s && source->samples.time_s[i] <= over.end_s)
        within.push_back(source->samples.columns[0][i]);
    return mean_of(within);
  }

 private:
  static double apart_s(const Interval& interval, double time_s) {
    return std::abs((interval.begin_s + interval.end_s) / 2 - time_s);
  }
  StreamReader reader(const Interval& over) const {
    return {session_, clocks_, {over.begin_s, over.end_s}, false, job_};
  }

  const Session& session_;
  const SessionClocks& clocks_;
  std::vector<Interval> zeros_;
  const Job& job_;
};

/// Tared in the nearest zero interval, which is what makes it the pad's.
Result<void> measure_load(const MeanReader& means, const Interval& window, double gravity_m_per_s2,
                          RecordedImage& image) {
  const auto& press = image.press;
  if (press.mass_kg) {
    image.load_N = *press.mass_kg * gravity_m_per_s2;
    return {};
  }
  image.load_N = press.force_N.value_or(kNone);
  const auto* zero = means.zero_near(window.begin_s);
  if (!zero) return {};
  const auto loaded_N = means.force_N(window);
  if (!loaded_N) return fail(loaded_N.error());
  const auto bias_N = means.force_N(*zero);
  if (!bias_N) return fail(bias_N.error());
  const double load_N = *loaded_N - *bias_N;
  if (std::isnan(load_N)) return {};
  image.load_N = load_N;
  image.load_measured = true;
  return {};
}

Result<void> measure_counts(const MeanReader& means, const Interval& window,
                            const TactelReadout& readout, RecordedImage& image) {
  auto loaded = means.readings(window);
  if (!loaded) return fail(loaded.error());
  std::vector<double> rest;
  if (const auto* zero = means.zero_near(window.begin_s)) {
    auto unloaded = means.readings(*zero);
    if (!unloaded) return fail(unloaded.error());
    rest = std::move(unloaded->means);
  }
  image.readings = loaded->rows;
  for (std::size_t i = 0; i < loaded->means.size(); ++i) {
    double above = readout.above_rest_of(i, loaded->means[i]);
    if (i < rest.size() && !std::isnan(rest[i])) above -= readout.above_rest_of(i, rest[i]);
    image.counts.push_back(above);
  }
  return {};
}

/// From the end of the press before to the beginning of the next.
TimeRange neighbours_of(const std::vector<ImagePress>& presses, std::size_t i) {
  TimeRange range;
  if (i > 0) range.begin_s = presses[i - 1].end_s;
  if (i + 1 < presses.size()) range.end_s = presses[i + 1].begin_s;
  return range;
}

std::string place_of(const RecordedImage& image) {
  return fmt::format("{}: image {}", image.session, image.press.number);
}

}  // namespace

Result<RecordedImages> recorded_images(const OpenSession& opened, const SensorModel& model,
                                       const TactelReadout& readout, const Job& job) {
  const Session& session = opened.session();
  const auto& metadata = session.metadata();
  if (!same_arrays(model.sensor, metadata.sensor))
    return fail(ErrorCode::kInvalidInput, "{}: its sensor has another layout than the model's",
                opened.name());
  const auto presses = image_presses(session.events());
  if (!presses) return fail(presses.error(), opened.name());
  auto zeros = intervals(session.events(), "zero");
  if (!zeros) return fail(zeros.error(), opened.name());
  const auto clocks = viewing_clocks(session, job);
  if (!clocks) return fail(clocks.error(), opened.name());
  const MeanReader means(session, *clocks, std::move(*zeros), job);
  RecordedImages found;
  for (std::size_t i = 0; i < presses->size(); ++i) {
    if (job.stopped()) return Job::cancelled();
    const auto& press = (*presses)[i];
    RecordedImage image{opened.name(), metadata.mount, press, 0, false, {}, 0};
    const Interval window{std::max(press.begin_s, press.end_s - kWindow_s), press.end_s};
    image.under_load_s = (window.begin_s + window.end_s) / 2 - press.begin_s;
    if (auto done = measure_counts(means, window, readout, image); !done)
      return fail(done.error(), place_of(image));
    if (auto done = measure_load(means, window, metadata.gravity_m_per_s2, image); !done)
      return fail(done.error(), place_of(image));
    if (image.readings == 0 || !(image.load_N > 0)) {
      found.warnings.push_back({"IM-06",
                                image.readings == 0 ? "no readings while it was pressed"
                                                    : "neither its mass nor its force is known",
                                place_of(image)});
      continue;
    }
    if (!image.by_hand()) {
      auto course =
          recorded_course(session, *clocks, press, neighbours_of(*presses, i), readout, job);
      if (!course) return fail(course.error(), place_of(image));
      image.course = std::move(*course);
      if (image.course && image.load_measured)
        image.crest = std::max(1.0, crest_N(*image.course, window.end_s) / image.load_N);
    }
    found.images.push_back(std::move(image));
  }
  return found;
}

}  // namespace tactelier
