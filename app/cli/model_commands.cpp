// sensors, fit, show, apply, export

#include <array>

#include "app/cli/commands.hpp"
#include "app/workflow/apply_model.hpp"
#include "app/workflow/compare_content.hpp"
#include "app/workflow/exit_status.hpp"
#include "fitting/engine/purpose.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/resources.hpp"
#include "libcalib/sensor/sensor_description.hpp"
#include "libcalib/units.hpp"
#include "reports/model_table.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

std::string layout_text(const SensorDescription& sensor) {
  if (sensor.arrays.size() == 1) {
    const auto& array = sensor.arrays.front();
    return fmt::format("{} x {} tactels, {:g} x {:g} mm", array.rows, array.columns,
                       m_to_mm(array.pitch_x_m), m_to_mm(array.pitch_y_m));
  }
  return fmt::format("{} arrays, {} tactels", sensor.arrays.size(), sensor.tactels());
}

json sensor_json(const SensorDescription& sensor) {
  return {{"name", sensor.name},           {"vendor", sensor.vendor},
          {"model", sensor.model},         {"tactels", sensor.tactels()},
          {"layout", layout_text(sensor)}, {"source", sensor.source}};
}

/// The tables alone: the warnings go to standard error with those of the files.
void print_tables(Console& console, const SensorModel& model, const ModelTableOptions& options) {
  auto sections = model_sections(model, options);
  for (auto& section : sections) section.warnings.clear();
  std::erase_if(sections, [](const Section& section) { return section.tables.empty(); });
  console.print(sections);
}

/// "wts.xml, wts_0042_press.xml: mujoco, 12 values left out (--loss names them)"
std::string export_line(const ExportArguments& arguments, const Exported& exported) {
  std::string files = arguments.output;
  for (const auto& sidecar : exported.sidecars) files += ", " + sidecar.name;
  return fmt::format("{}: {}, {} values left out{}\n", files, arguments.request.format,
                     exported.losses.size(), exported.losses.empty() ? "" : " (--loss names them)");
}

json export_json(const ExportArguments& arguments, const json& files, const Exported& exported) {
  auto losses = json::array();
  for (const auto& loss : exported.losses)
    losses.push_back({{"path", loss.path}, {"reason", loss.reason}});
  return {{"file", files.empty() ? json(nullptr) : files[0]},
          {"files", files},
          {"format", arguments.request.format},
          {"losses", losses}};
}

/// What is left out is the same of all draws.
int run_export_draws(Console& console, const ExportArguments& arguments) {
  const auto draws = export_draws(arguments.request, arguments.draws, arguments.output);
  if (!draws) return console.fail(draws.error());
  const auto written = write_draws(*draws, arguments.replace);
  if (!written) return console.fail(written.error());
  auto files = json::array();
  for (const auto& file : *written) files.push_back(file.string());
  const auto& first = draws->front();
  console.print(fmt::format("{} to {}: {}, {} values left out of each\n", first.file.string(),
                            draws->back().file.filename().string(), arguments.request.format,
                            first.exported.losses.size()));
  return console.finish(export_json(arguments, files, first.exported), first.exported.warnings);
}

/// Empty without image presses to predict.
std::string prediction_text(const std::optional<FitPrediction>& prediction) {
  if (!prediction) return {};
  if (!prediction->report)
    return fmt::format("image presses held out, but not predicted: {}\n", prediction->why_not);
  std::string lines;
  for (const auto& line : compare_content(*prediction->report).headlines)
    lines += "image presses held out: " + line + "\n";
  return lines;
}

json model_json(const SensorModel& model) { return json::parse(to_json(model)); }

}  // namespace

int run_sensors_list(Console& console) {
  auto list = json::array();
  for (const auto& name : shipped_sensors()) {
    const auto sensor = load_sensor(name);
    if (!sensor) return console.fail(sensor.error());
    console.print(fmt::format("{:<20} {} {}, {}\n", name, sensor->vendor, sensor->model,
                              layout_text(*sensor)));
    list.push_back(sensor_json(*sensor));
  }
  return console.finish({{"sensors", list}}, {});
}

int run_sensors_show(Console& console, const std::string& name) {
  const auto sensor = load_sensor(name);
  if (!sensor) return console.fail(sensor.error());
  const auto number = [](const std::optional<double>& value, std::string_view unit) {
    return value ? fmt::format("{:g} {}", *value, unit) : std::string("not known");
  };
  console.print(fmt::format(
      "{} {}\n  layout        {}\n  readings      {} per tactel, {}{}\n  rate          {}\n"
      "  thickness     {}\n  Poisson ratio {}\n  largest force {}\n  largest pressure {}\n  source "
      "       {}\n",
      sensor->vendor, sensor->model, layout_text(*sensor), sensor->channels,
      sensor->adc.bits ? fmt::format("{} bit", *sensor->adc.bits) : "converter not known",
      sensor->falling ? ", falling under load" : "", number(sensor->rate_hz, "Hz"),
      number(sensor->thickness_m, "m"),
      sensor->poisson_ratio ? fmt::format("{:g}", *sensor->poisson_ratio) : "not known",
      number(sensor->max_force_N, "N"), number(sensor->max_pressure_Pa, "Pa"), sensor->source));
  return console.finish(sensor_json(*sensor), check_sensor(*sensor));
}

int run_sensors_check(Console& console, const std::string& file) {
  const auto sensor = load_sensor(file);
  if (!sensor) return console.fail(sensor.error());
  console.print(fmt::format("{}: {}, good\n", file, layout_text(*sensor)));
  return console.finish(sensor_json(*sensor), check_sensor(*sensor));
}

int run_fit(Console& console, const FitRequest& request, const std::string& output) {
  auto report = fit_sessions(request, console.job());
  if (!report) return console.fail(report.error());
  if (auto written = write_model(report->model, output); !written)
    return console.fail(written.error());
  print_tables(console, report->model, {.tactels = false, .presses = false});
  console.print(prediction_text(report->prediction));
  console.note(fmt::format("model written to {}", output));
  for (const auto& unmet : report->unmet) console.note("required, but missing: " + unmet);
  console.note(report->anything_identified
                   ? "identified: " + found_words(report->model)
                   : fmt::format("nothing could be identified of what was asked for ({}); the "
                                 "table says why",
                                 fmt::join(asked_stages(report->model), ", ")));
  const bool missing = !report->anything_identified || !report->unmet.empty();
  return console.finish(model_json(report->model), report->warnings,
                        missing ? kExitMissingResult : kExitDone);
}

int run_show(Console& console, const ShowArguments& arguments) {
  const auto model = read_model(arguments.model);
  if (!model) return console.fail(model.error());
  ModelTableOptions options;
  options.tactels = arguments.tactels;
  options.presses = arguments.presses;
  print_tables(console, *model, options);
  return console.finish(model_json(*model), check_model(*model));
}

int run_apply(Console& console, const std::string& model, const std::string& input,
              const std::string& output) {
  const auto report = apply_model(model, input, output, console.job());
  if (!report) return console.fail(report.error());
  console.print(fmt::format(
      "{}: {} frames; readings below threshold {}, saturated {}, without newtons {} ({:.1f} %)\n",
      output, report->rows, report->below, report->saturated, report->uncalibrated,
      report->uncalibrated_percent()));
  if (report->nothing())
    console.note("no reading became newtons: the model has no tactel with gain and offset");
  auto tactels = json::array();
  for (const auto& group : report->uncalibrated_tactels)
    tactels.push_back({{"reason", group.reason}, {"tactels", group.tactels}});
  return console.finish({{"file", output},
                         {"rows", report->rows},
                         {"readings", report->readings},
                         {"below", report->below},
                         {"saturated", report->saturated},
                         {"uncalibrated", report->uncalibrated},
                         {"uncalibrated_percent", report->uncalibrated_percent()},
                         {"uncalibrated_tactels", tactels}},
                        report->warnings, report->nothing() ? kExitMissingResult : kExitDone);
}

int run_export(Console& console, const ExportArguments& arguments) {
  if (arguments.draws.count > 0) return run_export_draws(console, arguments);
  const auto exported = export_model(arguments.request);
  if (!exported) return console.fail(exported.error());
  auto files = json::array();
  if (!arguments.losses_only) {
    const auto written = write_export(*exported, arguments.output, arguments.replace);
    if (!written) return console.fail(written.error());
    for (const auto& file : *written) files.push_back(file.string());
  }
  for (const auto& loss : exported->losses)
    if (arguments.losses_only) console.print(fmt::format("{:<32} {}\n", loss.path, loss.reason));
  if (!arguments.losses_only) console.print(export_line(arguments, *exported));
  return console.finish(export_json(arguments, files, *exported), exported->warnings);
}

int run_export_list(Console& console) {
  auto list = json::array();
  for (const auto* writer : exporters()) {
    console.print(
        fmt::format("{:<18} {} ({})\n", writer->id(), writer->title(), writer->extension()));
    list.push_back(
        {{"id", writer->id()}, {"title", writer->title()}, {"extension", writer->extension()}});
  }
  return console.finish({{"formats", list}}, {});
}

}  // namespace tactelier::cli
