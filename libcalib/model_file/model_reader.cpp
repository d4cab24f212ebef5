// JSON text -> SensorModel. The schema has the first word; what it can't state is checked here:
// units, order of intervals, one response per tactel.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/sensor_json.hpp"
#include "libcalib/model_file/turned_counts.hpp"
#include "libcalib/model_file/visiting.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 1U << 30U;

/// "N·s/m" -> "N*s/m"
std::string with_asterisks(std::string_view unit) {
  constexpr std::string_view kDot = "·";
  std::string text;
  for (auto dot = unit.find(kDot); dot != unit.npos; dot = unit.find(kDot)) {
    text += std::string(unit.substr(0, dot)) + '*';
    unit.remove_prefix(dot + kDot.size());
  }
  return text + std::string(unit);
}

/// Reads into what empty_model() has prepared: what the file leaves out stays not fitted.
class Reader {
 public:
  const std::optional<std::string>& problem() const { return problem_; }

  template <Visitable T>
  void members(const json& object, T& target, const std::string& path) {
    T::visit(target, Members{*this, object, path});
  }

  void tactels(const json& list, std::vector<TactelResponse>& target) {
    std::set<int> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto path = fmt::format("response.tactels[{}]", i);
      const auto index = list[i]["index"].get<int>();
      if (static_cast<std::size_t>(index) >= target.size())
        return refuse(
            path, fmt::format("index {} is beyond the sensor's {} tactels", index, target.size()));
      if (!seen.insert(index).second)
        return refuse(path, fmt::format("tactel {} stands twice", index));
      members(list[i], target[static_cast<std::size_t>(index)], path);
    }
  }

  void refuse(const std::string& path, const std::string& what) {
    if (!problem_) problem_ = path + ": " + what;
  }

 private:
  struct Members {
    Reader& reader;
    const json& object;
    const std::string& path;

    template <class T>
    void operator()(const char* name, T& member) const {
      if (object.contains(name)) reader.decode(object[name], member, below(name));
    }
    template <class T>
    void operator()(const char* name, T& member, const char* unit, const char*) const {
      if (object.contains(name)) reader.parameter(object[name], member, unit, below(name));
    }
    std::string below(const char* name) const { return path.empty() ? name : path + "." + name; }
  };

  void decode(const json& node, bool& target, const std::string&) { target = node.get<bool>(); }
  void decode(const json& node, int& target, const std::string&) { target = node.get<int>(); }
  void decode(const json& node, double& target, const std::string&) { target = node.get<double>(); }
  void decode(const json& node, std::string& target, const std::string&) {
    target = node.get<std::string>();
  }
  void decode(const json& node, std::array<double, 2>& target, const std::string&) {
    target = node.get<std::array<double, 2>>();
  }
  void decode(const json& node, TactelStatus& target, const std::string&) {
    target = tactel_status_from(node.get<std::string>()).value_or(TactelStatus::kNotPressed);
  }
  void decode(const json& node, Warning& target, const std::string&) {
    target = {node["code"], node["text"], node.value("where", "")};
  }
  void decode(const json& node, Response& target, const std::string& path) {
    if (node.contains("model")) target.model = node["model"];
    if (node.contains("zero")) target.zero = node["zero"];
    if (node.contains("calibration_indenter"))
      target.calibration_indenter = node["calibration_indenter"];
    if (node.contains("resolution"))
      parameter(node["resolution"], target.resolution, "counts", path + ".resolution");
    if (node.contains("zero_return"))
      parameter(node["zero_return"], target.zero_return, "%", path + ".zero_return");
    if (node.contains("zero_return_time"))
      parameter(node["zero_return_time"], target.zero_return_time, "s", path + ".zero_return_time");
    if (node.contains("tactels")) tactels(node["tactels"], target.tactels);
    if (node.contains("hysteresis_model"))
      members(node["hysteresis_model"], target.hysteresis_model, path + ".hysteresis_model");
  }
  template <Visitable T>
  void decode(const json& node, T& target, const std::string& path) {
    members(node, target, path);
  }
  template <class T>
  void decode(const json& node, std::optional<T>& target, const std::string& path) {
    target.reset();
    if (node.is_null()) return;
    decode(node, target.emplace(), path);
  }
  template <class T>
  void decode(const json& node, std::vector<T>& target, const std::string& path) {
    target.assign(node.size(), T{});
    for (std::size_t i = 0; i < node.size(); ++i)
      decode(node[i], target[i], fmt::format("{}[{}]", path, i));
  }
  template <class T>
  void decode(const json& node, std::map<std::string, T>& target, const std::string& path) {
    target.clear();
    for (const auto& [key, value] : node.items()) decode(value, target[key], path + "." + key);
  }

  void parameter(const json& node, Parameter& target, std::string_view unit,
                 const std::string& path) {
    Parameter read;
    read.unit = with_asterisks(node["unit"].get<std::string>());
    if (!unit.empty() && read.unit != unit)
      return refuse(path, fmt::format("unit '{}', '{}' expected", read.unit, unit));
    if (!node["value"].is_null()) read.value = node["value"].get<double>();
    if (node.contains("std")) read.std = node["std"].get<double>();
    if (node.contains("u_total")) read.u_total = node["u_total"].get<double>();
    if (node.contains("ci95")) read.ci95 = node["ci95"].get<std::array<double, 2>>();
    if (read.ci95 && (*read.ci95)[0] > (*read.ci95)[1])
      return refuse(path, "ci95: its lower end lies above its upper end");
    read.status = status_from(node["status"].get<std::string>()).value_or(Status::kUnidentifiable);
    read.reason = node.value("reason", "");
    read.from = node.value("from", "");
    target = std::move(read);
  }
  void parameter(const json& node, std::vector<Parameter>& target, std::string_view unit,
                 const std::string& path) {
    if (path == "stiffness.k_punch_tactel" && node.empty()) return;
    if (path == "stiffness.k_punch_tactel" && node.size() != target.size())
      return refuse(path, fmt::format("{} entries for {} tactels", node.size(), target.size()));
    target.assign(node.size(), Parameter{});
    for (std::size_t i = 0; i < node.size(); ++i)
      parameter(node[i], target[i], unit, fmt::format("{}[{}]", path, i));
  }

  std::optional<std::string> problem_;
};

std::optional<std::string> misfit(const SensorModel& model) {
  const auto& kernel = model.psf.kernel_sampled;
  const auto cells = kernel.size.size() == 2 ? static_cast<std::size_t>(kernel.size[0]) *
                                                   static_cast<std::size_t>(kernel.size[1])
                                             : std::size_t{0};
  if (kernel.size.size() == 1 || kernel.weights.size() != cells)
    return fmt::format("psf.kernel_sampled: {} weights for its size", kernel.weights.size());
  const auto& relaxation = model.relaxation;
  if (relaxation.g.size() != relaxation.tau.size())
    return fmt::format("relaxation: {} g for {} tau", relaxation.g.size(), relaxation.tau.size());
  for (std::size_t i = 0; i < model.covariance.size(); ++i) {
    const auto n = model.covariance[i].parameters.size();
    if (model.covariance[i].lower.size() != n * (n + 1) / 2)
      return fmt::format("covariance[{}].lower: {} numbers, {} parameters need {}", i,
                         model.covariance[i].lower.size(), n, n * (n + 1) / 2);
  }
  return std::nullopt;
}

/// Earlier versions wrote the counts of falling sensors as their stages saw them.
bool older_turned_counts(const SensorModel& model) {
  return model.sensor.falling && model.tool.starts_with("tactelier ") &&
         !model.provenance.options.contains(kCountsOption);
}

}  // namespace

Result<SensorModel> parse_model(std::string_view json_text, std::string_view where) {
  const auto document = parse_json(json_text, where);
  if (!document) return fail(document.error());
  // Version 1 is all of version 2 but what this one adds.
  const bool first =
      document->is_object() && document->contains("version") && document->at("version") == 1;
  if (const auto format = check_format(*document, "tactelier/sensor-model", first ? 1 : 2, where);
      !format)
    return fail(format.error());
  if (const auto checked = check_schema(*document, "sensor-model", where); !checked)
    return fail(checked.error());
  auto sensor = sensor_from_json((*document)["sensor"], where);
  if (!sensor) return fail(sensor.error());

  auto model = empty_model(sensor->description);
  model.serial = sensor->serial;
  model.created = document->value("created", "");
  model.tool = document->value("tool", "");
  Reader reader;
  reader.members(*document, model, "");
  if (older_turned_counts(model)) {
    turn_counts(model);
    model.provenance.options[kCountsOption] = kAsRecorded;
  }
  mark_not_fitted(model);
  const auto problem = reader.problem() ? reader.problem() : misfit(model);
  if (problem) return fail(ErrorCode::kInvalidInput, "{}: {}", where, *problem);
  return model;
}

Result<SensorModel> read_model(const std::filesystem::path& file) {
  const auto text = read_text_file(file, kMaxBytes);
  if (!text) return fail(text.error());
  return parse_model(*text, file.string());
}

}  // namespace tactelier
