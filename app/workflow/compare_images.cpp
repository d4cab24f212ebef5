#include "app/workflow/compare_images.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/workflow/prediction_interval.hpp"
#include "app/workflow/press_repeats.hpp"
#include "app/workflow/recorded_images.hpp"
#include "app/workflow/simulate_image.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/forward/image_features.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr int kResamples = 2000;
constexpr std::size_t kFewest = 5;  // images for an interval of their median
constexpr double kActive = 0.01;    // of full scale

/// All that predictions of one model by one method need.
struct Predictor {
  const SensorModel& model;
  std::string name;  // of the method
  std::unique_ptr<ForwardMethod> method;
  TactelReadout readout;
  ImageLayout layout;
  ImageScale scale;
};

Result<Predictor> predictor_of(const SensorModel& model, const std::string& name) {
  const auto info = find_forward_method(name);
  if (!info) return fail(info.error());
  auto method = (*info)->create(model);
  if (!method) return fail(method.error());
  TactelReadout readout(model);
  ImageScale scale{readout.full_scale(), readout.contact_levels()};
  return Predictor{
      model,           name, std::move(*method), std::move(readout), ImageLayout::of(model.sensor),
      std::move(scale)};
}

Result<std::vector<Predictor>> predictors_of(const SensorModel& model,
                                             const std::vector<std::string>& methods) {
  std::vector<Predictor> predictors;
  for (const auto& name : methods) {
    auto predictor = predictor_of(model, name);
    if (!predictor) return fail(predictor.error());
    predictors.push_back(std::move(*predictor));
  }
  return predictors;
}

/// Where the indenter truly stood: the model's registration is the stage's, in the mounting that it
/// was fitted with. A hand puts things where the sensor is.
PressPose pose_of(const SensorModel& model, const RecordedImage& image) {
  const auto& press = image.press;
  PressPose pose{press.x_m, press.y_m, press.rz_rad, press.tilt_x_rad, press.tilt_y_rad};
  if (image.by_hand() || image.mount != model.conditions.mount) return pose;
  const auto& frame = model.psf.registration;
  const double turn_rad = frame.rz.value.value_or(0);
  const double c = std::cos(turn_rad), s = std::sin(turn_rad);
  pose.x_m = c * press.x_m - s * press.y_m + frame.x.value.value_or(0);
  pose.y_m = s * press.x_m + c * press.y_m + frame.y.value.value_or(0);
  pose.rz_rad += turn_rad;
  return pose;
}

StaticPress press_of(const SensorModel& model, const RecordedImage& image) {
  return {image.press.indenter, pose_of(model, image), {PressLoad::By::kForce, image.load_N, 0}};
}

std::string place_of(const RecordedImage& image) {
  return fmt::format("{}: image {}", image.session, image.press.number);
}

/// What several methods find of one recording is told once.
void add_once(Warning warning, Warnings& warnings) {
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
    warnings.push_back(std::move(warning));
}

/// Percent of the active, unsaturated readings that lie within their interval.
std::optional<double> within_intervals(const Predictor& predictor, const ComparedImage& compared,
                                       const std::vector<std::array<double, 2>>& intervals) {
  int judged = 0, within = 0;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const double predicted = compared.predicted[i], measured = compared.measured[i];
    const bool active = predicted > kActive * predictor.scale.full_scale.value_or(0);
    if (!active || std::isnan(measured) || predictor.readout.at_top(i, predicted)) continue;
    ++judged;
    within += measured >= intervals[i][0] && measured <= intervals[i][1];
  }
  return judged > 0 ? std::optional(100.0 * within / judged) : std::nullopt;
}

/// Empty for methods without intervals: all but psf.
Result<std::optional<double>> coverage(const Predictor& predictor, const RecordedImage& image,
                                       const ComparedImage& compared, const Placing& placing,
                                       RandomSource& random) {
  const auto* psf = dynamic_cast<const PsfMethod*>(predictor.method.get());
  if (!psf) return std::optional<double>();
  const auto intervals = PredictionInterval(predictor.model, *psf, predictor.readout)
                             .of(press_of(predictor.model, image),
                                 {image.readings, image.load_measured, placing}, random);
  if (!intervals) return fail(intervals.error());
  return within_intervals(predictor, compared, *intervals);
}

Result<ComparedImage> compared_with(const Predictor& predictor, const RecordedImage& image,
                                    const Placing& placing, RandomSource& random,
                                    Warnings& warnings) {
  const auto predicted = predictor.method->press(press_of(predictor.model, image));
  if (!predicted) return fail(predicted.error());
  for (auto warning : predicted->warnings) {
    warning.where = place_of(image);
    add_once(std::move(warning), warnings);
  }
  ComparedImage compared{image.session,
                         image.press.number,
                         predictor.name,
                         image.press.indenter.describe(),
                         image.load_N,
                         {},
                         image.counts,
                         {},
                         {}};
  compared.predicted = predictor.readout.above_rest(predicted->force_N);
  if (!(image_total(image.counts) > 0))
    add_once({"IM-01", "the image is empty once rest is taken off", place_of(image)}, warnings);
  compared.metrics =
      compare_images(predictor.layout, predictor.scale, compared.predicted, compared.measured);
  compared.contact = contact_errors(predictor.scale, compared.predicted, compared.measured);
  const auto covered = coverage(predictor, image, compared, placing, random);
  if (!covered) return fail(covered.error());
  at(compared.metrics, ImageMetric::kCoverage) = *covered;
  return compared;
}

/// Mean distance of the model to the measured images over that of these among themselves.
void rate_by_repeats(const Repeats& repeats, double full_scale,
                     std::vector<ComparedImage>& images) {
  for (const auto& group : repeats) {
    double of_model = 0, own = 0;
    int pairs = 0;
    for (std::size_t a = 0; a < group.size(); ++a) {
      const auto& image = images[group[a]];
      of_model += active_distance(image.predicted, full_scale, image.predicted, image.measured);
      for (std::size_t b = 0; b < a; ++b, ++pairs)
        own +=
            active_distance(image.predicted, full_scale, image.measured, images[group[b]].measured);
    }
    if (own <= 0) continue;
    const double rho = of_model / static_cast<double>(group.size()) / (own / pairs);
    for (const auto i : group) at(images[i].metrics, ImageMetric::kRho) = rho;
  }
}

/// Of `total` its size: too much and too little are both errors.
std::optional<double> rated(ImageMetric metric, const ImageMetricValues& values) {
  const auto& value = at(values, metric);
  return value && metric == ImageMetric::kTotal ? std::optional(std::abs(*value)) : value;
}

ImageMetricValues floor_of(const Predictor& predictor, const Repeats& repeats,
                           const std::vector<ComparedImage>& images) {
  std::array<std::vector<double>, kImageMetrics> found;
  for (const auto& group : repeats)
    for (std::size_t a = 0; a < group.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const auto values = compare_images(predictor.layout, predictor.scale,
                                           images[group[a]].measured, images[group[b]].measured);
        for (const auto& info : image_metrics())
          if (const auto value = rated(info.metric, values))
            found[static_cast<std::size_t>(info.metric)].push_back(*value);
      }
  ImageMetricValues floor;
  for (std::size_t k = 0; k < kImageMetrics; ++k)
    if (!found[k].empty()) floor[k] = median(found[k]);
  return floor;
}

std::optional<std::array<double, 2>> interval_of_median(const std::vector<double>& values,
                                                        RandomSource& random) {
  if (values.size() < kFewest) return {};
  std::vector<double> medians, drawn(values.size());
  for (int k = 0; k < kResamples; ++k) {
    for (auto& value : drawn) value = values[random.below(values.size())];
    medians.push_back(median(drawn));
  }
  return std::array{quantile(medians, 0.025), quantile(medians, 0.975)};
}

/// One value for each image; totals are judged by the mean of the repeats of a press, of which a
/// single one scatters by itself.
std::vector<double> judged_values(ImageMetric metric, const std::vector<ComparedImage>& images,
                                  const Repeats& repeats) {
  std::vector<double> values;
  std::vector<bool> summed(images.size(), false);
  if (metric == ImageMetric::kTotal)
    for (const auto& group : repeats) {
      double predicted = 0, measured = 0;
      for (const auto i : group) {
        const auto [a, b] = compared_totals(images[i].predicted, images[i].measured);
        predicted += a;
        measured += b;
        summed[i] = true;
      }
      if (measured > 0) values.push_back(std::abs(100 * (predicted / measured - 1)));
    }
  for (std::size_t i = 0; i < images.size(); ++i)
    if (const auto value = rated(metric, images[i].metrics); value && !summed[i])
      values.push_back(*value);
  return values;
}

std::map<ImageMetric, MetricSummary> summary_of(const std::vector<ComparedImage>& images,
                                                const Repeats& repeats, RandomSource& random) {
  std::map<ImageMetric, MetricSummary> summary;
  for (const auto& info : image_metrics()) {
    const auto values = judged_values(info.metric, images, repeats);
    if (values.empty()) continue;
    summary[info.metric] = {median(values), quantile(values, info.error ? 0.95 : 0.05),
                            interval_of_median(values, random), values.size()};
  }
  return summary;
}

/// Predicted images with a direction whose measurement shows none.
void warn_of_lost_directions(const Predictor& predictor, const std::vector<ComparedImage>& images,
                             Warnings& warnings) {
  int elongated = 0, lost = 0;
  if (!predictor.scale.full_scale) return;
  for (const auto& image : images) {
    const auto predicted =
        image_orientation(predictor.layout, image.predicted, 0.02 * *predictor.scale.full_scale);
    if (!predicted || predicted->elongation < kLeastElongation) continue;
    ++elongated;
    lost += !at(image.metrics, ImageMetric::kOrientation);
  }
  if (lost > 0)
    warnings.push_back({"IM-02",
                        fmt::format("{} of {} images whose prediction by {} has a direction show "
                                    "none",
                                    lost, elongated, predictor.name),
                        ""});
}

Result<void> keep_image(const SensorDescription& sensor, const ComparedImage& compared,
                        const std::filesystem::path& folder) {
  const auto stem =
      fmt::format("{}-{}", std::filesystem::path(compared.session).stem().string(), compared.image);
  for (const auto& [name, values] : {std::pair{std::string("measured"), &compared.measured},
                                     {compared.method, &compared.predicted}}) {
    const auto image = image_of(sensor, *values, "counts");
    if (!image) return fail(image.error());
    const auto file = folder / fmt::format("{}-{}.csv", stem, name);
    if (auto written = write_image(*image, {}, file); !written) return written;
  }
  return {};
}

Result<std::vector<RecordedImage>> read_all(const CompareRequest& request,
                                            const Predictor& predictor, Warnings& warnings,
                                            const Job& job) {
  std::vector<RecordedImage> images;
  for (const auto& path : request.sessions) {
    const auto opened = OpenSession::open(path, job);
    if (!opened) return fail(opened.error());
    auto found = recorded_images(*opened, predictor.model, predictor.readout, job);
    if (!found) return fail(found.error());
    std::move(found->images.begin(), found->images.end(), std::back_inserter(images));
    for (const auto& more :
         {opened->warnings(), found->warnings, damage_warnings(opened->session(), opened->name())})
      warnings.insert(warnings.end(), more.begin(), more.end());
  }
  if (images.empty())
    return fail(ErrorCode::kInvalidInput,
                "the sessions hold no image presses (events image_begin and image_end): record "
                "protocol step 'images'");
  return images;
}

/// Images of one method, and the recordings beside them.
struct MethodImages {
  std::vector<ComparedImage> images;
  Repeats repeats;
};

Result<MethodImages> predict_all(const Predictor& predictor,
                                 const std::vector<RecordedImage>& recorded, RandomSource& random,
                                 Warnings& warnings, const Job& job) {
  const auto placing = placing_of(predictor.layout, predictor.scale.full_scale, recorded);
  MethodImages made;
  std::vector<RecordedImage> kept;  // beside made.images
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (job.stopped()) return Job::cancelled();
    job.progress("compare by " + predictor.name, static_cast<double>(i),
                 static_cast<double>(recorded.size()));
    const auto& image = recorded[i];
    auto compared =
        compared_with(predictor, image, image.by_hand() ? placing : Placing{}, random, warnings);
    if (!compared && kept.empty() && i + 1 == recorded.size())
      return fail(compared.error(), place_of(image));
    if (!compared) {
      add_once(warning_of(compared.error().message, place_of(image)), warnings);
      continue;
    }
    kept.push_back(image);
    made.images.push_back(std::move(*compared));
  }
  made.repeats = repeats_of(kept);
  if (predictor.scale.full_scale)
    rate_by_repeats(made.repeats, *predictor.scale.full_scale, made.images);
  return made;
}

Result<void> keep_images(const SensorDescription& sensor, const std::vector<ComparedImage>& images,
                         const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const auto& image : images)
    if (auto done = keep_image(sensor, image, folder); !done) return done;
  return {};
}

}  // namespace

Result<CompareReport> compare_with_sessions(const CompareRequest& request, const Job& job) {
  for (const auto& method : request.methods)
    if (const auto known = find_forward_method(method); !known) return fail(known.error());
  const auto model = read_model(request.model);
  if (!model) return fail(model.error());
  const auto predictors = predictors_of(*model, request.methods);
  if (!predictors) return fail(predictors.error(), request.model.filename().string());
  CompareReport report;
  const auto recorded = read_all(request, predictors->front(), report.warnings, job);
  if (!recorded) return fail(recorded.error());
  for (const auto& predictor : *predictors) {
    RandomSource random(request.seed);
    auto made = predict_all(predictor, *recorded, random, report.warnings, job);
    if (!made) return fail(made.error());
    if (report.images.empty()) report.floor = floor_of(predictor, made->repeats, made->images);
    report.summary[predictor.name] = summary_of(made->images, made->repeats, random);
    warn_of_lost_directions(predictor, made->images, report.warnings);
    std::move(made->images.begin(), made->images.end(), std::back_inserter(report.images));
  }
  if (request.images.empty()) return report;
  if (auto kept = keep_images(model->sensor, report.images, request.images); !kept)
    return fail(kept.error());
  return report;
}

std::string error_metrics() {
  std::string names;
  for (const auto& info : image_metrics())
    if (info.error) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

Result<MetricLimit> parse_limit(const std::string& text) {
  const auto equals = text.find('=');
  const auto name = text.substr(0, equals);
  const auto* metric = find_image_metric(name);
  if (!metric || equals == text.npos)
    return fail(ErrorCode::kUsage, "--fail-above {}: give METRIC=VALUE, METRIC one of {}", text,
                error_metrics());
  if (!metric->error)
    return fail(ErrorCode::kUsage, "--fail-above {}: of {} more is better", text, name);
  MetricLimit limit{metric, 0};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, limit.most);
  if (error != std::errc{} || stop != end || !std::isfinite(limit.most))
    return fail(ErrorCode::kUsage, "--fail-above {}: '{}' is no number", text,
                text.substr(equals + 1));
  return limit;
}

}  // namespace tactelier
