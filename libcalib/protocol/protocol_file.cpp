// Protocols from JSON: schema first, then step by step.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/protocol.hpp"
#include "libcalib/protocol/step_reader.hpp"
#include "libcalib/resources.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 16U << 20U;
constexpr std::size_t kMaxSteps = 10'000;

class ProtocolReader {
 public:
  explicit ProtocolReader(std::string where) : where_(std::move(where)) {}

  Result<std::vector<Step>> steps(const json& list, const std::string& label, int depth) {
    std::vector<Step> read;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (++count_ > kMaxSteps)
        return fail(ErrorCode::kInvalidInput, "{}: more than {} steps", where_, kMaxSteps);
      auto step =
          one(list[i], fmt::format("{}{}{}", label, label.empty() ? "" : ".", i + 1), depth);
      if (!step) return fail(step.error());
      read.push_back(std::move(*step));
    }
    return read;
  }

 private:
  Result<Step> one(const json& object, std::string label, int depth) {
    const auto name = object["do"].get<std::string>();
    const auto where = fmt::format("{}: step {} ({})", where_, label, name);
    Step step{std::move(label), object.value("note", ""), read_until(object), {}};
    if (name == steps::Repeat::kName) {
      if (depth >= kMaxRepeatDepth)
        return fail(ErrorCode::kInvalidInput, "{}: repeats are nested deeper than {}", where,
                    kMaxRepeatDepth);
      auto inner = steps(object["steps"], step.label, depth + 1);
      if (!inner) return fail(inner.error());
      step.what = steps::Repeat{object["times"].get<int>(), std::move(*inner)};
      return step;
    }
    auto what = read_step(object, where);
    if (!what) return fail(what.error());
    step.what = std::move(*what);
    return step;
  }

  std::string where_;
  std::size_t count_ = 0;
};

/// The schema's "mine.json: steps[3].until.force: ..." in the words of the operator:
/// "mine.json: step 4 (scan): until.force: ...".
Error in_steps(const Error& error, const json& document, std::string_view where) {
  std::string_view rest = error.message;
  const auto prefix = fmt::format("{}: ", where);
  if (!rest.starts_with(prefix)) return error;
  rest.remove_prefix(prefix.size());
  std::string label;
  const json* at = &document;
  while (rest.starts_with("steps[")) {
    const auto close = rest.find(']');
    std::size_t index = 0;
    for (const char digit : rest.substr(6, close - 6))
      index = index * 10 + static_cast<std::size_t>(digit - '0');
    at = &(*at)["steps"][index];
    label += fmt::format("{}{}", label.empty() ? "" : ".", index + 1);
    rest.remove_prefix(close + 1);
    if (rest.starts_with(".")) rest.remove_prefix(1);
    if (rest.starts_with(": ")) rest.remove_prefix(2);
  }
  if (label.empty()) return error;
  std::string name;
  if (at->is_object() && at->contains("do") && (*at)["do"].is_string())
    name = fmt::format(" ({})", (*at)["do"].get<std::string>());
  return {error.code, fmt::format("{}step {}{}: {}", prefix, label, name, rest)};
}

}  // namespace

Result<MountedIndenter> mounted_indenter(std::string_view json_text, std::string_view where) {
  auto indenter = parse_indenter(json_text, where);
  if (!indenter) return fail(indenter.error());
  const auto object = parse_json(json_text, where);
  if (!object) return fail(object.error());
  return MountedIndenter{std::move(*indenter), canonical(*object)};
}

Result<Protocol> parse_protocol(std::string_view json_text, std::string_view where) {
  const auto parsed = parse_json(json_text, where);
  if (!parsed) return fail(parsed.error());
  const auto& object = *parsed;
  if (const auto format = check_format(object, "tactelier/protocol", 1, where); !format)
    return fail(format.error());
  if (const auto checked = check_schema(object, "protocol", where); !checked)
    return fail(in_steps(checked.error(), object, where));
  Protocol protocol;
  protocol.name = object["name"].get<std::string>();
  protocol.description = object.value("description", "");
  protocol.source = object.value("source", "");
  if (object.contains("max_minutes")) protocol.max_minutes = object["max_minutes"].get<double>();
  if (object.contains("indenter")) {
    auto mounted = mounted_indenter(object["indenter"].dump(), fmt::format("{}: indenter", where));
    if (!mounted) return fail(mounted.error());
    protocol.indenter = std::move(*mounted);
  }
  auto read = ProtocolReader(std::string(where)).steps(object["steps"], "", 0);
  if (!read) return fail(read.error());
  protocol.steps = std::move(*read);
  protocol.document = canonical(object);
  return protocol;
}

Result<Protocol> with_steps(const Protocol& protocol, std::string_view steps_json,
                            std::string_view where) {
  const auto further = parse_json(steps_json, where);
  if (!further) return fail(further.error());
  if (!further->is_array() || further->empty())
    return fail(ErrorCode::kInvalidInput, "{}: an array of at least one step expected", where);
  auto document = json::parse(protocol.document);
  for (const auto& step : *further) document["steps"].push_back(step);
  return parse_protocol(document.dump(), where);
}

Result<Protocol> load_protocol(std::string_view name_or_path) {
  const auto name = std::string(name_or_path);
  if (const auto text = resource("protocols/" + name + ".json"))
    return parse_protocol(*text, name + ".json");
  const std::filesystem::path path(name);
  if (!path.has_parent_path() && path.extension() != ".json")
    return fail(ErrorCode::kInvalidInput,
                "unknown protocol '{}'{}; shipped are {}; a file is given by its path", name,
                did_you_mean(name, shipped_protocols()), fmt::join(shipped_protocols(), ", "));
  const auto text = read_text_file(path, kMaxBytes);
  if (!text) return fail(text.error());
  return parse_protocol(*text, name);
}

std::vector<std::string> shipped_protocols() { return shipped_names("protocols"); }

std::string_view Step::name() const {
  return std::visit([](const auto& step) { return step.kName; }, what);
}

std::string_view Step::code() const {
  return std::visit([](const auto& step) { return step.kCode; }, what);
}

std::string Step::describe() const { return fmt::format("step {} ({})", label, name()); }

}  // namespace tactelier
