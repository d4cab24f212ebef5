#include "app/gui/pages/session/coverage.hpp"

#include <algorithm>

#include "libcalib/sensor/normal_channel.hpp"

namespace tactelier::gui {
namespace {

using rig::messages::PressOutcome;

constexpr double kLeast_N = 0.05;  // below, a quotient says nothing

}  // namespace

void Coverage::clear(const SensorDescription& sensor) {
  *this = {};
  channels_ = std::max(1, sensor.channels);
  tactels_.resize(static_cast<std::size_t>(sensor.tactels()));
}

void Coverage::hear(const rig::messages::Press& press) {
  if (!press.tactel || *press.tactel < 0 ||
      static_cast<std::size_t>(*press.tactel) >= tactels_.size()) {
    pressed_.reset();
    return;
  }
  auto& tactel = tactels_[static_cast<std::size_t>(*press.tactel)];
  switch (press.outcome) {
    case PressOutcome::kBegun:
      pressed_ = press.tactel;
      rest_counts_.reset();
      peak_N_ = peak_counts_ = 0;
      return;
    case PressOutcome::kWithdrawn:
      tactel.good = std::max(0, tactel.good - 1);
      if (tactel.good == 0) tactel.counts_per_N.reset();
      ++tactel.again;
      return;
    case PressOutcome::kOk:
      ++tactel.good;
      tactel.counts_per_N = answer();
      break;
    case PressOutcome::kAborted:
      ++tactel.aborted;
      break;
    case PressOutcome::kRepeated:
    case PressOutcome::kUndone:
      ++tactel.again;
      break;
    case PressOutcome::kConditioning:
      break;
  }
  pressed_.reset();
}

void Coverage::add(const std::vector<Press>& recorded) {
  for (const auto& press : recorded) {
    if (!press.tactel || *press.tactel < 0 ||
        static_cast<std::size_t>(*press.tactel) >= tactels_.size())
      continue;
    auto& tactel = tactels_[static_cast<std::size_t>(*press.tactel)];
    if (press.outcome == "ok")
      ++tactel.good;
    else if (press.outcome == "aborted")
      ++tactel.aborted;
    else if (press.outcome == "repeated" || press.outcome == "undone")
      ++tactel.again;
  }
}

void Coverage::see(const rig::LiveFrame& frame) {
  if (!pressed_) return;
  const auto index = static_cast<std::size_t>(*pressed_ * channels_) + normal_channel(channels_);
  if (index >= frame.counts.size()) return;
  const double counts = static_cast<double>(frame.counts[index]);
  if (!rest_counts_) rest_counts_ = counts;
  if (frame.force_N <= peak_N_) return;
  peak_N_ = frame.force_N;
  peak_counts_ = counts;
}

std::optional<double> Coverage::answer() const {
  if (!rest_counts_ || peak_N_ < kLeast_N) return std::nullopt;
  return (peak_counts_ - *rest_counts_) / peak_N_;
}

int Coverage::done() const {
  return static_cast<int>(std::count_if(tactels_.begin(), tactels_.end(),
                                        [](const auto& tactel) { return tactel.good > 0; }));
}

}  // namespace tactelier::gui
