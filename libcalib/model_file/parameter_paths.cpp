// Parameters by path: walking them, finding one, and what a user may assume.

#include <charconv>
#include <cmath>
#include <type_traits>

#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/visiting.hpp"

namespace tactelier {
namespace {

/// F is called with path, parameter (const or not) and stage.
template <class F>
struct Walker {
  const F& f;
  std::string path;

  template <class T>
  void operator()(const char* name, T& member, const char*, const char* stage) const {
    const auto here = below(name);
    if constexpr (std::is_same_v<std::remove_const_t<T>, Parameter>)
      f(here, member, stage);
    else
      for (std::size_t i = 0; i < member.size(); ++i)
        f(fmt::format("{}[{}]", here, i), member[i], stage);
  }
  template <class T>
  void operator()(const char* name, T& member) const {
    using Plain = std::remove_const_t<T>;
    const auto here = below(name);
    if constexpr (Visitable<T>) {
      Plain::visit(member, Walker{f, here});
    } else if constexpr (VisitableList<T>) {
      for (std::size_t i = 0; i < member.size(); ++i)
        Plain::value_type::visit(member[i], Walker{f, fmt::format("{}[{}]", here, i)});
    } else if constexpr (VisitableMap<T>) {
      for (auto& [key, entry] : member)
        Plain::mapped_type::visit(entry, Walker{f, here + "." + key});
    }
  }
  std::string below(const char* name) const { return path.empty() ? name : path + "." + name; }
};

/// Numbers of the sensor description that a user may assume: they are no parameters.
struct SensorNumber {
  std::string_view path;
  std::optional<double> SensorDescription::*member;
  std::string_view unit;
};
constexpr std::array kSensorNumbers{
    SensorNumber{"sensor.thickness_m", &SensorDescription::thickness_m, "m"},
    SensorNumber{"sensor.poisson_ratio", &SensorDescription::poisson_ratio, ""},
    SensorNumber{"sensor.max_force_N", &SensorDescription::max_force_N, "N"},
    SensorNumber{"sensor.max_pressure_Pa", &SensorDescription::max_pressure_Pa, "Pa"},
    SensorNumber{"sensor.rate_hz", &SensorDescription::rate_hz, "Hz"},
};

tl::unexpected<Error> no_such_parameter(const SensorModel& model, std::string_view path) {
  return fail(ErrorCode::kUsage, "there is no parameter '{}'{}", path,
              did_you_mean(path, assumable_paths(model)));
}

void note_assumption(SensorModel& model, std::string_view assignment, std::string_view from) {
  auto& note = model.provenance.options["assume"];
  note += fmt::format("{}{} ({})", note.empty() ? "" : "; ", assignment, from);
}

}  // namespace

void for_each_parameter(
    const SensorModel& model,
    const std::function<void(const std::string&, const Parameter&, std::string_view)>& f) {
  SensorModel::visit(model, Walker<std::remove_cvref_t<decltype(f)>>{f, ""});
}

void for_each_parameter(
    SensorModel& model,
    const std::function<void(const std::string&, Parameter&, std::string_view)>& f) {
  SensorModel::visit(model, Walker<std::remove_cvref_t<decltype(f)>>{f, ""});
}

Result<Parameter*> find_parameter(SensorModel& model, std::string_view path) {
  Parameter* found = nullptr;
  for_each_parameter(model, [&](const std::string& here, Parameter& parameter, std::string_view) {
    if (here == path) found = &parameter;
  });
  if (found == nullptr) return no_such_parameter(model, path);
  return found;
}

std::vector<std::string> assumable_paths(const SensorModel& model) {
  std::vector<std::string> paths;
  for (const auto& number : kSensorNumbers) paths.emplace_back(number.path);
  for_each_parameter(model, [&](const std::string& path, const Parameter&, std::string_view) {
    paths.push_back(path);
  });
  return paths;
}

Result<Parameter> assumable(const SensorModel& model, std::string_view path) {
  for (const auto& [name, member, unit] : kSensorNumbers) {
    if (name != path) continue;
    const auto& value = model.sensor.*member;
    if (!value) return unidentifiable(std::string(unit), "the sensor description doesn't give it");
    return assumed(*value, std::string(unit),
                   is_assumed(model, name) ? "user" : "sensor description");
  }
  std::optional<Parameter> found;
  for_each_parameter(model,
                     [&](const std::string& here, const Parameter& parameter, std::string_view) {
                       if (here == path) found = parameter;
                     });
  if (!found) return no_such_parameter(model, path);
  return *std::move(found);
}

Result<void> assume(SensorModel& model, std::string_view assignment, std::string_view from) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return fail(ErrorCode::kUsage, "'{}' is no assumption; write PATH=VALUE, stiffness.k=58.5",
                assignment);
  const auto path = assignment.substr(0, equals);
  const auto text = assignment.substr(equals + 1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return fail(ErrorCode::kUsage, "{}: '{}' is no number; write it in SI units with a point", path,
                text);
  for (const auto& [name, member, unit] : kSensorNumbers) {
    if (name != path) continue;
    if (!(value > 0)) return fail(ErrorCode::kUsage, "{}: must be more than 0, not {}", path, text);
    model.sensor.*member = value;
    note_assumption(model, assignment, from);
    return {};
  }
  const auto parameter = find_parameter(model, path);
  if (!parameter) return fail(parameter.error());
  **parameter = assumed(value, (*parameter)->unit, std::string(from));
  note_assumption(model, assignment, from);
  return {};
}

bool is_assumed(const SensorModel& model, std::string_view sensor_path) {
  const auto found = model.provenance.options.find("assume");
  if (found == model.provenance.options.end()) return false;
  const auto note = "; " + found->second;
  return note.find(fmt::format("; {}=", sensor_path)) != std::string::npos;
}

}  // namespace tactelier
