#include "fitting/adaptive/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "libcalib/json_check.hpp"

namespace tactelier::adaptive {
namespace {

constexpr std::array kKinds{TargetKind::kGain, TargetKind::kSigma, TargetKind::kStiffness,
                            TargetKind::kDamping, TargetKind::kRelaxation};
constexpr double kLeast = 1e-4;  // narrower than any rig
constexpr double kMost = 0.5;    // wider intervals are refused by the fit anyway

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto kind : kKinds) all.emplace_back(name_of(kind));
  return all;
}

Result<Target> parse_one(std::string_view text) {
  const auto number_at = text.find_first_of("0123456789.");
  const auto name = trimmed(text.substr(0, number_at));
  const auto known = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](TargetKind kind) { return name_of(kind) == name; });
  if (known == kKinds.end())
    return fail(ErrorCode::kUsage, "target '{}': unknown{}; there are {}", text,
                did_you_mean(std::string(name), names()), fmt::join(names(), ", "));
  if (number_at == std::string_view::npos)
    return fail(ErrorCode::kUsage, "target '{}': its half-width is missing, as in '{} 2 %'", text,
                name);
  const auto value_text = text.substr(number_at);
  double percent = 0;
  const auto read =
      std::from_chars(value_text.data(), value_text.data() + value_text.size(), percent);
  const auto unit =
      trimmed(value_text.substr(static_cast<std::size_t>(read.ptr - value_text.data())));
  if (read.ec != std::errc{} || unit != "%")
    return fail(ErrorCode::kUsage, "target '{}': a percentage expected, as in '{} 2 %'", text,
                name);
  if (!(percent / 100 >= kLeast && percent / 100 <= kMost))
    return fail(ErrorCode::kUsage, "target '{}': between {:g} and {:g} % expected", text,
                100 * kLeast, 100 * kMost);
  return Target{*known, percent / 100};
}

}  // namespace

std::string_view name_of(TargetKind kind) {
  switch (kind) {
    case TargetKind::kGain:
      return "gain";
    case TargetKind::kSigma:
      return "sigma";
    case TargetKind::kStiffness:
      return "k";
    case TargetKind::kDamping:
      return "damping";
    case TargetKind::kRelaxation:
      return "relaxation";
  }
  return "";
}

Result<std::vector<Target>> parse_targets(std::string_view text) {
  std::vector<Target> targets;
  while (true) {
    const auto comma = text.find(',');
    auto one = parse_one(trimmed(text.substr(0, comma)));
    if (!one) return fail(one.error());
    const auto same = [&](const Target& target) { return target.kind == one->kind; };
    if (std::any_of(targets.begin(), targets.end(), same))
      return fail(ErrorCode::kUsage, "target '{}' is given twice", name_of(one->kind));
    targets.push_back(*one);
    if (comma == std::string_view::npos) return targets;
    text.remove_prefix(comma + 1);
  }
}

std::string to_string(const std::vector<Target>& targets) {
  std::string text;
  for (const auto& target : targets)
    text += fmt::format("{}{} {:.3g} %", text.empty() ? "" : ", ", name_of(target.kind),
                        100 * target.relative);
  return text;
}

std::vector<std::string> stages_for(const std::vector<Target>& targets) {
  const auto any = [&](std::initializer_list<TargetKind> kinds) {
    return std::any_of(targets.begin(), targets.end(), [&](const Target& target) {
      return std::find(kinds.begin(), kinds.end(), target.kind) != kinds.end();
    });
  };
  std::vector<std::string> stages{"response", "psf"};
  // Rubber that relaxes has a stiffness for each speed: the three are fitted together.
  if (any({TargetKind::kStiffness, TargetKind::kDamping, TargetKind::kRelaxation}))
    stages.insert(stages.end(), {"stiffness", "relaxation", "joint"});
  if (any({TargetKind::kDamping})) stages.emplace_back("damping");
  return stages;
}

std::vector<Target> usual_targets() {
  return {{TargetKind::kGain, 0.02}, {TargetKind::kSigma, 0.01}, {TargetKind::kStiffness, 0.02}};
}

}  // namespace tactelier::adaptive
