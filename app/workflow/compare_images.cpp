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

/// All that predictions of one model need.
struct Predictor {
  const SensorModel& model;
  PsfMethod method;
  TactelReadout readout;
  ImageLayout layout;
  ImageScale scale;
};

Result<Predictor> predictor_of(const SensorModel& model) {
  auto method = PsfMethod::create(model);
  if (!method) return fail(method.error());
  TactelReadout readout(model);
  ImageScale scale{readout.full_scale(), readout.contact_levels()};
  return Predictor{model, std::move(*method), std::move(readout), ImageLayout::of(model.sensor),
                   std::move(scale)};
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

/// Percent of the active, unsaturated readings that lie within their interval.
std::optional<double> coverage(const Predictor& predictor, const ComparedImage& compared,
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

Result<ComparedImage> compared_with(const Predictor& predictor, const RecordedImage& image,
                                    const Placing& placing, RandomSource& random,
                                    Warnings& warnings) {
  const auto press = press_of(predictor.model, image);
  const auto predicted = predictor.method.press(press);
  if (!predicted) return fail(predicted.error());
  for (auto warning : predicted->warnings) {
    warning.where = place_of(image);
    warnings.push_back(std::move(warning));
  }
  ComparedImage compared{image.session,
                         image.press.number,
                         "psf",
                         image.press.indenter.describe(),
                         image.load_N,
                         {},
                         image.counts,
                         {},
                         {}};
  compared.predicted = predictor.readout.above_rest(predicted->force_N);
  if (!(image_total(image.counts) > 0))
    warnings.push_back({"IM-01", "the image is empty once rest is taken off", place_of(image)});
  compared.metrics =
      compare_images(predictor.layout, predictor.scale, compared.predicted, compared.measured);
  compared.contact = contact_errors(predictor.scale, compared.predicted, compared.measured);
  const PredictionInterval interval(predictor.model, predictor.method, predictor.readout);
  const auto intervals = interval.of(press, {image.readings, image.load_measured, placing}, random);
  if (!intervals) return fail(intervals.error());
  at(compared.metrics, ImageMetric::kCoverage) = coverage(predictor, compared, *intervals);
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
void warn_of_lost_directions(const Predictor& predictor, CompareReport& report) {
  int elongated = 0, lost = 0;
  if (!predictor.scale.full_scale) return;
  for (const auto& image : report.images) {
    const auto predicted =
        image_orientation(predictor.layout, image.predicted, 0.02 * *predictor.scale.full_scale);
    if (!predicted || predicted->elongation < kLeastElongation) continue;
    ++elongated;
    lost += !at(image.metrics, ImageMetric::kOrientation);
  }
  if (lost > 0)
    report.warnings.push_back(
        {"IM-02",
         fmt::format("{} of {} images whose prediction has a direction show none", lost, elongated),
         ""});
}

Result<void> keep_image(const Predictor& predictor, const ComparedImage& compared,
                        const std::filesystem::path& folder) {
  const auto stem =
      fmt::format("{}-{}", std::filesystem::path(compared.session).stem().string(), compared.image);
  for (const auto& [name, values] :
       {std::pair{"measured", &compared.measured}, {"psf", &compared.predicted}}) {
    const auto image = image_of(predictor.model.sensor, *values, "counts");
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

}  // namespace

Result<CompareReport> compare_with_sessions(const CompareRequest& request, const Job& job) {
  for (const auto& method : request.methods)
    if (auto known = check_method(method); !known) return fail(known.error());
  const auto model = read_model(request.model);
  if (!model) return fail(model.error());
  const auto predictor = predictor_of(*model);
  if (!predictor) return fail(predictor.error(), request.model.filename().string());
  CompareReport report;
  const auto recorded = read_all(request, *predictor, report.warnings, job);
  if (!recorded) return fail(recorded.error());
  const auto placing = placing_of(predictor->layout, predictor->scale.full_scale, *recorded);
  RandomSource random(request.seed);
  std::vector<RecordedImage> kept;  // beside report.images
  for (std::size_t i = 0; i < recorded->size(); ++i) {
    if (job.stopped()) return Job::cancelled();
    job.progress("compare", static_cast<double>(i), static_cast<double>(recorded->size()));
    const auto& image = (*recorded)[i];
    auto compared = compared_with(*predictor, image, image.by_hand() ? placing : Placing{}, random,
                                  report.warnings);
    if (!compared && kept.empty() && i + 1 == recorded->size())
      return fail(compared.error(), place_of(image));
    if (!compared) {
      report.warnings.push_back(warning_of(compared.error().message, place_of(image)));
      continue;
    }
    kept.push_back(image);
    report.images.push_back(std::move(*compared));
  }
  const auto repeats = repeats_of(kept);
  if (predictor->scale.full_scale)
    rate_by_repeats(repeats, *predictor->scale.full_scale, report.images);
  report.floor = floor_of(*predictor, repeats, report.images);
  report.summary["psf"] = summary_of(report.images, repeats, random);
  warn_of_lost_directions(*predictor, report);
  if (request.images.empty()) return report;
  std::error_code error;
  std::filesystem::create_directories(request.images, error);
  for (const auto& image : report.images)
    if (auto done = keep_image(*predictor, image, request.images); !done) return fail(done.error());
  return report;
}

namespace {

/// Two images of one kind, and what is known of the sensor.
struct ReadPair {
  ImageFile a, b;
  ImageLayout layout;
  ImageScale scale;
};

std::string name_of(const std::filesystem::path& file) { return file.filename().string(); }

Result<void> check_alike(const ImagePairRequest& request, const ReadPair& pair) {
  const auto &a = pair.a.layout.grids[0], &b = pair.b.layout.grids[0];
  if (a.rows != b.rows || a.columns != b.columns)
    return fail(ErrorCode::kInvalidInput, "{} has {} x {} tactels, {} has {} x {}",
                name_of(request.a), a.rows, a.columns, name_of(request.b), b.rows, b.columns);
  if (!pair.a.unit.empty() && !pair.b.unit.empty() && pair.a.unit != pair.b.unit)
    return fail(ErrorCode::kInvalidInput, "{} is in {}, {} in {}", name_of(request.a), pair.a.unit,
                name_of(request.b), pair.b.unit);
  return {};
}

/// Layout from the model; of counts full scale, contact and rest, too. Newtons have no rest.
Result<void> use_model(const SensorModel& model, ReadPair& pair) {
  const TactelReadout readout(model);
  if (readout.tactels() != pair.a.values.size())
    return fail(ErrorCode::kInvalidInput, "the images have {} tactels, the model has {}",
                pair.a.values.size(), readout.tactels());
  pair.layout = ImageLayout::of(model.sensor);
  if (pair.a.unit == "N" || pair.b.unit == "N") return {};
  pair.scale = {readout.full_scale(), readout.contact_levels()};
  for (auto* image : {&pair.a, &pair.b})
    for (std::size_t i = 0; i < image->values.size(); ++i)
      image->values[i] = readout.above_rest_of(i, image->values[i]);
  return {};
}

Result<ReadPair> read_pair(const ImagePairRequest& request) {
  auto a = read_image(request.a);
  if (!a) return fail(a.error());
  auto b = read_image(request.b);
  if (!b) return fail(b.error());
  auto layout = a->layout.pitch_m > 0 ? a->layout : b->layout;
  ReadPair pair{std::move(*a), std::move(*b), std::move(layout), {}};
  if (auto alike = check_alike(request, pair); !alike) return fail(alike.error());
  if (!request.model.empty()) {
    const auto model = read_model(request.model);
    if (!model) return fail(model.error());
    if (auto used = use_model(*model, pair); !used) return fail(used.error());
  }
  const auto& grid = pair.a.layout.grids[0];
  if (request.pitch_m)
    pair.layout = ImageLayout::of_grid(grid.rows, grid.columns, *request.pitch_m, *request.pitch_m);
  if (request.full_scale) pair.scale.full_scale = request.full_scale;
  return pair;
}

}  // namespace

Result<ImagePair> compare_image_files(const ImagePairRequest& request) {
  const auto read = read_pair(request);
  if (!read) return fail(read.error());
  ImagePair pair{compare_images(read->layout, read->scale, read->a.values, read->b.values), {}};
  if (!(read->layout.pitch_m > 0))
    pair.warnings.push_back({"NO-PITCH", "without --pitch or --model no metric is a length", ""});
  if (!read->scale.full_scale)
    pair.warnings.push_back(
        {"NO-FULL-SCALE", "without --full-scale or --model no metric refers to full scale", ""});
  return pair;
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
