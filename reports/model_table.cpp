#include "reports/model_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "libcalib/model_file/model_file.hpp"
#include "libcalib/units.hpp"
#include "reports/conditioning_words.hpp"
#include "reports/missing_table.hpp"
#include "reports/quantity_text.hpp"
#include "reports/tactel_table.hpp"

namespace tactelier {
namespace {

std::string or_unknown(const std::string& text) { return text.empty() ? "-" : text; }

std::string number(std::optional<double> value, std::string_view unit) {
  const auto text = quantity_text(value, std::nullopt, unit);
  return value ? text.value + " " + text.unit : "-";
}

std::string layout(const SensorDescription& sensor) {
  std::string text;
  for (const auto& array : sensor.arrays) {
    text += text.empty() ? "" : ", ";
    text += fmt::format("{} x {}", array.rows, array.columns);
    if (array.pitch_x_m > 0)
      text += fmt::format(", {:.6g} mm x {:.6g} mm apart", m_to_mm(array.pitch_x_m),
                          m_to_mm(array.pitch_y_m));
  }
  return text;
}

Section sensor_section(const SensorModel& model) {
  const auto& sensor = model.sensor;
  Table table{{"Property", "Value"}, {}};
  const auto add = [&](const char* what, std::string text) {
    table.rows.push_back({what, std::move(text)});
  };
  add("Model",
      or_unknown(sensor.vendor.empty() ? sensor.model : sensor.vendor + " " + sensor.model));
  add("Serial", or_unknown(model.serial));
  add("Tactels", fmt::format("{} ({})", sensor.tactels(), layout(sensor)));
  const double area_m2 = sensor.sensing_area_m2();
  add("Sensing area", area_m2 > 0 ? fmt::format("{:.6g} mm²", m2_to_mm2(area_m2)) : "-");
  add("Thickness", number(sensor.thickness_m, "m") +
                       (is_assumed(model, "sensor.thickness_m") ? " (assumed)" : ""));
  add("Mounting", or_unknown(model.conditions.mount));
  add("Rubber", conditioning_words(model.conditions));
  add("Temperature", number(model.conditions.temperature_degC, "degC"));
  add("Calibration indenter", or_unknown(model.response.calibration_indenter));
  add("Fitted", fmt::format("{} by {}", or_unknown(model.created), or_unknown(model.tool)));
  for (const auto& session : model.provenance.sessions)
    add("Session", fmt::format("{} {}", session.file, session.content_hash.substr(0, 12)));
  return {"Sensor", {std::move(table)}, {}};
}

struct Row {
  std::string path;
  const Parameter* parameter;
};

bool condensed_elsewhere(std::string_view path) {
  return path.starts_with("response.tactels[") || path.starts_with("stiffness.k_punch_tactel[") ||
         path.starts_with("presses[");
}

/// A stiffness says what it holds for: k and k_punch are different quantities.
std::string holds_for(const SensorModel& model, std::string_view path) {
  const auto& stiffness = model.stiffness;
  if (path == "stiffness.k")
    return stiffness.method.empty() ? "" : fmt::format("method '{}'", stiffness.method);
  const bool of_indenter = path == "stiffness.k_punch" || path == "stiffness.k_affine" ||
                           path == "stiffness.intercept" || path == "stiffness.unloading";
  return of_indenter ? stiffness.indenter : "";
}

std::string remark(const SensorModel& model, const Row& row) {
  const auto& parameter = *row.parameter;
  if (!parameter.reason.empty()) return parameter.reason;
  auto text = holds_for(model, row.path);
  if (!parameter.from.empty()) text += (text.empty() ? "from " : ", from ") + parameter.from;
  return text;
}

bool all_for_one_reason(const std::vector<Row>& rows) {
  return rows.size() > 1 && std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
           return !row.parameter->usable() && row.parameter->reason == rows[0].parameter->reason;
         });
}

void add_row(const SensorModel& model, const Row& row, Table& table) {
  const auto text = quantity_text(*row.parameter);
  table.rows.push_back({row.path, text.value, text.uncertainty, text.unit,
                        std::string(to_string(row.parameter->status)), remark(model, row)});
}

/// One line for rows that all lack a value for the same reason; fails when they don't.
bool add_condensed(const std::string& group, const std::vector<Row>& rows, Table& table) {
  if (!all_for_one_reason(rows)) return false;
  table.rows.push_back({group + ".*", "-", "", "",
                        std::string(to_string(rows[0].parameter->status)),
                        rows[0].parameter->reason});
  return true;
}

using Groups = std::vector<std::pair<std::string, std::vector<Row>>>;

void add_to(Groups& groups, const std::string& name, const Row& row) {
  if (groups.empty() || groups.back().first != name) groups.push_back({name, {}});
  groups.back().second.push_back(row);
}

Section parameter_section(const SensorModel& model) {
  Groups groups;  // "friction", "psf" ...
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       if (!condensed_elsewhere(path))
                         add_to(groups, path.substr(0, path.find('.')), {path, &parameter});
                     });
  Table table{{"Parameter", "Value", "± (95 %)", "Unit", "Status", "Remark"}, {}};
  for (const auto& [group, rows] : groups) {
    if (add_condensed(group, rows, table)) continue;
    Groups parts;  // "friction", "friction.contact"
    for (const auto& row : rows) add_to(parts, row.path.substr(0, row.path.rfind('.')), row);
    for (const auto& [part, some] : parts)
      if (part == group || !add_condensed(part, some, table))
        for (const auto& row : some) add_row(model, row, table);
  }
  return {"Parameters", {std::move(table)}, {}};
}

Section press_section(const SensorModel& model) {
  Table table{{"Session", "Press", "Tactel", "Kind", "Contact point", "Peak force", "Peak depth",
               "Verdict", "Used", "Why"},
              {}};
  for (const auto& press : model.presses) {
    const auto contact = quantity_text(press.contact_point);
    table.rows.push_back(
        {press.session, fmt::format("{}", press.number),
         press.tactel ? fmt::format("{}", *press.tactel) : "-", or_unknown(press.kind),
         contact.value + (contact.uncertainty.empty() ? "" : " ± " + contact.uncertainty) +
             (press.contact_point.usable() ? " " + contact.unit : ""),
         number(press.peak_force_N, "N"), number(press.peak_depth_m, "m"),
         or_unknown(press.verdict), press.used ? "yes" : "no", press.why});
  }
  return {"Presses", {std::move(table)}, {}};
}

std::string plain(std::optional<double> value) {
  return value ? fmt::format("{:.4g}", *value) : "-";
}

Section quality_section(const SensorModel& model) {
  Table table{{"Stage", "Samples", "Rejected", "Residual RMS", "Chi2/dof", "R2", "Hold-out ratio",
               "Intervals"},
              {}};
  Table figures{{"Stage", "Figure", "Value"}, {}};
  for (const auto& [stage, quality] : model.quality) {
    table.rows.push_back({stage, fmt::format("{}", quality.samples_used),
                          fmt::format("{}", quality.samples_rejected),
                          number(quality.residual_rms, quality.residual_unit),
                          plain(quality.chi2_per_dof), plain(quality.r2),
                          plain(quality.holdout_ratio), or_unknown(quality.interval_method)});
    for (const auto& [name, value] : quality.figures)
      figures.rows.push_back({stage, name, fmt::format("{:.6g}", value)});
  }
  Section section{"Quality", {std::move(table)}, {}};
  if (!figures.rows.empty()) section.tables.push_back(std::move(figures));
  return section;
}

std::string in_words(const Warning& warning) {
  return fmt::format("{} {}{}", warning.code, warning.where.empty() ? "" : warning.where + ": ",
                     warning.text);
}

Section warning_section(const SensorModel& model) {
  Section section{"Warnings", {}, {}};
  for (const auto& warning : check_model(model)) section.warnings.push_back(in_words(warning));
  for (const auto& [stage, quality] : model.quality)
    for (const auto& warning : quality.warnings)
      section.warnings.push_back(fmt::format("{}: {}", stage, in_words(warning)));
  return section;
}

}  // namespace

std::vector<Section> model_sections(const SensorModel& model, const ModelTableOptions& options) {
  std::vector<Section> sections{sensor_section(model), parameter_section(model),
                                tactel_summary(model)};
  if (auto missing = missing_section(model); !missing.tables.empty())
    sections.push_back(std::move(missing));
  if (options.tactels) sections.push_back(tactel_rows(model));
  if (options.presses && !model.presses.empty()) sections.push_back(press_section(model));
  if (!model.quality.empty()) sections.push_back(quality_section(model));
  if (auto warnings = warning_section(model); !warnings.warnings.empty())
    sections.push_back(std::move(warnings));
  return sections;
}

}  // namespace tactelier
