#include "app/gui/text/parameter_words.hpp"

#include <QCoreApplication>
#include <array>

#include "app/gui/text/message.hpp"
#include "fitting/engine/stage.hpp"

namespace tactelier::gui {
namespace {

struct Words {
  const char* key;
  const char* name;
  const char* meaning;
};

QString say(const char* words) { return QCoreApplication::translate("Parameters", words); }

// QT_TRANSLATE_NOOP marks what lupdate has to collect.
#define WORD(text) QT_TRANSLATE_NOOP("Parameters", text)
constexpr std::array kParameters{
    Words{"offset", WORD("offset"), WORD("Reading without load.")},
    Words{"press_threshold", WORD("threshold"),
          WORD("Force on the calibration indenter from which the tactel answers.")},
    Words{"press_gain", WORD("gain"),
          WORD("Force on the calibration indenter over the tactel's centre per count.")},
    Words{"threshold", WORD("own threshold"),
          WORD("The tactel's own share of the force from which it answers.")},
    Words{"gain", WORD("own gain"), WORD("The tactel's own share of the force per count.")},
    Words{"saturation", WORD("saturation"), WORD("Reading above which it says no more.")},
    Words{"resolution", WORD("resolution"), WORD("Smallest step between readings.")},
    Words{"noise", WORD("noise"), WORD("Standard deviation of one reading in free air.")},
    Words{"hysteresis", WORD("hysteresis"),
          WORD("Largest distance of the way in and the way out, of full scale.")},
    Words{"repeatability", WORD("repeatability"),
          WORD("Scatter of the reading from press to press at one force, of full scale.")},
    Words{"reversibility", WORD("reversibility"),
          WORD("How far the reading comes back after release, of full scale.")},
    Words{"zero_return", WORD("zero return"),
          WORD("Distance of the reading after release from the one before, of full scale.")},
    Words{"nonlinearity", WORD("nonlinearity"),
          WORD("Largest distance from the straight line, of full scale.")},
    Words{"creep", WORD("creep"), WORD("Rise of the reading under constant force.")},
    Words{"k_punch", WORD("k_punch"),
          WORD("Stiffness under the calibration indenter, through the contact point.")},
    Words{"k_punch_tactel", WORD("k_punch by tactel"),
          WORD("Stiffness under the calibration indenter on each tactel.")},
    Words{"k_affine", WORD("k_affine"), WORD("Slope of force over depth, wherever contact is.")},
    Words{"intercept", WORD("intercept"), WORD("Force of the straight line at first touch.")},
    Words{"unloading", WORD("unloading slope"),
          WORD("Slope of force over depth at the start of the way out.")},
    Words{"foundation_modulus", WORD("foundation modulus"),
          WORD("Pressure per depth under a plate.")},
    Words{"k", WORD("k"), WORD("Stiffness of one tactel's column of the layer.")},
    Words{"linear_to", WORD("linear to"), WORD("Depth up to which a straight line holds.")},
    Words{"max_penetration", WORD("max. penetration"), WORD("Largest depth that was reached.")},
    Words{"g_inf", WORD("g∞"), WORD("Share of the stiffness that is left after a long time.")},
    Words{"g", WORD("g"), WORD("Share of the stiffness that relaxes in one branch.")},
    Words{"tau", WORD("τ"), WORD("Time in which one branch relaxes.")},
    Words{"rate_hz", WORD("rate"), WORD("Tactile frames per second.")},
    Words{"latency_s", WORD("latency"), WORD("Delay of the tactile frames after the force.")},
    Words{"compliance", WORD("frame compliance"), WORD("Bending of the rig per force.")},
    Words{"seating", WORD("seating"), WORD("Travel until the rig's joints have settled.")},
    Words{"tilt", WORD("tilt"), WORD("Angle of the surface against the stage.")},
    Words{"sigma", WORD("σ"), WORD("Width of the point spread.")},
    Words{"c_n", WORD("c_n"), WORD("Damping along the normal.")},
    Words{"mu_s", WORD("µ_s"), WORD("Static friction.")},
    Words{"mu_d", WORD("µ_d"), WORD("Sliding friction.")},
    Words{"v_s", WORD("v_s"), WORD("Speed scale of the drop from static to sliding friction.")},
    Words{"sigma0", WORD("σ0"), WORD("Stiffness of the bristles.")},
    Words{"sigma1", WORD("σ1"), WORD("Damping of the bristles.")},
    Words{"c_t", WORD("c_t"), WORD("Damping along the surface.")},
};
constexpr std::array kGroups{
    Words{"response", WORD("Response"), ""},
    Words{"stiffness", WORD("Stiffness"), ""},
    Words{"damping", WORD("Damping"), ""},
    Words{"relaxation", WORD("Relaxation"), ""},
    Words{"psf", WORD("Point spread"), ""},
    Words{"friction", WORD("Friction, one tactel"), ""},
    Words{"friction.contact", WORD("Friction, whole contact"), ""},
    Words{"hydroelastic", WORD("Hydroelastic"), ""},
    Words{"timing", WORD("Time"), ""},
    Words{"clock", WORD("Clocks"), ""},
    Words{"rig", WORD("Rig"), ""},
};
constexpr std::array kStages{
    Words{"time", WORD("Time base"), ""},        Words{"wrench", WORD("Force zero"), ""},
    Words{"contact", WORD("Contact, rig"), ""},  Words{"response", WORD("Response"), ""},
    Words{"stiffness", WORD("Stiffness"), ""},   Words{"damping", WORD("Damping"), ""},
    Words{"relaxation", WORD("Relaxation"), ""}, Words{"psf", WORD("Point spread"), ""},
    Words{"friction", WORD("Friction"), ""},     Words{"hydroelastic", WORD("Hydroelastic"), ""},
    Words{"joint", WORD("Joint"), ""},
};
constexpr std::array kProtocols{
    Words{"P0", WORD("60 s in free air, before and after"), ""},
    Words{"P1", WORD("the bare tip on a rigid plate, three presses to the largest force"), ""},
    Words{"P2", WORD("one press on each tactel's centre, in and out, five repeats on five tactels"),
          ""},
    Words{"P3", WORD("seven depths, 5 s each, five repeats at three places"), ""},
    Words{"P4", WORD("a flat plate larger than the array, seven loads"), ""},
    Words{"P5", WORD("ramps at four speeds over a factor of 30, in and out"), ""},
    Words{"P6", WORD("a step held for 300 s at two depths"), ""},
    Words{"P8", WORD("a raster of presses between tactels, steps below half of σ"), ""},
    Words{"P9", WORD("slides at eight speeds, two directions, three loads"), ""},
    Words{"P10", WORD("small reversals before slip, two frequencies, three loads"), ""},
};
#undef WORD

template <class List>
const Words* find(const List& list, std::string_view key) {
  for (const auto& words : list)
    if (words.key == key) return &words;
  return nullptr;
}

}  // namespace

ParameterWords parameterWords(const std::string& path) {
  auto last = path.substr(path.rfind('.') + 1);
  const auto open = last.find('[');
  const auto index = open == last.npos ? std::string() : last.substr(open);
  if (open != last.npos) last.resize(open);
  const bool one_of_many = !index.empty() && index != "[]" && last != "k_punch_tactel";
  const auto suffix =
      one_of_many ? QStringLiteral(" ") + text(index.substr(1, index.size() - 2)) : QString();
  if (const auto* words = find(kParameters, last))
    return {say(words->name) + suffix, say(words->meaning)};
  return {text(last) + suffix, {}};
}

QString groupWords(const std::string& group) {
  const auto* words = find(kGroups, group);
  return words != nullptr ? say(words->name) : text(group);
}

QString stageWords(std::string_view stage) {
  if (const auto* words = find(kStages, stage)) return say(words->name);
  for (const auto& known : stages())
    if (known.id == stage) return text(known.title);
  return text(stage);
}

QString protocolWords(const std::string& protocol) {
  const auto* words = find(kProtocols, protocol);
  return words == nullptr ? QString() : text(protocol) + QStringLiteral(": ") + say(words->name);
}

}  // namespace tactelier::gui
