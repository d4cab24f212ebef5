// What the numbers of errors and alarms mean. Source: gnea/grbl doc/csv; grblHAL/core errors.h,
// alarms.h; bdring/FluidNC Error.h. The dialects agree up to 38 but for the few named below.

#include <map>

#include "devices/grbl/grbl_protocol.hpp"

namespace tactelier::devices {
namespace {

using Texts = std::map<int, std::string_view>;

const Texts& common_errors() {
  static const Texts texts{
      {1, "command letter expected"},
      {2, "bad number"},
      {3, "'$' statement unknown"},
      {4, "negative value"},
      {5, "homing is not enabled"},
      {6, "step pulse below 3 us"},
      {7, "settings memory could not be read, defaults are used"},
      {8, "only allowed when idle"},
      {9, "locked: alarm or jog state"},
      {10, "soft limits need homing"},
      {11, "line too long"},
      {12, "step rate above 30 kHz"},
      {13, "safety door open"},
      {14, "stored line too long"},
      {15, "jog beyond the travel"},
      {16, "jog without '=' or with forbidden words"},
      {17, "laser mode needs PWM"},
      {20, "unsupported command"},
      {21, "two words of one modal group"},
      {22, "feed rate undefined"},
      {23, "whole number needed"},
      {24, "two commands need axis words"},
      {25, "word repeated"},
      {26, "axis words missing"},
      {27, "bad line number"},
      {28, "value word missing"},
      {29, "G59.x not supported"},
      {30, "G53 needs G0 or G1"},
      {31, "axis words not used by the block"},
      {32, "arc without axis word in its plane"},
      {33, "target invalid"},
      {34, "arc radius invalid"},
      {35, "arc without offset in its plane"},
      {36, "unused words"},
      {37, "G43.1 axis not configured"},
      {38, "tool number too large"},
  };
  return texts;
}

const Texts& grblhal_errors() {
  static const Texts texts{
      {18, "reset asserted"},
      {19, "value must be positive"},
      {39, "value out of range"},
      {40, "tool change pending"},
      {41, "spindle not running"},
      {42, "illegal plane"},
      {43, "feed too high"},
      {44, "rpm out of range"},
      {45, "limits engaged"},
      {46, "homing required"},
      {47, "tool"},
      {48, "word conflict"},
      {49, "self-test"},
      {50, "emergency stop"},
      {51, "motor fault"},
      {52, "setting out of range"},
      {53, "setting disabled"},
      {77, "authentication required"},
      {78, "access denied"},
      {79, "not allowed in a critical event"},
      {253, "user"},
  };
  return texts;
}

const Texts& fluidnc_errors() {
  static const Texts texts{
      {5, "setting disabled"},
      {18, "no homing cycles defined"},
      {19, "homing of a single axis not allowed"},
      {38, "value too large"},
      {39, "parameter number"},
      {40, "pins active at start-up"},
      {80, "number out of range"},
      {81, "invalid value"},
      {90, "message failed"},
      {110, "authentication failed"},
      {120, "another interface is busy"},
      {130, "jog cancelled"},
      {150, "bad pin"},
      {152, "configuration invalid"},
  };
  return texts;
}

struct AlarmText {
  std::string_view text;
  bool keeps_position;
};

const std::map<int, AlarmText>& common_alarms() {
  static const std::map<int, AlarmText> alarms{
      {1, {"hard limit switch", false}},
      {2, {"target beyond the soft limit", true}},
      {3, {"reset while moving", false}},
      {4, {"probe in the wrong state before its start", true}},
      {5, {"no probe contact", true}},
      {6, {"homing: reset", false}},
      {7, {"homing: door", false}},
      {8, {"homing: switch not released by the pull-off", false}},
      {9, {"homing: switch not found", false}},
      {10, {"homing: second switch of a dual axis not found", false}},
  };
  return alarms;
}

/// grblHAL: what differs from 10 on.
const std::map<int, AlarmText>& grblhal_alarms() {
  static const std::map<int, AlarmText> alarms{
      {10, {"emergency stop", false}}, {11, {"homing required", false}},
      {12, {"limits engaged", false}}, {13, {"probe protection", false}},
      {14, {"spindle", false}},        {15, {"auto-squaring", false}},
      {16, {"self-test", false}},      {17, {"motor fault", false}},
      {18, {"homing failed", false}},  {19, {"Modbus", false}},
      {20, {"expander", false}},       {22, {"buffer overflow", false}},
  };
  return alarms;
}

const AlarmText* alarm_of(int number, GrblDialect dialect) {
  if (dialect == GrblDialect::kGrblHal && number >= 10) {
    const auto found = grblhal_alarms().find(number);
    return found != grblhal_alarms().end() ? &found->second : nullptr;
  }
  const auto found = common_alarms().find(number);
  return found != common_alarms().end() ? &found->second : nullptr;
}

}  // namespace

std::string describe_grbl_error(int number, GrblDialect dialect) {
  if (dialect != GrblDialect::kGrbl) {
    const auto& own = dialect == GrblDialect::kGrblHal ? grblhal_errors() : fluidnc_errors();
    if (const auto found = own.find(number); found != own.end()) return std::string(found->second);
  }
  const auto found = common_errors().find(number);
  return found != common_errors().end() ? std::string(found->second)
                                        : fmt::format("error {}", number);
}

std::string describe_grbl_alarm(int number, GrblDialect dialect) {
  const auto* alarm = alarm_of(number, dialect);
  return alarm != nullptr ? std::string(alarm->text) : fmt::format("alarm {}", number);
}

bool grbl_alarm_keeps_position(int number, GrblDialect dialect) {
  const auto* alarm = alarm_of(number, dialect);
  return alarm != nullptr && alarm->keeps_position;
}

}  // namespace tactelier::devices
