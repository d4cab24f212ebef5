#include "devices/manual/manual_stage.hpp"

#include <charconv>
#include <cmath>

#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr int kAttempts = 3;

/// A number as people type it: blanks around, a comma for a point, "mm" behind.
std::optional<double> typed_mm(std::string text) {
  for (auto& c : text)
    if (c == ',') c = '.';
  const auto begin = text.find_first_not_of(" \t+");
  if (begin == text.npos) return std::nullopt;
  double number = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + begin, end, number);
  if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
  std::string_view rest(stop, static_cast<std::size_t>(end - stop));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  if (rest.starts_with("mm")) rest.remove_prefix(2);
  if (rest.find_first_not_of(" \t\r\n") != rest.npos) return std::nullopt;
  return number;
}

}  // namespace

Result<void> ManualStage::home() {
  return ask_operator_("Turn the stage to where all dials read zero, then press Enter.")
      .map([&](const std::string&) {
        homed_ = true;
        locked_ = false;
        at_m_ = {};
        samples_.push_back({clock_.now_ns(), at_m_, StageState::kIdle, true});
      });
}

Result<double> ManualStage::dial_reading_m(const StagePosition& target_m) {
  std::string again;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto question = fmt::format(
        "{}Move to x {:.3f} mm, y {:.3f} mm, turn z to {:.3f} mm, and type what the dial shows in "
        "mm:",
        again, m_to_mm(target_m[0]), m_to_mm(target_m[1]), m_to_mm(target_m[2]));
    const auto answer = ask_operator_(question);
    if (!answer) return fail(answer.error());
    const auto dial_mm = typed_mm(*answer);
    if (!dial_mm) {
      again = fmt::format("'{}' is no number. ", *answer);
    } else if (std::abs(mm_to_m(*dial_mm) - target_m[2]) > options_.most_off_m) {
      again = fmt::format("{:.3f} mm is more than {:.3f} mm away from it. ", *dial_mm,
                          m_to_mm(options_.most_off_m));
    } else {
      return mm_to_m(*dial_mm);
    }
  }
  return fail(ErrorCode::kDeviceFault, "manual stage: {}the move to z {:.3f} mm was given up",
              again, m_to_mm(target_m[2]));
}

Result<void> ManualStage::move_to(const StagePosition& target_m, double) {
  if (locked_)
    return fail(ErrorCode::kDeviceFault, "the stage was stopped and is locked; unlock it first");
  if (!homed_)
    return fail(ErrorCode::kDeviceFault,
                "the stage's position is not known; say where its dials read zero (home)");
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!(target_m[axis] >= options_.travel.low_m[axis] - 1e-9) ||
        !(target_m[axis] <= options_.travel.high_m[axis] + 1e-9))
      return fail(ErrorCode::kInvalidInput,
                  "{} {:.3f} mm is outside the stage's travel of {:.3f} to {:.3f} mm", "XYZ"[axis],
                  m_to_mm(target_m[axis]), m_to_mm(options_.travel.low_m[axis]),
                  m_to_mm(options_.travel.high_m[axis]));
  return dial_reading_m(target_m).map([&](double dial_m) {
    at_m_ = {target_m[0], target_m[1], dial_m};
    samples_.push_back({clock_.now_ns(), at_m_, StageState::kIdle, true});
  });
}

Result<void> ManualStage::jog(const StagePosition&, double) {
  return fail(ErrorCode::kUsage, "a manual stage is turned by hand, not jogged");
}

Result<void> ManualStage::poll(std::vector<StageSample>& into, Timeout) {
  into.insert(into.end(), samples_.begin(), samples_.end());
  samples_.clear();
  return {};
}

Result<void> ManualStage::stop() {
  locked_ = true;
  return ask_operator_("STOP: turn the indenter up until nothing touches, then press Enter.")
      .map([](const std::string&) {});
}

}  // namespace tactelier::devices
