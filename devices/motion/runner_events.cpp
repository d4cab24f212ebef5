// Runner: what is recorded of a run, and what each press is worth.

#include <cmath>
#include <nlohmann/json.hpp>

#include "devices/acquisition/resume_point.hpp"
#include "devices/motion/runner.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/protocol/plan_event.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

constexpr int kTries = 3;
constexpr double kZeroShift_N = 0.05;
constexpr std::int64_t kLostFrames = 10;
constexpr double kSideShare = 0.25, kSide_N = 0.2;  // of the press's peak, and beside it

}  // namespace

std::string Runner::verdict() const {
  const auto reading = live_.reading();
  if (std::abs(reading.bias_N - press_->zero_N) > kZeroShift_N)
    return fmt::format("the force's zero moved by {:.3f} N", reading.bias_N - press_->zero_N);
  if (reading.collided) return "a collision with the rig";
  if (reading.side_N > kSide_N + kSideShare * reading.press_N)
    return fmt::format("a side load of {:.2f} N", reading.side_N);
  if (reading.array.lost - press_->lost > kLostFrames)
    return fmt::format("{} tactile frames were lost", reading.array.lost - press_->lost);
  return {};
}

std::string Runner::outcome(const std::string& planned) {
  if (std::exchange(undoing_, false) || control_.undo.exchange(false)) {
    ++report_.undone;
    --press_->tries;  // no fault of the press
    next_ = press_->segment;
    note(fmt::format("press {} is undone and done again", presses_));
    return "undone";
  }
  if (std::exchange(skipping_, false)) {
    ++report_.aborted;
    return "aborted";
  }
  auto bad = verdict();
  if (control_.repeat.exchange(false)) bad = "asked for";
  if (!bad.empty() && planned == "ok" && press_->tries < kTries) {
    ++report_.repeated;
    next_ = press_->segment;
    note(fmt::format("press {} is done again: {}", presses_, bad));
    return "repeated";
  }
  if (planned == "ok") finished_.push_back({press_->segment, presses_, press_->tactel});
  return planned;
}

/// The recording keeps it; an edit leaves it out.
void Runner::undo_last() {
  if (finished_.empty()) {
    report_.warnings.push_back({"NOTHING-TO-UNDO",
                                "no press since the run began, or since the tip was changed, is "
                                "left to be undone",
                                fmt::format("press {}", presses_)});
    return;
  }
  const auto last = finished_.back();
  finished_.pop_back();
  press_.reset();
  ++report_.undone;
  live_.withdraw(last.number);
  note(fmt::format("press {} is withdrawn and done again", last.number));
  tell({last.number, last.tactel, "withdrawn"});
  index_ = way_to(plan_, last.segment);
}

void Runner::note(const std::string& text) { live_.event("note", canonical(json{{"text", text}})); }

void Runner::emit(const PlannedEvent& planned) {
  auto event = planned;
  if (answer_ && !event.answer_key.empty()) event.data = data_with_answer(event, *answer_);
  auto data = json::parse(event.data);
  if (event.name == "press_begin") {
    const int number = data["press"].get<int>();
    const bool again = press_ && press_->planned == number;
    const int tries = again ? press_->tries + 1 : 1;
    const auto reading = live_.reading();
    std::optional<int> tactel;
    if (data.contains("tactel")) tactel = data["tactel"].get<int>();
    press_ = Press{index_, number, tries, tactel, reading.bias_N, reading.array.lost};
    live_.readings().begin_press();
    ++presses_;
  }
  if (data.contains("press") && press_) data["press"] = presses_;
  if (event.name == "press_end" && press_) data["outcome"] = outcome(data.value("outcome", "ok"));
  event.data = canonical(data);
  live_.event(event.name, event.data);
  open_.see(event.name, event.data);
  if (pair_of(event.name) == "press" && press_)
    tell({presses_, press_->tactel, data.value("outcome", "")});
}

void Runner::tell(const PressNews& news) const {
  if (on_press) on_press(news);
}

void Runner::close_open_events(std::string_view outcome) {
  if (open_.has("press") && press_) tell({presses_, press_->tactel, std::string(outcome)});
  for (const auto& end : open_.close(outcome)) live_.event(end.name, end.data);
  skipping_ = undoing_ = false;  // they were wishes about the press that is over
}

}  // namespace tactelier::rig
