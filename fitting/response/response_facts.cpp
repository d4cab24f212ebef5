#include "fitting/response/response_facts.hpp"

#include <array>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {
namespace {

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"response.resolution", "", "resolution", "counts", "Smallest step between two readings.",
     "P0"},
    {"response.tactels[].offset", "", "offset", "counts", "Reading without load.", "P0"},
    {"response.tactels[].press_threshold", "F_t", "threshold", "N",
     "Force on the calibration indenter from which the tactel responds.", "P2"},
    {"response.tactels[].press_gain", "κ", "gain", "N/count",
     "Force on the calibration indenter over the tactel's centre per count.", "P2", kPurpose},
    {"response.tactels[].saturation", "", "saturation", "counts",
     "Reading above which the tactel doesn't follow the force any more.", "P2"},
    {"response.tactels[].coefficients[]", "", "coefficient", "",
     "Coefficient of the nonlinear response curve, as its form lists them.", "P2"},
    {"response.tactels[].noise", "", "noise", "counts",
     "Standard deviation of one reading on the unloaded baseline.", "P0"},
    {"response.tactels[].hysteresis", "", "hysteresis", "%",
     "Largest distance between loading and unloading branch, of full scale.", "P2"},
    {"response.tactels[].repeatability", "", "repeatability", "%",
     "Standard deviation of the reading from press to press at one force, of full scale.", "P2"},
    {"response.tactels[].reversibility", "", "reversibility", "%",
     "How far the reading comes back after release, of full scale.", "P2"},
    {"response.tactels[].zero_return", "", "zero return", "%",
     "Reading after release less the one before the press, of full scale.", "P2"},
    {"response.tactels[].nonlinearity", "", "nonlinearity", "%",
     "Largest distance of the readings from the straight line, of full scale.", "P2"},
    {"response.hysteresis_model.thresholds[]", "r", "play threshold", "N",
     "Half-width of one play operator of the hysteresis model, counted from its loading branch.",
     "P2"},
    {"response.hysteresis_model.weights[]", "w", "play weight", "",
     "Weight of one play operator of the hysteresis model.", "P2"},
});

constexpr auto kGroups = std::to_array<GroupFact>({{"response", "Response"}});

constexpr auto kCodes = std::to_array<CodeFact>({
    {"OF-01", "no unloaded baseline",
     "The array was not recorded without load, so that its readings without load are not known.",
     "Record an unloaded baseline, or begin each press above the pad.", recording("P0")},
    {"RP-01", "too few repeats",
     "The tactel was pressed once, or its presses have too few readings at common forces, so that "
     "nothing is known of the dispersion between presses.",
     "Press this tactel at least twice, the same way (kind repeat).", recording("P2")},
    {"FALLS", "readings fall under load",
     "The readings under load lie far below those at rest: nothing says that they fall, so no gain "
     "was looked for.",
     "State falling in the sensor of the map, or in the sensor's description, and import again.",
     kNoRecording},
    {"RS-01", "stays at its offset",
     "The tactel's reading stayed at its offset under forces that others respond to: it is dead, "
     "or was not under the tip. Where none responds, the sensor or its wire is.",
     "Press its centre again; if it stays, it is dead, and no recording gives it a gain.",
     recording("P2")},
    {"RS-02", "too few readings",
     "Too few readings lie between threshold and saturation for a gain.",
     "Press more slowly or sample faster, in smaller steps of force; of readings at rest, read "
     "more "
     "loads.",
     recording("P2")},
    {"RS-03", "not monotone",
     "The reading doesn't rise with the force: its slope may be zero or turn.",
     "Press the tactel's centre again, with loading and unloading, and check the tip.",
     recording("P2")},
    {"RS-04", "forces too alike", "The forces span too little to tell threshold and gain apart.",
     "Press over a wider range of force, up to saturation.", recording("P2")},
    {"RS-05", "saturation not reached",
     "The readings never reached their limit, or lie beyond it: of the limit or of the gain only a "
     "bound is known.",
     "Press until readings stay level, or state the converter's range in the sensor description.",
     recording("P2")},
    {"RS-06", "no hysteresis seen",
     "No unloading branch between threshold and saturation was recorded, or it doesn't differ from "
     "the loading branch by more than the noise.",
     "Record the retract as slowly as the approach.", recording("P2")},
    {"RS-07", "no line",
     "A straight line describes the tactel worse than its mean reading does, or doesn't predict "
     "presses that were left out of the fit.",
     "Repeat presses on the tactel's centre, and look at its readings over force.",
     recording("P2")},
    {"ZR-01", "no baseline after release",
     "Too few unloaded readings follow the press, or they are clipped, so that the zero return is "
     "not known.",
     "End each press above the pad, with an unloaded baseline.", recording("P2")},
    {"NOT-PRESSED", "not pressed", "No press that can be used reached this tactel.",
     "Press the tactel's centre alone, with the tip inside the tactel.", recording("P2")},
    {"SWAPPED", "swapped with another",
     "A press on this tactel is read by another one: the channel mapping is wrong.",
     "Correct the tactel numbers in the sensor description, and check its axes.", kNoRecording},
    {"STUCK", "stuck",
     "The reading stays at one level whatever presses the tactel: it is stuck, or at its limit "
     "without load.",
     "Check the channel; no recording gives a stuck tactel a gain.", kNoRecording},
    {"NO-STEP", "no step between readings",
     "No two readings differ by a step of a converter, so that there is no resolution to state.",
     "State the converter in the sensor description.", kNoRecording},
    {"OFF-CENTRE", "pressed beside its centre",
     "The nearest press is too far from the tactel's centre to stand for a press on it.",
     "Press the tactel's centre; check the registration."},
    {"NO-CERTIFICATE", "gain of the force sensor not certified",
     "The uncertainty of the force sensor's gain is not stated, so that u_total lacks it.",
     "State force_sensor.certificate.gain_u_percent in session.json."},
    {"INDENTERS", "several indenters",
     "Tactels were pressed with different indenters; gain, threshold and k_punch belong to the one "
     "that is named.",
     "Fit the presses of each indenter on their own for its numbers."},
    {"NO-REPEATS", "nothing repeated",
     "Every tactel was pressed once: the intervals lack the dispersion between presses.",
     "Repeat five tactels five times (P2).", recording("P2")},
    {"FEW-REPEATS", "few repeats",
     "The dispersion between presses is known from a few repeats only, so that intervals are wide.",
     "Repeat five tactels five times (P2)."},
    {"FLOOR", "readings clipped below",
     "Readings stay at one level at the lightest forces: a lower clip, which is taken for the "
     "offset and left out of the gain.",
     "Nothing has to be done; a lower trigger threshold of the device shows more."},
    {"CURVED", "curvature",
     "The response is curved: a nonlinear response curve predicts presses better than a line, or "
     "would if repeats could test it.",
     "Apply uses the curve; gain and threshold are those of the best line."},
});

std::optional<std::string> unmet(const SensorModel& model) {
  bool pressed = false;
  for (const auto& tactel : model.response.tactels) {
    if (tactel.status == TactelStatus::kNotPressed || tactel.status == TactelStatus::kDead ||
        tactel.status == TactelStatus::kStuck)
      continue;
    pressed = true;
    if (!tactel.press_gain.identified())
      return fmt::format("tactel {}: {}", tactel.index, tactel.press_gain.reason);
    if (!tactel.press_threshold.determined())
      return fmt::format("tactel {}: {}", tactel.index, tactel.press_threshold.reason);
  }
  if (!pressed) return "no healthy tactel was pressed";
  return std::nullopt;
}

}  // namespace

const StageFacts& response_facts() {
  static constexpr StageFacts kFacts{
      "response", "Response", StageFacts::Kind::kCalibrates, {kParameters, kGroups, kCodes}, unmet};
  return kFacts;
}

}  // namespace tactelier
