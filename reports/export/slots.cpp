#include "reports/export/slots.hpp"

#include <algorithm>

#include "libcalib/model_file/model_file.hpp"
#include "reports/export/export_text.hpp"

namespace tactelier {
namespace {

/// Damping that belongs to the whole contact is no tactel's.
bool for_whole_contact(const SensorModel& model, std::string_view path) {
  return path == "damping.c_n" && model.damping.at.scope == "contact" &&
         model.damping.c_n.status != Status::kAssumed;
}

/// Why the slot stays empty; "" where it needn't.
std::string why_empty(const SensorModel& model, const Slot& slot, const Parameter& parameter,
                      std::string_view target) {
  const std::string_view path = slot.path;
  if (!parameter.usable())
    return (path.starts_with("sensor.") ? "" : "unidentifiable: ") + parameter.reason;
  if (for_whole_contact(model, path))
    return fmt::format("measured for the whole contact; {} wants it for one tactel", target);
  return {};
}

std::string behind(const Parameter& parameter) {
  return parameter.from == "sensor description" ? "from the sensor description"
                                                : provenance_text(parameter);
}

/// What is measured where nothing is comes out below 0 every second time: a latency of -6 us. 0
/// where the interval, or what u_total makes of it, reaches it.
bool is_none(const Slot& slot, const Parameter& parameter) {
  if (slot.bound != Bound::kNotNegative || !parameter.value || *parameter.value >= 0) return false;
  const double up_to = std::max(parameter.ci95 ? (*parameter.ci95)[1] : *parameter.value,
                                *parameter.value + parameter.u_total.value_or(0));
  return up_to >= 0;
}

Result<void> takes(const Slot& slot, const Parameter& parameter) {
  const double value = *parameter.value;
  if (value > 0 || (value == 0 && slot.bound == Bound::kNotNegative)) return {};
  return fail(ErrorCode::kInvalidInput, "{}: {} {} can't be written as <{}>: it must be {}",
              slot.path, value, parameter.unit, slot.name,
              slot.bound == Bound::kPositive ? "more than 0" : "at least 0");
}

Result<void> fill(const SensorModel& model, const Slot& slot, std::string_view target,
                  SlotContents& contents) {
  const auto parameter = assumable(model, slot.path);
  if (!parameter) return fail(parameter.error());
  contents.paths.emplace_back(slot.path);
  if (auto why = why_empty(model, slot, *parameter, target); !why.empty()) {
    if (slot.need == Need::kRequired)
      return fail(ErrorCode::kUnidentifiable, "{}: {}; {} can't do without it: --assume {}=VALUE",
                  slot.path, without_full_stop(why), target, slot.path);
    contents.left_out.push_back({slot.path, std::move(why), true});
    return {};
  }
  if (is_none(slot, *parameter)) {
    contents.filled.push_back(
        {slot.name, slot.path, 0,
         fmt::format("{}; {:.3g} {} was found, which its interval does not tell from 0; {}",
                     slot.meaning, *parameter->value, parameter->unit, behind(*parameter))});
    return {};
  }
  contents.filled.push_back({slot.name, slot.path, parameter->value.value_or(0),
                             fmt::format("{}; {}", slot.meaning, behind(*parameter))});
  return takes(slot, *parameter);
}

Result<void> sticks_as_much_as_it_slides(const SensorModel& model) {
  const auto& friction = model.friction;
  if (!friction.mu_s.usable() || !friction.mu_d.usable() ||
      *friction.mu_s.value >= *friction.mu_d.value)
    return {};
  return fail(ErrorCode::kInvalidInput,
              "friction.mu_s: {} is less than friction.mu_d {}: a pad that sticks less than it "
              "slides can't be written",
              *friction.mu_s.value, *friction.mu_d.value);
}

bool has_friction(std::span<const Slot> slots) {
  return std::any_of(slots.begin(), slots.end(), [](const auto& slot) {
    return std::string_view(slot.path).starts_with("friction.");
  });
}

/// The losses of one kind under their title.
void add_losses(std::span<const Loss> losses, bool has_slot, const char* title,
                std::vector<std::string>& lines) {
  bool first = true;
  for (const auto& loss : losses) {
    if (loss.has_slot != has_slot) continue;
    if (first) lines.emplace_back(title);
    first = false;
    lines.push_back(fmt::format("  {}: {}", loss.path, loss.reason));
  }
}

}  // namespace

std::optional<double> SlotContents::value(std::string_view name) const {
  for (const auto& slot : filled)
    if (slot.name == name) return slot.value;
  return std::nullopt;
}

Result<SlotContents> fill_slots(const SensorModel& model, std::span<const Slot> slots,
                                std::string_view target) {
  if (has_friction(slots))
    if (const auto ok = sticks_as_much_as_it_slides(model); !ok) return fail(ok.error());
  SlotContents contents;
  for (const auto& slot : slots)
    if (const auto done = fill(model, slot, target, contents); !done) return fail(done.error());
  return contents;
}

std::vector<Loss> slot_losses(const SensorModel& model, const SlotContents& contents,
                              std::string_view target) {
  auto losses = contents.left_out;
  for (auto& loss : losses_without_slot(model, contents.paths, target))
    losses.push_back(std::move(loss));
  return losses;
}

std::vector<std::string> opening_lines(const SensorModel& model, std::span<const std::string> about,
                                       std::span<const Loss> losses) {
  std::vector<std::string> lines(about.begin(), about.end());
  for (auto& line : header_lines(model)) lines.push_back(std::move(line));
  for (const auto& warning : stiffness_warnings(model))
    lines.push_back(warning.code + " " + warning.text);
  add_losses(losses, true, "Left out, because it is not known:", lines);
  add_losses(losses, false, "Known, but without a slot here:", lines);
  return lines;
}

std::vector<std::string> slot_value_lines(const SlotContents& contents) {
  std::vector<std::string> lines;
  for (const auto& slot : contents.filled)
    lines.push_back(fmt::format("{}: {:.9g} {}", slot.name, slot.value, slot.comment));
  return lines;
}

Warnings export_warnings(const SensorModel& model) {
  auto warnings = check_model(model);
  for (auto& warning : stiffness_warnings(model)) warnings.push_back(std::move(warning));
  return warnings;
}

}  // namespace tactelier
