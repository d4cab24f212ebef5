#include "devices/emulator/grbl_emulator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactelier::devices {
namespace {

constexpr std::size_t kRing = 128;
constexpr std::int64_t kBoot_ns = 1'500'000'000;
constexpr std::int64_t kAfterAlarm_ns = 500'000'000;
constexpr std::int64_t kLine_ns = 1'000'000;  // reading and planning one line
constexpr int kLostSteps = 40;

/// settings.md: the generic profile.
const std::map<int, double>& generic_settings() {
  static const std::map<int, double> settings{
      {0, 10},   {1, 25},    {2, 0},      {3, 0},     {4, 0},     {5, 0},     {6, 0},
      {10, 1},   {11, 0.01}, {12, 0.002}, {13, 0},    {20, 0},    {21, 0},    {22, 0},
      {23, 0},   {24, 25},   {25, 500},   {26, 250},  {27, 1},    {30, 1000}, {31, 0},
      {32, 0},   {100, 250}, {101, 250},  {102, 250}, {110, 500}, {111, 500}, {112, 500},
      {120, 10}, {121, 10},  {122, 10},   {130, 200}, {131, 200}, {132, 200}};
  return settings;
}

}  // namespace

GrblEmulator::GrblEmulator(const GrblBoard& board, std::int64_t power_up_ns)
    : board_(board),
      wire_(board.baud / 10),
      settings_(generic_settings()),
      rules_(stop_rules(board.dialect)) {
  for (const auto& [number, value] : board_.settings) settings_[number] = value;
  machine_.start(power_up_ns);
  now_ns_ = power_up_ns;
  real_minus_reported_mm_ = board_.power_up_mm;
  boot(power_up_ns);
}

double GrblEmulator::setting(int number) const { return settings_.at(number); }

Axes_mm GrblEmulator::true_position_mm() const {
  auto position_mm = machine_.position_mm();
  for (std::size_t axis = 0; axis < 3; ++axis) position_mm[axis] += real_minus_reported_mm_[axis];
  return position_mm;
}

void GrblEmulator::boot(std::int64_t now_ns) {
  const auto real_mm = true_position_mm();
  machine_.halt();
  machine_.place({});
  real_minus_reported_mm_ = real_mm;
  phase_ = Phase::kBoot;
  ready_ns_ = now_ns + kBoot_ns;
  forget_lines();
  wire_.forget();
}

void GrblEmulator::say(std::string_view line, std::int64_t now_ns) {
  Bytes bytes(line.begin(), line.end());
  bytes.push_back('\r');
  bytes.push_back('\n');
  wire_.send(now_ns, std::move(bytes), 0);
}

void GrblEmulator::banner(std::int64_t now_ns) {
  forget_lines();
  absolute_ = rapid_ = true;
  inches_ = dwelling_ = soft_limit_hit_ = false;
  feed_mm_min_ = 0;
  reports_to_offset_ = reports_to_override_ = 0;
  report_ns_ = homed_ns_ = kNever;
  say("", now_ns);
  if (board_.dialect == GrblDialect::kGrblHal)
    say("GrblHAL 1.1f ['$' or '$HELP' for help]", now_ns);
  else if (board_.dialect == GrblDialect::kFluidNc)
    say("Grbl 3.7 [FluidNC v3.7.16 (noradio) '$' for help]", now_ns);
  else
    say("Grbl 1.1h ['$' for help]", now_ns);
  if (phase_ == Phase::kAlarm) say("[MSG:'$H'|'$X' to unlock]", now_ns);
}

void GrblEmulator::soft_reset(std::int64_t now_ns) {
  const bool was_moving = steps() || phase_ == Phase::kHoming;
  const bool locked = phase_ == Phase::kAlarm || phase_ == Phase::kCritical;
  stand_still();
  if (was_moving) say(phase_ == Phase::kHoming ? "ALARM:6" : "ALARM:3", now_ns);
  phase_ = was_moving || locked ? Phase::kAlarm : Phase::kReady;
  ready_ns_ = was_moving ? now_ns + kAfterAlarm_ns : now_ns;
  banner(now_ns);
}

void GrblEmulator::alarm(int number, Phase phase, std::int64_t now_ns) {
  stand_still();
  forget_lines();
  phase_ = phase;
  ready_ns_ = now_ns + kAfterAlarm_ns;
  report_ns_ = kNever;
  say(fmt::format("ALARM:{}", number), now_ns);
  if (phase == Phase::kCritical) say("[MSG:Reset to continue]", now_ns);
}

void GrblEmulator::receive(ByteView bytes, int, std::int64_t now_ns) {
  if (phase_ == Phase::kBoot || hung_up(now_ns)) return;
  for (const auto byte : bytes) {
    const bool real_time_byte = byte == grbl::kSoftReset || byte == grbl::kStatus ||
                                byte == grbl::kHold || byte == grbl::kResume || byte >= 0x80;
    if (real_time_byte)
      real_time(byte, now_ns);
    else if (waiting_.size() < kRing)
      waiting_.push_back(static_cast<char>(byte));  // what doesn't fit is lost without a word
    if (byte == '\n') process(now_ns);
  }
  process(now_ns);
}

void GrblEmulator::real_time(std::uint8_t byte, std::int64_t now_ns) {
  const bool deaf = wire_.lasting(FaultKind::kDeaf, now_ns);
  switch (byte) {
    case grbl::kSoftReset:
      soft_reset(now_ns);
      break;
    case grbl::kStatus:
      ++asked_;
      // Answered within 5 to 20 ms; a second one before that gets the same answer.
      if (report_ns_ == kNever && phase_ != Phase::kCritical && phase_ != Phase::kHoming)
        report_ns_ = now_ns + 5'000'000 + static_cast<std::int64_t>(random_() % 15'000'000);
      break;
    case grbl::kHold:
      if (!deaf) feed_hold();
      break;
    case grbl::kResume:
      if (!cancelling_) machine_.resume();
      break;
    case grbl::kJogCancel:
      if (!deaf) jog_cancel();
      break;
    default:
      break;
  }
}

void GrblEmulator::run_until(std::int64_t now_ns) {
  now_ns_ = std::max(now_ns_, now_ns);
  machine_.run_until(now_ns);
  if (wire_.strikes(FaultKind::kReset, now_ns)) boot(now_ns);
  if (wire_.strikes(FaultKind::kAlarm, now_ns)) alarm(1, Phase::kCritical, now_ns);
  if (wire_.strikes(FaultKind::kWrongData, now_ns))
    real_minus_reported_mm_[2] += kLostSteps / setting(102);
  if (phase_ == Phase::kBoot && now_ns >= ready_ns_) {
    phase_ = setting(22) != 0 ? Phase::kAlarm : Phase::kReady;
    banner(ready_ns_);
  }
  if (homed_ns_ <= now_ns) finish_homing(homed_ns_);
  finish_cancel();
  if (report_ns_ <= now_ns) report(std::exchange(report_ns_, kNever));
  process(now_ns);
}

std::int64_t GrblEmulator::next_ns() const {
  auto next_ns = std::min(
      {wire_.next_ns(), wire_.next_strike_ns(now_ns_), machine_.next_ns(), report_ns_, homed_ns_});
  if (ready_ns_ > now_ns_) next_ns = std::min(next_ns, ready_ns_);
  if (parsing_ && parsing_->due_ns > now_ns_) next_ns = std::min(next_ns, parsing_->due_ns);
  return next_ns;
}

std::string GrblEmulator::state_name() const {
  if (phase_ == Phase::kAlarm || phase_ == Phase::kCritical) return "Alarm";
  if (phase_ == Phase::kHoming) return "Home";
  if (machine_.empty() && !machine_.holding()) return "Idle";
  if (machine_.jogging()) return "Jog";
  if (machine_.holding()) return machine_.held() ? "Hold:0" : "Hold:1";
  return "Run";
}

Axes_mm GrblEmulator::whole_steps(Axes_mm position_mm) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double steps_per_mm = setting(100 + static_cast<int>(axis));
    position_mm[axis] = std::round(position_mm[axis] * steps_per_mm) / steps_per_mm + 0.0;
  }
  return position_mm;
}

void GrblEmulator::stand_still() {
  machine_.halt();
  machine_.place(whole_steps(machine_.position_mm()));
}

/// What the step counters say.
std::string GrblEmulator::axes(const Axes_mm& position_mm) const {
  const auto at_mm = whole_steps(position_mm);
  return fmt::format("{:.3f},{:.3f},{:.3f}", at_mm[0], at_mm[1], at_mm[2]);
}

void GrblEmulator::report(std::int64_t now_ns) {
  const auto mask = static_cast<unsigned>(setting(10));
  auto text = fmt::format("<{}|{}:{}", state_name(), (mask & 1U) != 0 ? "MPos" : "WPos",
                          axes(machine_.position_mm()));
  const bool hal = board_.dialect == GrblDialect::kGrblHal;
  const std::size_t blocks = hal ? 85 + machine_.free_blocks() : machine_.free_blocks();
  if ((mask & 2U) != 0)
    text += fmt::format("|Bf:{},{}", blocks, (hal ? 1023 : kRing) - waiting_.size());
  text += fmt::format("|FS:{:.0f},0", machine_.speed_mm_per_s() * 60);
  const bool busy = moves_or_holds();
  if (reports_to_offset_ > 0) {
    --reports_to_offset_;
  } else {
    text += "|WCO:0.000,0.000,0.000";
    reports_to_offset_ = busy ? 29 : 9;
    if (reports_to_override_ == 0) reports_to_override_ = 1;  // never both in one report
  }
  if (reports_to_override_ > 0) {
    --reports_to_override_;
  } else {
    text += "|Ov:100,100,100";
    reports_to_override_ = busy ? 19 : 9;
  }
  if (hal) text += fmt::format("|H:{}", phase_ == Phase::kReady ? 1 : 0);
  say(text + ">", now_ns);
}

bool GrblEmulator::ready_for_lines(std::int64_t now_ns) const {
  return (phase_ == Phase::kReady || phase_ == Phase::kAlarm) && now_ns >= ready_ns_ &&
         !machine_.holding() && !machine_.full() && !soft_limit_hit_;
}

void GrblEmulator::forget_lines() {
  waiting_.clear();
  parsing_.reset();
  cancelling_ = cancel_mark_ = stop_waits_ = false;
}

bool GrblEmulator::finish_line(std::int64_t now_ns) {
  if (now_ns < parsing_->due_ns) return false;
  const auto& text = parsing_->line;
  const bool moves = !text.starts_with('$') || text.starts_with("$J=");
  if (moves && machine_.holding() && rules_.looks_before_planning) return false;
  const bool was_idle = machine_.empty();
  execute(text, now_ns);
  parsing_.reset();
  if (std::exchange(stop_waits_, false)) stop_behind_line(was_idle);
  return true;
}

void GrblEmulator::process(std::int64_t now_ns) {
  if (dwelling_ && machine_.empty() && !machine_.holding()) {
    dwelling_ = false;
    say("ok", now_ns);
  }
  while (true) {
    if (parsing_ && !finish_line(now_ns)) break;
    if (cancel_mark_ && !machine_.holding() && std::exchange(cancel_mark_, false) && jogging())
      begin_cancel();
    if (!ready_for_lines(now_ns) || dwelling_) break;
    const auto end = waiting_.find_first_of("\r\n");
    if (end == std::string::npos) break;
    parsing_ = Parsing{waiting_.substr(0, end), machine_.planned_mm(), now_ns + kLine_ns};
    waiting_.erase(0, end + 1);
  }
  if (soft_limit_hit_ && (machine_.held() || machine_.empty())) {
    soft_limit_hit_ = false;
    alarm(2, Phase::kCritical, now_ns);
  }
}

}  // namespace tactelier::devices
