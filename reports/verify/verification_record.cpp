#include "reports/verify/verification_record.hpp"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/units.hpp"
#include "reports/export/export_text.hpp"

namespace tactelier {
namespace {

using nlohmann::ordered_json;

std::string assumed_text(const SensorModel& model) {
  const auto assumed = model.provenance.options.find("assume");
  return assumed == model.provenance.options.end() ? "" : assumed->second;
}

ordered_json target_json(const VerificationRecord& record) {
  const auto& target = record.verification.target;
  return {{"format", record.format},
          {"engine", target.engine},
          {"version", target.version},
          {"time_step_s", target.time_step_s},
          {"solver_tolerance", target.solver_tolerance}};
}

ordered_json presses_json(const VerifiedQuantity& quantity) {
  auto list = ordered_json::array();
  for (const auto& press : quantity.presses)
    list.push_back({{"press", press.press},
                    {"expected", press.expected},
                    {"seen", press.seen},
                    {"error_percent", press.error_percent}});
  return list;
}

ordered_json quantities_json(const Verification& verification) {
  auto list = ordered_json::array();
  for (const auto& quantity : verification.quantities)
    list.push_back({{"name", quantity.name},
                    {"unit", quantity.unit},
                    {"tolerance_percent", quantity.tolerance_percent},
                    {"median_percent", quantity.median_percent()},
                    {"worst_percent", quantity.worst_percent()},
                    {"passed", quantity.passed()},
                    {"presses", presses_json(quantity)}});
  return list;
}

ordered_json spread_json(const RecordedAgreement::Spread& spread) {
  return {{"median", spread.median}, {"p95", spread.p95}};
}

ordered_json metrics_json(const RecordedAgreement& recorded) {
  auto list = ordered_json::array();
  for (const auto& metric : recorded.metrics) {
    ordered_json one{{"name", metric.name},
                     {"unit", metric.unit},
                     {"of", metric.of},
                     {"images", metric.images},
                     {"ours", spread_json(metric.ours)},
                     {"target", spread_json(metric.target)},
                     {"repeats", nullptr}};
    if (metric.repeats) one["repeats"] = *metric.repeats;
    list.push_back(std::move(one));
  }
  return list;
}

ordered_json recorded_json(const RecordedAgreement& recorded) {
  auto images = ordered_json::array();
  for (const auto& image : recorded.images)
    images.push_back({{"press", image.press},
                      {"ours_percent", image.ours_percent},
                      {"target_percent", image.target_percent},
                      {"apart_percent", image.apart_percent}});
  return {{"sessions", recorded.sessions},
          {"metric", "rel_l1"},
          {"method", recorded.method},
          {"ours_percent", recorded.ours_percent()},
          {"target_percent", recorded.target_percent()},
          {"allowed_ratio", kMostErrorRatio},
          {"passed", recorded.passed()},
          {"apart_percent", recorded.apart_percent()},
          {"worst_apart_percent", recorded.worst_apart_percent()},
          {"metrics", metrics_json(recorded)},
          {"images", std::move(images)},
          {"left_out", recorded.left_out}};
}

/// Lengths in mm and angles in degrees, as people read them.
std::string shown(double value, const std::string& unit) {
  const double scaled = unit == "m" ? m_to_mm(value) : unit == "rad" ? rad_to_deg(value) : value;
  return fmt::format("{:.3g}", scaled);
}

std::string shown_unit(const std::string& unit) {
  return unit == "m" ? "mm" : unit == "rad" ? "deg" : unit;
}

Table metrics_table(const RecordedAgreement& recorded) {
  Table table{{"metric", "unit", "of", "images", "ours", "95 %", "target", "95 %", "repeats"}, {}};
  for (const auto& metric : recorded.metrics) {
    const auto text = [&](double value) { return shown(value, metric.unit); };
    table.rows.push_back({metric.name, shown_unit(metric.unit), metric.of,
                          fmt::format("{}", metric.images), text(metric.ours.median),
                          text(metric.ours.p95), text(metric.target.median),
                          text(metric.target.p95), metric.repeats ? text(*metric.repeats) : "-"});
  }
  return table;
}

Section recorded_section(const RecordedAgreement& recorded) {
  Table table{{"prediction of what was recorded", "images", "relative L1, median [%]"}, {}};
  const auto images = fmt::format("{}", recorded.images.size());
  table.rows = {
      {"our model, " + recorded.method, images, fmt::format("{:.3g}", recorded.ours_percent())},
      {fmt::format("the target: {:.3g} times ours, {:g} allowed: {}", recorded.ratio(),
                   kMostErrorRatio, recorded.passed() ? "passed" : "FAILED"),
       images, fmt::format("{:.3g}", recorded.target_percent())},
      {fmt::format("the target from our model, worst {:.2g} %", recorded.worst_apart_percent()),
       images, fmt::format("{:.2g}", recorded.apart_percent())}};
  Section section{
      fmt::format("The target against recordings: {}", fmt::join(recorded.sessions, ", ")),
      {std::move(table), metrics_table(recorded)},
      {}};
  for (const auto& left_out : recorded.left_out)
    section.warnings.push_back("not compared: " + left_out);
  return section;
}

Table facts_table(const VerificationRecord& record) {
  const auto& model = record.model;
  const auto& found = record.verification;
  Table table{{"what", "which"}, {}};
  table.rows = {
      {"record", record.name()},
      {"sensor", fmt::format("{} {}, serial {}", model.sensor.vendor, model.sensor.model,
                             model.serial.empty() ? "not known" : model.serial)},
      {"model, sha256", model_hash(model)},
      {"target",
       fmt::format("{} {}, format {}", found.target.engine, found.target.version, record.format)},
      {"time step", fmt::format("{:g} s", found.target.time_step_s)},
      {"solver tolerance", fmt::format("{:g}", found.target.solver_tolerance)},
      {"forces on a tactel", fmt::format("{:.4g} to {:.4g} N", found.force_N[0], found.force_N[1])},
      {"made", fmt::format("{} by {}", record.created, record.tool)}};
  if (const auto assumed = assumed_text(model); !assumed.empty())
    table.rows.push_back({"assumed", assumed});
  return table;
}

Table quantities_table(const Verification& verification) {
  Table table{{"quantity", "presses", "median error [%]", "worst error [%]", "allowed [%]", ""},
              {}};
  for (const auto& quantity : verification.quantities)
    table.rows.push_back({quantity.name, fmt::format("{}", quantity.presses.size()),
                          fmt::format("{:.2g}", quantity.median_percent()),
                          fmt::format("{:.2g}", quantity.worst_percent()),
                          fmt::format("{:g}", quantity.tolerance_percent),
                          quantity.passed() ? "passed" : "FAILED"});
  return table;
}

}  // namespace

std::string VerificationRecord::name() const {
  return identifier(model.sensor.vendor + " " + model.sensor.model + " " + model.serial) + "." +
         format;
}

std::string to_json(const VerificationRecord& record) {
  const auto& model = record.model;
  ordered_json document{
      {"format", "tactelier/verification-record"},
      {"version", 1},
      {"name", record.name()},
      {"created", record.created},
      {"tool", record.tool},
      {"sensor",
       {{"vendor", model.sensor.vendor}, {"model", model.sensor.model}, {"serial", model.serial}}},
      {"model_sha256", model_hash(model)},
      {"assumed", assumed_text(model)},
      {"target", target_json(record)},
      {"force_N", record.verification.force_N},
      {"passed", record.passed()},
      {"quantities", quantities_json(record.verification)},
      {"left_out", record.verification.left_out}};
  if (record.recorded) document["recorded"] = recorded_json(*record.recorded);
  return document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::vector<Section> verification_sections(const VerificationRecord& record) {
  Section facts{"Verification of an exported pad", {facts_table(record)}, {}};
  Section errors{
      "The target against our model, without noise", {quantities_table(record.verification)}, {}};
  for (const auto& left_out : record.verification.left_out)
    errors.warnings.push_back("not compared: " + left_out);
  std::vector<Section> sections{std::move(facts), std::move(errors)};
  if (record.recorded) sections.push_back(recorded_section(*record.recorded));
  return sections;
}

}  // namespace tactelier
