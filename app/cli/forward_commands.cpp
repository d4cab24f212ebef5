// simulate, compare

#include <algorithm>
#include <cmath>

#include "app/cli/commands.hpp"
#include "app/cli/image_summary_words.hpp"
#include "app/workflow/cluster/submit_shards.hpp"
#include "app/workflow/compare_content.hpp"
#include "app/workflow/compare_image_files.hpp"
#include "app/workflow/compare_images.hpp"
#include "app/workflow/compare_limits.hpp"
#include "app/workflow/exit_status.hpp"
#include "app/workflow/join_shards.hpp"
#include "app/workflow/json_values.hpp"
#include "app/workflow/required_record.hpp"
#include "app/workflow/simulate_batch.hpp"
#include "app/workflow/simulate_image.hpp"
#include "libcalib/forward/image_features.hpp"
#include "libcalib/units.hpp"
#include "reports/section.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

json metrics_json(const ImageMetricValues& values) {
  json metrics;
  for (const auto& info : image_metrics())
    metrics[std::string(info.name)] = or_null(at(values, info.metric));
  return metrics;
}

std::string report_text(const CompareContent& content) {
  std::string text;
  for (const auto& headline : content.headlines) text += headline + "\n";
  std::vector<Section> sections{{"Images", {content.images}, {}}};
  for (const auto& [method, table] : content.methods)
    sections.push_back({"Method " + method, {table}, {}});
  if (content.methods.size() > 1) sections.push_back({"Methods", {content.side_by_side}, {}});
  if (!content.strata.rows.empty()) sections.push_back({"Strata", {content.strata}, {}});
  return text + "\n" + to_text(sections);
}

/// Medians and what 95 % are better than, by name.
void add_summary(const MetricSummaries& summaries, json& median, json& p95) {
  for (const auto& [metric, summary] : summaries) {
    const std::string name(image_metrics()[static_cast<std::size_t>(metric)].name);
    median[name] = summary.median;
    p95[name] = summary.p95;
  }
}

json strata_json(const CompareReport& report) {
  auto found = json::object();
  for (const auto& [method, strata] : report.strata) {
    found[method] = json::array();
    for (const auto& stratum : strata) {
      auto median = json::object(), p95 = json::object();
      add_summary(stratum.summary, median, p95);
      found[method].push_back({{"by", stratum.by},
                               {"value", stratum.value},
                               {"images", stratum.images},
                               {"median", median},
                               {"p95", p95}});
    }
  }
  return found;
}

/// null of an image that was not registered.
json shift_json(const std::optional<PoseShift>& shift) {
  if (!shift) return nullptr;
  return {{"x_mm", m_to_mm(shift->x_m)},
          {"y_mm", m_to_mm(shift->y_m)},
          {"rz_deg", rad_to_deg(shift->rz_rad)}};
}

/// null of what a hand laid on.
json course_json(const std::optional<CourseFigures>& course) {
  if (!course) return nullptr;
  return {{"latency_s", or_null(course->latency_s)},
          {"measured_loop_percent", course->measured_loop_percent},
          {"predicted_loop_percent", course->predicted_loop_percent},
          {"loop_ratio", or_null(course->loop_ratio)}};
}

json report_json(const CompareReport& report) {
  json result{{"images", json::array()},       {"median", json::object()},
              {"p95", json::object()},         {"ci95", json::object()},
              {"strata", strata_json(report)}, {"floor", metrics_json(report.floor)}};
  for (const auto& image : report.images)
    result["images"].push_back({{"session", image.session},
                                {"image", image.image},
                                {"method", image.method},
                                {"indenter", image.indenter},
                                {"load_N", image.load_N},
                                {"false_lit", image.contact.false_lit},
                                {"missed_lit", image.contact.missed_lit},
                                {"shift", shift_json(image.shift)},
                                {"course", course_json(image.course)},
                                {"metrics", metrics_json(image.metrics)}});
  for (const auto& [method, metrics] : report.summary) {
    add_summary(metrics, result["median"][method], result["p95"][method]);
    for (const auto& [metric, summary] : metrics)
      if (summary.ci95)
        result["ci95"][method]
              [std::string(image_metrics()[static_cast<std::size_t>(metric)].name)] = *summary.ci95;
  }
  return result;
}

int finish(Console& console, json result, const Warnings& warnings,
           const std::vector<std::string>& beyond) {
  for (const auto& text : beyond) console.note(text);
  return console.finish(std::move(result), warnings,
                        beyond.empty() ? kExitDone : kExitMissingResult);
}

int compare_sessions(Console& console, const CompareArguments& arguments,
                     const std::vector<MetricLimit>& limits, const json& record) {
  CompareRequest request{arguments.model,
                         {arguments.sessions.begin(), arguments.sessions.end()},
                         arguments.methods,
                         false,
                         {},
                         arguments.seed};
  request.registered = arguments.registered;
  if (!arguments.images.empty()) request.images = arguments.images.front();
  // An option of two values takes the session that follows it.
  if (arguments.images.size() == 2) request.sessions.emplace_back(arguments.images.back());
  const auto report = compare_with_sessions(request, console.job());
  if (!report) return console.fail(report.error());
  console.print(report_text(compare_content(*report)));
  auto result = report_json(*report);
  result["record"] = record;
  return finish(console, std::move(result), report->warnings, beyond_limits(limits, *report));
}

/// Two images, not a folder and the session that CLI11 took for a second value.
bool are_images(const std::vector<std::string>& files) {
  return files.size() == 2 && std::all_of(files.begin(), files.end(), [](const auto& file) {
           return file.ends_with(".csv") || file.ends_with(".json");
         });
}

int compare_pair(Console& console, const CompareArguments& arguments,
                 const std::vector<MetricLimit>& limits, const json& record) {
  ImagePairRequest request{arguments.images[0],
                           arguments.images[1],
                           arguments.model,
                           {},
                           arguments.full_scale,
                           arguments.map,
                           {}};
  if (arguments.pitch_mm) request.pitch_m = mm_to_m(*arguments.pitch_mm);
  request.wish = {arguments.contour_percents, arguments.fingertip};
  const auto pair = compare_image_files(request);
  if (!pair) return console.fail(pair.error());
  const auto beyond = beyond_limits(limits, request.a.filename().string(), pair->metrics);
  for (const auto& info : image_metrics())
    if (const auto& value = at(pair->metrics, info.metric))
      console.print(fmt::format("{:<18} {}\n", metric_title(info), metric_number(info, value)));
  console.print(wished_words(pair->a, "A: ") + wished_words(pair->b, "B: "));
  return finish(console,
                {{"a", request.a.string()},
                 {"b", request.b.string()},
                 {"record", record},
                 {"metrics", metrics_json(pair->metrics)},
                 {"features", {{"a", summary_json(pair->a)}, {"b", summary_json(pair->b)}}}},
                pair->warnings, beyond);
}

/// null where none is asked for.
Result<json> required_record(const CompareArguments& arguments) {
  if (arguments.required_record.empty()) return json(nullptr);
  if (arguments.model.empty())
    return fail(ErrorCode::kUsage, "--require-record: say of which model, --model MODEL");
  const auto record = require_record(arguments.required_record, arguments.model);
  if (!record) return fail(record.error());
  return json{{"name", record->name}, {"file", record->file.string()}};
}

int run_shards(Console& console, const ShardsRequest& request) {
  const auto submitted = submit_shards(request);
  if (!submitted) return console.fail(submitted.error());
  const auto job = submitted->job.empty() ? std::string("written, not submitted")
                                          : fmt::format("job {}", submitted->job);
  if (submitted->script.empty())
    console.print(fmt::format("{}: all {} shards are there\n", request.batch.output.string(),
                              request.shards));
  else
    console.print(fmt::format("{}: {}: {} shards; {} of {} were there\n",
                              submitted->script.string(), job, submitted->submitted,
                              submitted->done, request.shards));
  return console.finish({{"script", submitted->script.string()},
                         {"job", submitted->job},
                         {"shards", request.shards},
                         {"done", submitted->done},
                         {"submitted", submitted->submitted}},
                        {});
}

int run_batch(Console& console, const SimulateArguments& arguments) {
  BatchRequest request;
  request.model = arguments.model;
  request.table = arguments.batch;
  request.output = arguments.output;
  request.indenter = arguments.indenter;
  request.method = arguments.method;
  request.counts = arguments.counts;
  if (arguments.noise) request.seed = arguments.seed;
  request.overwrite = arguments.overwrite;
  request.threads = arguments.threads;
  if (arguments.slurm)
    return run_shards(console,
                      {request, arguments.shards, arguments.settings, arguments.dry_run, {}});
  if (!arguments.shard.empty()) {
    const auto shard = parse_shard(arguments.shard);
    if (!shard) return console.fail(shard.error());
    request.shard = *shard;
  }
  if (arguments.shards > 0 && !arguments.join)
    return console.fail({ErrorCode::kUsage, "--shards: give --slurm or --join, too"});
  const auto made = arguments.join ? join_shards(request, arguments.shards, console.job())
                                   : simulate_batch(request, console.job());
  if (!made) return console.fail(made.error());
  const auto what = made->done_before ? std::string("done before")
                    : arguments.join  ? fmt::format("joined from {} shards", arguments.shards)
                                      : fmt::format("{:.0f} images/s", made->images_per_s);
  console.print(fmt::format("{}: {} images from row {} on, {}\n", made->images.string(),
                            made->count, made->first, what));
  return console.finish({{"images", made->images.string()},
                         {"poses", made->poses.string()},
                         {"unit", made->unit},
                         {"method", request.method},
                         {"model_sha256", made->model_sha256},
                         {"first_row", made->first},
                         {"count", made->count},
                         {"done_before", made->done_before}},
                        made->warnings);
}

}  // namespace

int run_simulate(Console& console, const SimulateArguments& arguments) {
  if (!arguments.batch.empty()) return run_batch(console, arguments);
  if (arguments.indenter.empty())
    return console.fail({ErrorCode::kUsage, "--indenter is missing: say what presses"});
  const auto& pose = arguments.pose;
  SimulateRequest request;
  request.model = arguments.model;
  request.indenter = arguments.indenter;
  request.pose = {mm_to_m(pose.x_mm), mm_to_m(pose.y_mm), deg_to_rad(pose.rz_deg),
                  deg_to_rad(pose.tilt_x_deg), deg_to_rad(pose.tilt_y_deg)};
  request.force_N = arguments.force_N;
  if (arguments.mass_g) request.mass_kg = g_to_kg(*arguments.mass_g);
  if (arguments.depth_mm) request.depth_m = mm_to_m(*arguments.depth_mm);
  request.approach_m_per_s = mm_to_m(arguments.approach_mm_per_s);
  request.method = arguments.method;
  request.counts = arguments.counts;
  if (arguments.noise) request.seed = arguments.seed;
  request.wish = {arguments.contour_percents, arguments.fingertip};
  const auto result = simulate_image(request);
  if (!result) return console.fail(result.error());
  const auto white = arguments.counts ? result->full_scale : std::optional<double>();
  if (auto written = write_image(result->image, white, arguments.output); !written)
    return console.fail(written.error());
  const auto& press = result->press;
  const double total_N = image_total(press.force_N);
  const auto centre = image_centroid(result->image.layout, press.force_N);
  console.print(fmt::format(
      "{}: {:.4g} N on the sensor{}, {:.4g} N read, centre of force ({:.3f}, {:.3f}) mm\n",
      arguments.output, press.load_N,
      press.depth_m ? fmt::format(", {:.4g} mm deep", m_to_mm(*press.depth_m)) : "", total_N,
      centre ? m_to_mm(centre->x_m) : NAN, centre ? m_to_mm(centre->y_m) : NAN));
  console.print(wished_words(result->summary, ""));
  return console.finish(
      {{"image", arguments.output},
       {"unit", result->image.unit},
       {"method", request.method},
       {"load_N", press.load_N},
       {"depth_m", or_null(press.depth_m)},
       {"total_N", total_N},
       {"torque_Nm", press.wrench ? json(press.wrench->torque_Nm) : json(nullptr)},
       {"centroid_m", centre ? json{centre->x_m, centre->y_m} : json(nullptr)},
       {"clipped", result->clipped},
       {"features", summary_json(result->summary)}},
      result->warnings);
}

int run_compare(Console& console, const CompareArguments& arguments) {
  std::vector<MetricLimit> limits;
  for (const auto& text : arguments.fail_above) {
    const auto limit = parse_limit(text);
    if (!limit) return console.fail(limit.error());
    limits.push_back(*limit);
  }
  const bool two_images = arguments.sessions.empty() && are_images(arguments.images);
  const bool one_session = !arguments.sessions.empty() || arguments.images.size() == 2;
  if (!two_images && (arguments.model.empty() || !one_session))
    return console.fail({ErrorCode::kUsage,
                         "give --model MODEL SESSION..., or --images A B to compare two images"});
  if (!two_images && !arguments.map.empty())
    return console.fail({ErrorCode::kUsage, "--map is for two images: --images A B --map MAP"});
  if (!two_images && (!arguments.fingertip.empty() || !arguments.contour_percents.empty()))
    return console.fail(
        {ErrorCode::kUsage, "--fingertip and --contours are for two images: --images A B"});
  const auto record = required_record(arguments);
  if (!record) return console.fail(record.error());
  return two_images ? compare_pair(console, arguments, limits, *record)
                    : compare_sessions(console, arguments, limits, *record);
}

}  // namespace tactelier::cli
