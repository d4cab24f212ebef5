// SensorModel -> JSON text, in the order of visit().

#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/sensor_json.hpp"
#include "libcalib/model_file/visiting.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

using nlohmann::ordered_json;

/// A number that isn't finite says nothing: it becomes null.
ordered_json encode(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}
ordered_json encode(bool value) { return value; }
ordered_json encode(int value) { return value; }
ordered_json encode(const std::string& value) { return value; }
ordered_json encode(TactelStatus value) { return to_string(value); }
ordered_json encode(const std::array<double, 2>& value) { return value; }
ordered_json encode(const Warning& warning) {
  return {{"code", warning.code}, {"text", warning.text}, {"where", warning.where}};
}

ordered_json encode(const Parameter& parameter) {
  const bool finite = parameter.value && std::isfinite(*parameter.value);
  const auto status = finite ? parameter.status : Status::kUnidentifiable;
  ordered_json object;
  object["value"] = finite ? ordered_json(*parameter.value) : ordered_json(nullptr);
  object["unit"] = parameter.unit;
  if (finite && parameter.std && std::isfinite(*parameter.std)) object["std"] = *parameter.std;
  if (finite && parameter.ci95 && std::isfinite((*parameter.ci95)[0]) &&
      std::isfinite((*parameter.ci95)[1]))
    object["ci95"] = *parameter.ci95;
  if (finite && parameter.u_total && std::isfinite(*parameter.u_total))
    object["u_total"] = *parameter.u_total;
  object["status"] = to_string(status);
  if (status == Status::kUnidentifiable && parameter.reason.empty())
    object["reason"] = parameter.value ? "NOT-FINITE the computation gave no number"
                                       : "NOT-FITTED no stage says why";
  else if (!parameter.reason.empty())
    object["reason"] = parameter.reason;
  object["from"] = parameter.from;
  return object;
}

template <Visitable T>
ordered_json encode(const T& object);
template <class T>
ordered_json encode(const std::optional<T>& value);
template <class T>
ordered_json encode(const std::vector<T>& list);
template <class T>
ordered_json encode(const std::map<std::string, T>& map);

struct Writer {
  ordered_json& out;

  template <class T>
  void operator()(const char* name, const T& member) const {
    out[name] = encode(member);
  }
  template <class T>
  void operator()(const char* name, const T& member, const char*, const char*) const {
    out[name] = encode(member);
  }
};

template <Visitable T>
ordered_json encode(const T& object) {
  auto out = ordered_json::object();
  T::visit(object, Writer{out});
  return out;
}

template <class T>
ordered_json encode(const std::optional<T>& value) {
  return value ? encode(*value) : ordered_json(nullptr);
}

template <class T>
ordered_json encode(const std::vector<T>& list) {
  auto out = ordered_json::array();
  for (const auto& entry : list) out.push_back(encode(entry));
  return out;
}

template <class T>
ordered_json encode(const std::map<std::string, T>& map) {
  auto out = ordered_json::object();
  for (const auto& [key, value] : map) out[key] = encode(value);
  return out;
}

bool plain(const ordered_json& node) {
  if (!node.is_structured()) return true;
  for (const auto& child : node)
    if (child.is_object() || (child.is_array() && !child.empty() && child[0].is_structured()))
      return false;
  return true;
}

/// Indented, but an object without objects in it (a parameter, above all) stays on one line: a
/// file of 84 tactels is read, compared and searched by people.
void print(const ordered_json& node, std::size_t indent, std::string& out) {
  const auto scalar = [](const ordered_json& value) {
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  };
  if (!node.is_structured() || node.empty()) {
    out += scalar(node);
    return;
  }
  const bool one_line = plain(node);
  const auto* opening = node.is_object() ? "{" : "[";
  const auto* closing = node.is_object() ? "}" : "]";
  out += opening;
  std::size_t i = 0;
  for (const auto& item : node.items()) {
    if (i++ > 0) out += one_line ? ", " : ",";
    if (!one_line) out += "\n" + std::string(indent + 2, ' ');
    if (node.is_object()) out += scalar(item.key()) + ": ";
    print(item.value(), indent + 2, out);
  }
  if (!one_line) out += "\n" + std::string(indent, ' ');
  out += closing;
}

}  // namespace

std::string to_json(const SensorModel& model) {
  ordered_json document;
  document["format"] = "tactelier/sensor-model";
  document["version"] = 2;
  document["created"] = model.created;
  document["tool"] = model.tool;
  document["sensor"] = sensor_to_json(model.sensor, model.serial);
  SensorModel::visit(model, Writer{document});
  std::string text;
  print(document, 0, text);
  text += '\n';
  return text;
}

Result<void> write_model(const SensorModel& model, const std::filesystem::path& file) {
  const auto text = to_json(model);
  if (const auto read_back = parse_model(text, file.filename().string()); !read_back)
    return fail(read_back.error(), "this model can't be written");
  return write_text_file(file, text);
}

}  // namespace tactelier
