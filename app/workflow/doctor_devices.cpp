// The devices' own settings, and the way to them.

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>

#include <cmath>
#include <memory>

#include "app/workflow/doctor.hpp"
#include "devices/ati/netft.hpp"
#include "devices/grbl/grbl_stage.hpp"
#include "devices/link/link_url.hpp"
#include "devices/marlin/marlin_stage.hpp"
#include "devices/server/device_claim.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kSlowFilter_hz = 70;    // below, the guard sees a force late
constexpr double kFastEnough_hz = 5000;  // nothing on a rig rings above half of that
constexpr double kPi = 3.141592653589793;
constexpr double kCoarseStep_mm = 0.01;  // a step of depth that a thin pad feels
constexpr double kFinestStep_mm = 1e-5;  // finer is a mistyped number
constexpr double kFactorySteps = 250;    // per mm: what the firmware comes with
constexpr double kStaysPowered = 255;

SystemCheck good(std::string what, std::string words) {
  return {std::move(what), CheckState::kGood, std::move(words), ""};
}

struct FreeInterfaces {
  void operator()(ifaddrs* list) const { ::freeifaddrs(list); }
};

bool same_network(const ifaddrs& interface, in_addr host) {
  if (interface.ifa_addr == nullptr || interface.ifa_netmask == nullptr ||
      interface.ifa_addr->sa_family != AF_INET)
    return false;
  const auto address = reinterpret_cast<const sockaddr_in*>(interface.ifa_addr)->sin_addr.s_addr;
  const auto mask = reinterpret_cast<const sockaddr_in*>(interface.ifa_netmask)->sin_addr.s_addr;
  return (address & mask) == (host.s_addr & mask);
}

std::string setting_words(const std::map<int, double>& settings, int number) {
  const auto found = settings.find(number);
  return found != settings.end() ? fmt::format("${}={:g}", number, found->second)
                                 : fmt::format("${} isn't there", number);
}

SystemCheck wants(const std::map<int, double>& settings, int number, double value, std::string what,
                  std::string_view why) {
  const auto found = settings.find(number);
  if (found != settings.end() && found->second == value)
    return good(std::move(what), setting_words(settings, number));
  return {std::move(what), CheckState::kLook,
          fmt::format("{}: {}", setting_words(settings, number), why),
          fmt::format("send it ${}={:g} ('doctor --fix' does)", number, value),
          StageSetting{number, value}};
}

SystemCheck check_steps(const std::map<int, double>& settings, int axis) {
  const auto what = fmt::format("steps per mm {}", "XYZ"[axis]);
  const auto found = settings.find(100 + axis);
  if (found == settings.end() || !(found->second > 0))
    return {what, CheckState::kBad, setting_words(settings, 100 + axis),
            fmt::format("set ${} to the steps per mm of this axis", 100 + axis)};
  const double step_mm = 1 / found->second;
  const auto words =
      fmt::format("${}={:g}, a step is {:.3g} um", 100 + axis, found->second, step_mm * 1e3);
  const auto remedy =
      fmt::format("command 10 mm, measure the way with a dial gauge: ${} = {:g} x 10 / way",
                  100 + axis, found->second);
  if (step_mm > kCoarseStep_mm)
    return {what, CheckState::kLook, words + ": too coarse for a thin pad", "more microsteps"};
  if (step_mm < kFinestStep_mm)
    return {what, CheckState::kLook, words + ": finer than any stage", remedy};
  if (found->second == kFactorySteps)
    return {what, CheckState::kLook, words + ": the firmware's own number, was it ever measured?",
            remedy};
  return good(what, words);
}

void append(SystemChecks& checks, SystemChecks more) {
  checks.insert(checks.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

}  // namespace

SystemCheck check_network(const std::string& host) {
  const auto what = "network to " + host;
  in_addr address{};
  if (::inet_pton(AF_INET, host.c_str(), &address) != 1)
    return good(what, "a name; the system looks it up");
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return good(what, "unknown: the system doesn't say");
  const std::unique_ptr<ifaddrs, FreeInterfaces> keep(list);
  for (auto* one = list; one != nullptr; one = one->ifa_next)
    if (same_network(*one, address)) return good(what, fmt::format("reached by {}", one->ifa_name));
  const auto last_dot = host.rfind('.');
  return {
      what, CheckState::kBad,
      fmt::format("this computer has no address in {}.0/24", host.substr(0, last_dot)),
      fmt::format("sudo ip address add {}.100/24 dev YOUR-INTERFACE", host.substr(0, last_dot))};
}

namespace {

SystemCheck check_filter(double cutoff_hz, double rate_hz, const std::string& web) {
  const auto* what = "Net F/T filter";
  const auto remedy = fmt::format("choose another low-pass on the Settings page of {}", web);
  const auto words =
      cutoff_hz == 0 ? std::string("no low-pass") : fmt::format("low-pass of {:g} Hz", cutoff_hz);
  if (cutoff_hz > 0 && cutoff_hz < kSlowFilter_hz)
    return {what, CheckState::kLook,
            fmt::format("{}: the guard sees forces about {:.0f} ms late", words,
                        1e3 / (2 * kPi * cutoff_hz)),
            remedy};
  const bool folds = cutoff_hz == 0 || cutoff_hz > rate_hz / 2;
  if (rate_hz > 0 && rate_hz < kFastEnough_hz && folds)
    return {what, CheckState::kLook,
            fmt::format("{} at {:g} records/s: faster vibrations are folded into the force", words,
                        rate_hz),
            remedy + ", at most half the rate"};
  return good(what, words);
}

}  // namespace

SystemChecks check_netft(const devices::NetFtConfig& config, const std::string& web) {
  SystemChecks checks;
  const auto cutoff_hz = config.filter ? devices::filter_cutoff_hz(*config.filter) : std::nullopt;
  if (cutoff_hz)
    checks.push_back(check_filter(*cutoff_hz, config.rdt_rate_hz.value_or(0), web));
  else
    checks.push_back({"Net F/T filter", CheckState::kLook, "its page doesn't say",
                      "look at the Settings page of " + web});
  if (config.tool_transform)
    checks.push_back({"Net F/T tool transform", CheckState::kLook,
                      "the box moves the wrench itself (cfgtfx is not 0)",
                      "set it to zero on the Configurations page; the tip is the rig file's"});
  if (config.status != 0)
    checks.push_back({"Net F/T status", CheckState::kLook, fmt::format("0x{:08x}", config.status),
                      "see its status page: " + web});
  return checks;
}

namespace {

/// Nobody knows from here whether it can be sent.
void leave_to_people(SystemCheck& check, const char* remedy) {
  if (!check.fix) return;
  check.fix.reset();
  check.remedy = remedy;
}

}  // namespace

namespace {

/// grblHAL's $22 is a sum of bits (grblHAL/core, settings.h, homing_settings_flags_t).
SystemCheck check_homing(const std::map<int, double>& settings, devices::GrblDialect dialect) {
  constexpr const char* kWhat = "stage homing";
  constexpr int kOn = 1, kZeroAtSwitch = 8, kByHand = 32;
  const auto found = settings.find(22);
  auto plain = wants(settings, 22, 1, kWhat, "without it no position is trusted");
  leave_to_people(plain, "with reference switches on all axes, send it $22=1");
  if (dialect != devices::GrblDialect::kGrblHal || found == settings.end()) return plain;
  const int bits = static_cast<int>(found->second);
  const auto words = setting_words(settings, 22);
  if ((bits & kOn) == 0)
    return {kWhat, CheckState::kLook, words + ": homing is off, no position is trusted",
            fmt::format("with reference switches on all axes, send it $22={}", bits | kOn)};
  if ((bits & kZeroAtSwitch) != 0)
    return {
        kWhat, CheckState::kLook,
        words + " holds 8: it calls the place where it homed 0, here 0 is the travel's upper end",
        fmt::format("send it $22={}, and home", bits & ~kZeroAtSwitch)};
  if ((bits & kByHand) != 0)
    return {kWhat, CheckState::kLook,
            words + " holds 32: an axis without a switch is taken for homed where it stands",
            fmt::format("with reference switches on all axes, send it $22={}", bits & ~kByHand)};
  return good(kWhat, words);
}

}  // namespace

SystemChecks check_grbl(const std::map<int, double>& settings, devices::GrblDialect dialect) {
  SystemChecks checks;
  checks.push_back(wants(settings, 1, kStaysPowered, "stage $1",
                         "motors lose power at rest and the tip creeps under load"));
  checks.push_back(check_homing(settings, dialect));
  checks.push_back(
      wants(settings, 20, 1, "stage soft limits", "a wrong target runs into the frame"));
  checks.push_back(wants(settings, 13, 0, "stage units", "it reports inches"));
  leave_to_people(checks.back(), "send it $13=0, and look at what else was set in inches");
  for (int axis = 0; axis < 3; ++axis) checks.push_back(check_steps(settings, axis));
  return checks;
}

SystemChecks check_marlin(std::string_view firmware, const std::array<double, 3>& steps_per_mm) {
  SystemChecks checks{good("stage firmware", fmt::format("{}, can be stopped",
                                                         firmware.substr(0, firmware.find(" ("))))};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto what = fmt::format("steps per mm {}", "XYZ"[axis]);
    const double step_mm = 1 / steps_per_mm[axis];
    const auto words = fmt::format("M92 {}{:g}, a step is {:.3g} um", "XYZ"[axis],
                                   steps_per_mm[axis], step_mm * 1e3);
    if (step_mm > kCoarseStep_mm)
      checks.push_back(
          {what, CheckState::kLook, words + ": too coarse for a thin pad", "more microsteps"});
    else
      checks.push_back(good(what, words));
  }
  return checks;
}

SystemChecks check_zaber(const std::vector<devices::ZaberIdentity>& devices,
                         const devices::StageTravel& travel, const devices::StagePosition& step_m) {
  SystemChecks checks;
  for (const auto& device : devices)
    checks.push_back(good(fmt::format("stage device {}", device.address),
                          fmt::format("device.id {}, serial {}, firmware {}", device.id,
                                      device.serial, device.firmware)));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto what = fmt::format("travel {}", "XYZ"[axis]);
    const double travel_mm = m_to_mm(travel.high_m[axis] - travel.low_m[axis]);
    const auto words =
        fmt::format("{:.4g} mm by um_per_step {:.6g}", travel_mm, step_m[axis] * 1e6);
    if (m_to_mm(step_m[axis]) > kCoarseStep_mm)
      checks.push_back({what, CheckState::kLook, words + ": too coarse for a thin pad",
                        "more microsteps (resolution)"});
    else
      checks.push_back(good(what, words + ": is that what its data sheet says?"));
  }
  return checks;
}

SystemChecks check_devices(const devices::DeviceFile& file) {
  SystemChecks checks;
  const auto claim = rig::DeviceClaim::take(file, {"'tactelier doctor'", {}, {}});
  if (!claim)
    return {{"devices", CheckState::kLook, claim.error().message,
             "look again once nobody uses them; nothing was opened"}};
  devices::DeviceConnections connections(file);
  connections.leave_settings_alone();
  if (file.force) {
    const auto& options = file.force->options;
    const auto link = devices::parse_link_url(options.text("url"));
    if (link && link->kind == devices::LinkKind::kUdp) checks.push_back(check_network(link->host));
    const auto sensor = connections.open_force();
    if (!sensor)
      checks.push_back({"force sensor", CheckState::kBad, sensor.error().message,
                        "cable, power, and address in the device file"});
    else if (const auto* box = dynamic_cast<const devices::NetFt*>(sensor->get()))
      append(checks, check_netft(box->config(), options.text("http", "the box")));
  }
  if (file.stage) {
    const auto stage = connections.open_stage();
    if (!stage)
      checks.push_back({"stage", CheckState::kBad, stage.error().message,
                        "cable, power, and port in the device file"});
    else if (const auto* grbl = dynamic_cast<const devices::GrblStage*>(stage->get()))
      append(checks, check_grbl(grbl->settings(), grbl->dialect()));
    else if (const auto* marlin = dynamic_cast<const devices::MarlinStage*>(stage->get()))
      append(checks, check_marlin(marlin->firmware(), marlin->steps_per_mm()));
    else if (const auto* zaber = dynamic_cast<const devices::ZaberStage*>(stage->get()))
      append(checks, check_zaber(zaber->identities(), zaber->travel(), zaber->step_m()));
  }
  return checks;
}

std::vector<StageSetting> stage_fixes(const SystemChecks& checks) {
  std::vector<StageSetting> fixes;
  for (const auto& check : checks)
    if (check.fix) fixes.push_back(*check.fix);
  return fixes;
}

std::string fix_words(const std::vector<StageSetting>& settings) {
  std::string words;
  for (const auto& one : settings)
    words += fmt::format("{}${}={:g}", words.empty() ? "" : ", ", one.number, one.value);
  return words;
}

Result<void> fix_stage(const devices::DeviceFile& file, const std::vector<StageSetting>& settings) {
  const auto claim = rig::DeviceClaim::take(file, {"'tactelier doctor --fix'", {}, {}});
  if (!claim) return fail(claim.error());
  devices::DeviceConnections connections(file);
  connections.leave_settings_alone();
  const auto stage = connections.open_stage();
  if (!stage) return fail(stage.error(), "stage");
  auto* grbl = dynamic_cast<devices::GrblStage*>(stage->get());
  if (grbl == nullptr) return fail(ErrorCode::kUsage, "stage: has no settings to send");
  for (const auto& one : settings)
    if (auto kept = grbl->keep_setting(one.number, one.value); !kept)
      return fail(kept.error(), fmt::format("stage: ${}={:g}", one.number, one.value));
  return {};
}

}  // namespace tactelier
