#include "fitting/rotary/rotary_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"joints[].coulomb", "T_c", "Coulomb torque T_c", "N*m",
     "Friction of the joint in fast turning, without its viscous part.", "", kPurpose},
    {"joints[].breakaway", "T_s", "breakaway torque T_s", "N*m",
     "Friction of the joint towards standstill.", "", kPurpose},
    {"joints[].stribeck_speed", "ω_s", "Stribeck speed of the joint ω_s", "rad/s",
     "Angular speed over which friction falls from T_s to T_c.", "", kPurpose},
    {"joints[].viscous", "B", "viscous friction of the joint B", "N*m*s/rad",
     "By how much the torque rises with the angular speed.", "", kPurpose},
    {"joints[].offset", "T_0", "offset of the torque T_0", "N*m",
     "Torque that pulls one way at all speeds: weight, preload, zero of the sensor.", ""},
});

constexpr auto kGroups = std::to_array<GroupFact>({{"joints", "Friction of joints"}});

constexpr auto kCodes = std::to_array<CodeFact>({
    {"RO-01", "too few runs of the joint",
     "The joint turned steadily too seldom, or at one speed only.",
     "Turn the joint at constant speeds, each for a second or more, at six speeds or more.",
     device("a recording of torque at several constant speeds"), "joints"},
    {"RO-02", "drop of the joint's friction not bracketed",
     "The speeds don't reach far enough on either side of where friction falls with speed.",
     "Turn more slowly and faster: from half of the Stribeck speed to twice as fast.",
     device("a recording of torque at slower and faster speeds"), "joints"},
    {"RO-03", "no drop of the joint's friction",
     "Friction of the joint doesn't fall with speed by more than chance would.",
     "Use T_c at all speeds; slower runs could still show a drop.",
     device("a recording of torque at slower speeds"), "joints"},
    {"RO-04", "joint turned one way",
     "The joint turned one way only: weight and zero of the torque sensor can't be told from "
     "friction and are part of T_c.",
     "Turn back at the same speeds.", device("a recording of torque both ways"), "joints"},
});

}  // namespace

const StageFacts& rotary_facts() {
  static constexpr StageFacts kFacts{
      "rotary", "Joints", StageFacts::Kind::kCalibrates, {kParameters, kGroups, kCodes}};
  return kFacts;
}

}  // namespace tactelier
