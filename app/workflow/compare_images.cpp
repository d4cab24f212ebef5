#include "app/workflow/compare_images.hpp"

#include <algorithm>
#include <cmath>

#include "app/workflow/compare_summary.hpp"
#include "app/workflow/earlier_loads.hpp"
#include "app/workflow/pose_registration.hpp"
#include "app/workflow/prediction_interval.hpp"
#include "app/workflow/recorded_images.hpp"
#include "app/workflow/repeat_figures.hpp"
#include "app/workflow/simulate_image.hpp"
#include "libcalib/forward/image_features.hpp"
#include "libcalib/forward/mesh_body.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr double kActive = 0.01;                         // of full scale
constexpr std::string_view kRegistered = " registered";  // behind the name of a method

/// Of a model that outlives it.
struct Predictor : ImagePredictor {
  Predictor(const SensorModel& of, ImagePredictor made)
      : ImagePredictor(std::move(made)), model(of) {}
  const SensorModel& model;
};

/// A method that the model can't serve is told and left out, unless it is the only one.
Result<std::vector<Predictor>> predictors_of(const SensorModel& model,
                                             const CompareRequest& request, CompareReport& report) {
  std::vector<Predictor> predictors;
  std::optional<Error> last;
  for (const auto& name : request.methods) {
    auto predictor = ImagePredictor::create(model, name);
    if (predictor) {
      predictors.emplace_back(model, std::move(*predictor));
      continue;
    }
    last = predictor.error();
    if (last->code != ErrorCode::kUnidentifiable) return fail(*last);
    report.left_out.push_back(name);
    report.warnings.push_back({"FW-10", last->message, name});
  }
  if (predictors.empty() && last) return fail(*last);
  for (const auto& [name, method] : request.others)
    predictors.emplace_back(model, ImagePredictor::with(model, name, method));
  return predictors;
}

PressPose recorded_pose(const ImagePress& press) {
  return {press.x_m, press.y_m, press.rz_rad, press.tilt_x_rad, press.tilt_y_rad};
}

/// What was asked for: the same for all repeats of a press.
std::string load_words(const RecordedImage& image) {
  if (image.by_hand()) return fmt::format("{:.4g} g", *image.press.mass_kg * 1e3);
  return fmt::format("{:.3g} N", image.press.force_N.value_or(image.load_N));
}

/// Where the indenter truly stood: the model's registration is the stage's, in the mounting that it
/// was fitted with. A hand puts things where the sensor is.
PressPose pose_of(const SensorModel& model, const RecordedImage& image) {
  const auto& press = image.press;
  auto pose = recorded_pose(press);
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
  const auto readout = predictor.readout.after(compared.history);
  const auto intervals = PredictionInterval(predictor.model, *psf, readout)
                             .of(press_of(predictor.model, image),
                                 {image.readings, image.load_measured, placing}, random);
  if (!intervals) return fail(intervals.error());
  return within_intervals(predictor, compared, *intervals);
}

void rate_course(const Predictor& predictor, const RecordedImage& image, ComparedImage& compared) {
  if (!image.course) return;
  compared.course = course_figures(predictor.model, *predictor.method, predictor.readout,
                                   compared.press, *image.course);
  if (!compared.course) return;
  at(compared.metrics, ImageMetric::kLatency) = compared.course->latency_s;
  at(compared.metrics, ImageMetric::kLoop) =
      compared.course->measured_loop_percent - compared.course->predicted_loop_percent;
}

/// Adds its load to those before the next.
Result<ComparedImage> compared_with(const Predictor& predictor, const RecordedImage& image,
                                    const Placing& placing, EarlierLoads& earlier,
                                    RandomSource& random, Warnings& warnings) {
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
                         recorded_pose(image.press),
                         load_words(image),
                         image.load_N,
                         earlier.before(image),
                         {},
                         image.counts,
                         {},
                         {},
                         press_of(predictor.model, image),
                         {}};
  compared.predicted = predictor.readout.after(compared.history).above_rest(predicted->force_N);
  earlier.add(image, predicted->force_N);
  if (!(image_total(image.counts) > 0))
    add_once({"IM-01", "the image is empty once rest is taken off", place_of(image)}, warnings);
  compared.metrics =
      compare_images(predictor.layout, predictor.scale, compared.predicted, compared.measured);
  compared.contact = contact_errors(predictor.scale, compared.predicted, compared.measured);
  const auto covered = coverage(predictor, image, compared, placing, random);
  if (!covered) return fail(covered.error());
  at(compared.metrics, ImageMetric::kCoverage) = *covered;
  rate_course(predictor, image, compared);
  return compared;
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

/// Meshes that the recorded indenters name lie beside the recording; a press without its mesh is
/// left out.
void add_with_meshes(std::vector<RecordedImage> found, MeshFiles& meshes,
                     std::vector<RecordedImage>& images, Warnings& warnings) {
  for (auto& image : found) {
    if (auto loaded = meshes.load(image.press.indenter); !loaded)
      add_once(warning_of(loaded.error().message, place_of(image)), warnings);
    else
      images.push_back(std::move(image));
  }
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
    MeshFiles meshes(std::filesystem::is_directory(path) ? path : path.parent_path());
    add_with_meshes(std::move(found->images), meshes, images, warnings);
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
  EarlierLoads earlier(predictor.model.response.zero_return_time.value.value_or(0));
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (job.stopped()) return Job::cancelled();
    job.progress("compare by " + predictor.name, static_cast<double>(i),
                 static_cast<double>(recorded.size()));
    const auto& image = recorded[i];
    auto compared = compared_with(predictor, image, image.by_hand() ? placing : Placing{}, earlier,
                                  random, warnings);
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

/// The images of a method as they would be had every indenter stood where its prediction fits best.
Result<MethodImages> register_all(const Predictor& predictor, const MethodImages& stated,
                                  Warnings& warnings, const Job& job) {
  MethodImages registered{{}, stated.repeats};
  std::size_t astray = 0;
  for (const auto& image : stated.images) {
    if (job.stopped()) return Job::cancelled();
    job.progress("register by " + predictor.name, static_cast<double>(registered.images.size()),
                 static_cast<double>(stated.images.size()));
    const auto shift = register_pose(predictor, image);
    if (!shift) return fail(shift.error());
    astray += at_limit(*shift, predictor.layout.pitch_m) ? 1 : 0;
    auto moved = predict_moved(predictor, image, *shift);
    if (!moved) return fail(moved.error());
    moved->method += kRegistered;
    registered.images.push_back(std::move(*moved));
  }
  if (astray > 0)
    warnings.push_back({"IM-05",
                        fmt::format("{} of {} images fit best two pitches or more from where they "
                                    "were recorded: check the order of the tactels, and flips",
                                    astray, registered.images.size()),
                        predictor.name});
  if (predictor.scale.full_scale)
    rate_by_repeats(registered.repeats, *predictor.scale.full_scale, registered.images);
  return registered;
}

/// Of one method of several: the whole is told, not each anew.
Job part_of(const Job& whole, std::size_t method, std::size_t methods) {
  auto part = whole;
  part.on_progress = [&whole, method, methods](const Progress& progress) {
    const double share = progress.total > 0 ? progress.done / progress.total : 0;
    whole.progress(progress.what, static_cast<double>(method) + share,
                   static_cast<double>(methods));
  };
  return part;
}

void add_method(const std::string& name, MethodImages made, RandomSource& random,
                CompareReport& report) {
  report.summary[name] = summary_of(made.images, made.repeats, random);
  report.strata[name] = strata_of(made.images, made.repeats, random);
  std::move(made.images.begin(), made.images.end(), std::back_inserter(report.images));
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
  return compare_with_sessions(*model, request, job);
}

Result<CompareReport> compare_with_sessions(const SensorModel& model, const CompareRequest& request,
                                            const Job& job) {
  CompareReport report;
  const auto predictors = predictors_of(model, request, report);
  if (!predictors) return fail(predictors.error(), request.model.filename().string());
  const auto recorded = read_all(request, predictors->front(), report.warnings, job);
  if (!recorded) return fail(recorded.error());
  for (const auto& predictor : *predictors) {
    RandomSource random(request.seed);
    const auto part =
        part_of(job, static_cast<std::size_t>(&predictor - predictors->data()), predictors->size());
    auto made = predict_all(predictor, *recorded, random, report.warnings, part);
    if (!made) return fail(made.error());
    if (report.images.empty()) report.floor = floor_of(predictor, made->repeats, made->images);
    warn_of_lost_directions(predictor, made->images, report.warnings);
    std::optional<MethodImages> registered;
    if (request.registered) {
      auto found = register_all(predictor, *made, report.warnings, part);
      if (!found) return fail(found.error());
      registered = std::move(*found);
    }
    add_method(predictor.name, std::move(*made), random, report);
    if (registered)
      add_method(predictor.name + std::string(kRegistered), std::move(*registered), random, report);
  }
  if (request.images.empty()) return report;
  if (auto kept = keep_images(model.sensor, report.images, request.images); !kept)
    return fail(kept.error());
  return report;
}

}  // namespace tactelier
