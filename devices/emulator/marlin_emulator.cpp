#include "devices/emulator/marlin_emulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace tactelier::devices {
namespace {

constexpr std::size_t kRing = 128, kQueue = 4, kLongestLine = 95;  // RX_BUFFER_SIZE, BUFSIZE
constexpr std::int64_t kBoot_ns = 1'500'000'000;
constexpr std::int64_t kIdle_ns = 1'000'000;       // a turn of the main loop
constexpr std::int64_t kClean_ns = 1'000'000'000;  // module/planner.cpp, quick_stop()
constexpr std::int64_t kDying_ns = 600'000'000;    // MarlinCore.cpp, minkill()
constexpr int kLostSteps = 40;

std::int64_t s_to_ns(double time_s) { return std::llround(time_s * 1e9); }

}  // namespace

MarlinEmulator::MarlinEmulator(const MarlinBoard& board, std::int64_t power_up_ns)
    : board_(board), wire_(board.baud / 10) {
  machine_.start(power_up_ns);
  now_ns_ = power_up_ns;
  real_minus_reported_mm_ = board_.power_up_mm;
  boot(power_up_ns);
}

Axes_mm MarlinEmulator::true_position_mm() const {
  auto position_mm = machine_.position_mm();
  for (std::size_t axis = 0; axis < 3; ++axis) position_mm[axis] += real_minus_reported_mm_[axis];
  return position_mm;
}

Axes_mm MarlinEmulator::whole_steps(Axes_mm position_mm) const {
  for (std::size_t axis = 0; axis < 3; ++axis)
    position_mm[axis] =
        std::round(position_mm[axis] * board_.steps_per_mm[axis]) / board_.steps_per_mm[axis] + 0.0;
  return position_mm;
}

std::array<long long, 3> MarlinEmulator::steps(const Axes_mm& position_mm) const {
  std::array<long long, 3> counts{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    counts[axis] = std::llround(position_mm[axis] * board_.steps_per_mm[axis]);
  return counts;
}

/// It believes to be at its home position: x and y at 0, z where it homes to.
void MarlinEmulator::boot(std::int64_t now_ns) {
  const auto real_mm = true_position_mm();
  const Axes_mm believed_mm{0, 0, board_.homes_down ? 0 : board_.travel_mm[2]};
  machine_.halt();
  machine_.place(believed_mm);
  current_mm_ = planned_mm_ = believed_mm;
  for (std::size_t axis = 0; axis < 3; ++axis)
    real_minus_reported_mm_[axis] = real_mm[axis] - believed_mm[axis];
  booting_ = true;
  killed_ = stop_seen_ = kill_seen_ = homing_fails_ = false;
  act_ns_ = dead_ns_ = begin_ns_ = homed_ns_ = busy_ns_ = kNever;
  clean_ns_ = 0;
  ready_ns_ = now_ns + kBoot_ns;
  state_.clear();
  received_.clear();
  lines_.clear();
  running_.reset();
  first_.clear();
  homed_ = {};
  last_number_ = 0;
  absolute_ = soft_limits_ = true;
  feed_mm_per_s_ = 25;
  busy_s_ = 2;
  motors_off_s_ = 120;
  wire_.forget();
}

void MarlinEmulator::start(std::int64_t now_ns) {
  booting_ = false;
  rests_ns_ = now_ns;
  for (const auto* line : {"start", "PowerUp", "Marlin 2.1.2.1",
                           "echo: Last Updated: 2023-05-16 | Author: (none, default config)",
                           "echo: Free Memory: 5210  PlannerBufferBytes: 1280",
                           "echo:Hardcoded Default Settings Loaded"})
    say(line, now_ns);
}

void MarlinEmulator::say(std::string_view line, std::int64_t now_ns) {
  Bytes bytes(line.begin(), line.end());
  bytes.push_back('\n');
  wire_.send(now_ns, std::move(bytes), 0);
}

void MarlinEmulator::receive(ByteView bytes, int, std::int64_t now_ns) {
  if (booting_ || hung_up(now_ns)) return;
  for (const auto byte : bytes) {
    const char c = static_cast<char>(byte);
    if (board_.emergency_parser) look_at(c, now_ns);
    if (received_.size() < kRing) received_.push_back(c);  // what doesn't fit is lost
    if (c == '\n') process(now_ns);
  }
  process(now_ns);
}

/// A line end in the middle of "M41" does not begin anew: it makes it wait for another one.
void MarlinEmulator::look_at(char c, std::int64_t now_ns) {
  const bool ends = c == '\n' || c == '\r';
  if (state_ == "-") {
    if (ends) state_.clear();
    return;
  }
  if (state_ == "M410" || state_ == "M112") {
    if (!ends) return;
    (state_ == "M410" ? stop_seen_ : kill_seen_) = true;
    act_ns_ = std::min(act_ns_, now_ns + kIdle_ns);
    state_.clear();
    return;
  }
  if (state_.empty() && (c == ' ' || ends)) return;
  if (state_.empty() && c == 'N') {
    state_.assign(1, 'N');
    return;
  }
  if (state_ == "N") {
    if ((c >= '0' && c <= '9') || c == '-' || c == ' ') return;
    state_.clear();
  }
  if (state_ == "M" && c == ' ') return;
  state_.push_back(c);
  const bool known =
      std::string_view("M410").starts_with(state_) || std::string_view("M112").starts_with(state_);
  if (!known) state_.assign(1, '-');
}

/// module/temperature.cpp, task(): M112 is looked at first.
void MarlinEmulator::act(std::int64_t now_ns) {
  act_ns_ = kNever;
  if (killed_) return;
  if (std::exchange(kill_seen_, false)) return kill("M112 Shutdown", now_ns);
  if (std::exchange(stop_seen_, false) && !wire_.lasting(FaultKind::kDeaf, now_ns))
    quick_stop(now_ns);
}

void MarlinEmulator::quick_stop(std::int64_t now_ns) {
  machine_.halt();
  machine_.place(whole_steps(machine_.position_mm()));
  first_.clear();
  begin_ns_ = kNever;
  clean_ns_ = now_ns + kClean_ns;
  current_mm_ = planned_mm_ = machine_.position_mm();
  if (homed_ns_ == kNever) return;
  homed_ns_ = clean_ns_;  // on to the next part, which finds no switch
  homing_fails_ = true;
}

void MarlinEmulator::kill(std::string_view why, std::int64_t now_ns) {
  killed_ = true;
  homed_ns_ = busy_ns_ = kNever;
  dead_ns_ = now_ns + kDying_ns;  // what is planned goes on
  say(fmt::format("echo:{}", why), now_ns);
  say("Error:Printer halted. kill() called!", now_ns);
}

/// module/endstops.cpp, event_handler(): the move ends there, and its steps are not made up for.
void MarlinEmulator::limit_switch(std::int64_t now_ns) {
  machine_.halt();
  machine_.place(whole_steps(machine_.position_mm()));
  first_.clear();
  begin_ns_ = kNever;
  say(fmt::format("echo:endstops hit:  Z:{:.2f}", machine_.position_mm()[2]), now_ns);
}

void MarlinEmulator::ask_again(std::string_view why, std::int64_t now_ns) {
  received_.clear();
  say(fmt::format("Error:{}, Last Line: {}", why, last_number_), now_ns);
  say(fmt::format("Resend: {}", last_number_ + 1), now_ns);
  say("ok", now_ns);
}

bool MarlinEmulator::right_number(const std::string& line, std::int64_t now_ns) {
  if (line.empty() || line.front() != 'N') return true;
  const bool sets = line.find("M110") != line.npos;
  const auto second = sets ? line.find('N', 4) : line.npos;
  const auto number =
      std::strtoll(line.c_str() + (second != line.npos ? second : 0) + 1, nullptr, 10);
  if (number != last_number_ + 1 && !sets) {
    if (number == last_number_ || number == last_number_ - 1) return false;  // it has it already
    ask_again("Line Number is not Last Line Number+1", now_ns);
    return false;
  }
  const auto star = line.rfind('*');
  if (star == line.npos) return ask_again("No Checksum with line number", now_ns), false;
  unsigned sum = 0;
  for (const char c : line.substr(0, star)) sum ^= static_cast<unsigned char>(c);
  if (std::strtol(line.c_str() + star + 1, nullptr, 10) != static_cast<long>(sum))
    return ask_again("checksum mismatch", now_ns), false;
  last_number_ = number;
  return true;
}

void MarlinEmulator::read_lines(std::int64_t now_ns) {
  while (lines_.size() < kQueue) {
    const auto end = received_.find_first_of("\r\n");
    if (end == received_.npos) return;
    auto line = received_.substr(0, std::min(end, kLongestLine));
    received_.erase(0, end + 1);
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (!line.empty() && right_number(line, now_ns)) lines_.push_back(std::move(line));
  }
}

bool MarlinEmulator::waits(std::int64_t now_ns) const {
  return now_ns < clean_ns_ || homed_ns_ != kNever;
}

void MarlinEmulator::process(std::int64_t now_ns) {
  if (booting_ || killed_) return;
  while (true) {
    read_lines(now_ns);
    if (waits(now_ns)) return;
    if (running_) {
      if (now_ns < running_->due_ns || !execute(running_->line, now_ns)) return;
      running_.reset();
      continue;
    }
    if (lines_.empty()) return;
    running_ = Running{std::move(lines_.front()),
                       now_ns + kIdle_ns + static_cast<std::int64_t>(random_() % 2'000'000)};
    lines_.pop_front();
  }
}

/// A first move waits for more of them: module/planner.cpp, get_current_block().
void MarlinEmulator::deliver_first(std::int64_t now_ns) {
  if (first_.empty() || (now_ns < begin_ns_ && first_.size() < 3)) return;
  for (const auto& block : first_) machine_.add(block);
  first_.clear();
  begin_ns_ = kNever;
}

void MarlinEmulator::switch_motors_off(std::int64_t now_ns) {
  if (moving()) rests_ns_ = now_ns;
  if (!(motors_off_s_ > 0) || now_ns - rests_ns_ < s_to_ns(motors_off_s_)) return;
  rests_ns_ = now_ns;
  homed_ = {};
  real_minus_reported_mm_[2] -= 0.5;  // the tool sinks
}

void MarlinEmulator::run_until(std::int64_t now_ns) {
  now_ns_ = std::max(now_ns_, now_ns);
  machine_.run_until(now_ns);
  if (wire_.strikes(FaultKind::kReset, now_ns)) boot(now_ns);
  if (wire_.strikes(FaultKind::kAlarm, now_ns)) limit_switch(now_ns);
  if (wire_.strikes(FaultKind::kWrongData, now_ns))
    real_minus_reported_mm_[2] += kLostSteps / board_.steps_per_mm[2];
  if (booting_ && now_ns >= ready_ns_) start(ready_ns_);
  if (act_ns_ <= now_ns) act(now_ns);
  if (dead_ns_ <= now_ns) {
    dead_ns_ = kNever;
    machine_.halt();
    first_.clear();
    begin_ns_ = kNever;
  }
  if (booting_) return;
  deliver_first(now_ns);
  if (busy_ns_ <= now_ns) {
    say("echo:busy: processing", busy_ns_);
    busy_ns_ += s_to_ns(busy_s_);
  }
  if (homed_ns_ <= now_ns) finish_homing(homed_ns_);
  switch_motors_off(now_ns);
  process(now_ns);
}

std::int64_t MarlinEmulator::next_ns() const {
  auto next_ns = std::min({wire_.next_ns(), wire_.next_strike_ns(now_ns_), machine_.next_ns(),
                           act_ns_, dead_ns_, begin_ns_, homed_ns_, busy_ns_});
  if (booting_) next_ns = std::min(next_ns, ready_ns_);
  if (clean_ns_ > now_ns_) next_ns = std::min(next_ns, clean_ns_);
  if (running_ && running_->due_ns > now_ns_) next_ns = std::min(next_ns, running_->due_ns);
  return next_ns;
}

}  // namespace tactelier::devices
