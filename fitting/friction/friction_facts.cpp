#include "fitting/friction/friction_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr std::string_view kSampledStage =
    "a stage that reports its position 400 times a second or more, in steps finer than presliding";

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"friction.mu_s", "µ_s", "static friction µ_s", "", "Coefficient of friction before sliding.",
     "P9"},
    {"friction.mu_d", "µ_d", "sliding friction µ_d", "", "Coefficient of friction in fast sliding.",
     "P9"},
    {"friction.v_s", "v_s", "Stribeck speed v_s", "m/s",
     "Speed over which friction falls from static to sliding.", "P9"},
    {"friction.sigma0", "σ0", "bristle stiffness σ0", "N/m",
     "Stiffness of one tactel's bristles before sliding.", "P10"},
    {"friction.sigma1", "σ1", "bristle damping σ1", "N*s/m", "Damping of one tactel's bristles.",
     "P10"},
    {"friction.c_t", "c_t", "tangential damping c_t", "N*s/m",
     "Viscous friction of one tactel along the surface.", "P9"},
    {"friction.contact.mu_s", "µ_s", "static friction µ_s", "",
     "Coefficient of friction before sliding.", "P9", kPurpose},
    {"friction.contact.mu_d", "µ_d", "sliding friction µ_d", "",
     "Coefficient of friction in fast sliding.", "P9", kPurpose},
    {"friction.contact.v_s", "v_s", "Stribeck speed v_s", "m/s",
     "Speed over which friction falls from static to sliding.", "P9", kPurpose},
    {"friction.contact.sigma0", "σ0", "bristle stiffness σ0", "N/m",
     "Stiffness of the whole contact's bristles before sliding.", "P10", kPurpose},
    {"friction.contact.sigma1", "σ1", "bristle damping σ1", "N*s/m",
     "Damping of the whole contact's bristles.", "P10", kPurpose},
    {"friction.contact.c_t", "c_t", "tangential damping c_t", "N*s/m",
     "Viscous friction of the whole contact along the surface.", "P9", kPurpose},
    {"friction.contact.normal_force", "F_n", "normal force", "N",
     "Load for which the numbers of the whole contact hold.", "P9"},
    {"friction.contact.tactels_in_contact", "n", "tactels in contact", "",
     "Number of tactels that share the contact's friction.", "P9"},
    {"friction.contact.load_exponent", "n_µ", "load exponent of friction", "",
     "µ falls with the load N as (N/N_0)^-n.", "P9"},
    {"friction.contact.load_reference", "N_0", "reference load of friction", "N",
     "Load for which the coefficients of friction hold.", "P9"},
    {"friction.contact.running_in", "r", "running-in of friction", "",
     "How much higher friction was at the first slide than run in.", "P9"},
    {"friction.contact.running_in_length", "L", "running-in length", "m",
     "Sliding after which running-in has faded to 1/e.", "P9"},
    {"friction.passive_to", "", "passive to", "m/s",
     "Sliding speed up to which the friction model can't generate energy.", "P10"},
});

constexpr auto kGroups = std::to_array<GroupFact>({
    {"friction", "Friction, one tactel"},
    {"friction.contact", "Friction, whole contact"},
});

constexpr auto kCodes = std::to_array<CodeFact>({
    {"ONE-WAY", "slides go one way only",
     "All slides go one way: what leans or pulls to the side can't be told from friction.",
     "Slide both ways, two speeds of them at least.", recording("P9")},
    {"FR-01", "too few slides",
     "Slides at fewer than six different speeds were recorded, or only one of them one way, or no "
     "side force: there is no Stribeck curve.",
     "Slide at eight speeds from 0.3 to 3 times the Stribeck speed, in both directions, with a "
     "force sensor of three axes.",
     recording("P9", "a force sensor of three axes")},
    {"FR-LEVEL", "friction of few speeds",
     "µ_d is the mean level of friction over the speeds that were slid; what differs between them "
     "is in its interval.",
     "Use it between these speeds; slide at six speeds or more for a curve.", recording("P9")},
    {"FR-02", "Stribeck speed not bracketed",
     "The speeds do not bracket the Stribeck speed, or slower slides are jerks of the stage's "
     "steps, so that the drop of friction is not seen.",
     "Slide at slower and faster speeds, with a finer stage or one whose position is sampled.",
     recording("P9", kSampledStage)},
    {"FR-03", "bristle damping too small to see",
     "At the frequencies of presliding the bristles' damping changes the force by too little.",
     "Record presliding at a higher frequency.", recording("P10")},
    {"FR-04", "no presliding",
     "No presliding that could show the bristles was recorded: none at all, too few samples in a "
     "cycle, steps or backlash of the stage as large as the motion, or a soft rig.",
     "Record reversals of less than 0.3 of the break-away deflection, at two frequencies; on a "
     "stage "
     "with as much backlash longer strokes instead, 2 mm back and forth, whose reversals take up "
     "the "
     "play and then stretch the bristles.",
     recording("P10", kSampledStage)},
    {"FR-05", "normal force varied",
     "The normal force varied too much during the slide, or the load was lost.",
     "Level pad and stage, and repeat the slide.", recording("P9")},
    {"FR-06", "passivity not known",
     "The friction model can generate energy above a speed, or a number on which that depends is "
     "not identified.",
     "Record what the words name: slides for µ and c_t, presliding for σ0 and σ1.",
     recording("P10")},
    {"FR-07", "directions differ",
     "Forward and backward friction differ: the side load has an offset, or the pad is tilted.",
     "Level the pad, and tare before each slide."},
    {"FR-08", "no Stribeck drop",
     "Friction doesn't fall with speed: there is one coefficient, and no Stribeck speed.",
     "Use µ_s = µ_d and drop v_s; slower slides could still show a drop.", recording("P9")},
    {"FR-STEPS", "tip's motion within a step not known",
     "Whether the tip jumps, glides or rings from one step of the motor to the next can't be told "
     "from the slides: µ_s and v_s hang on it, µ_d hardly.",
     "Use finer steps, or a stage whose position is sampled; slides at 0.5 to 2 mm/s tell them "
     "apart.",
     recording("P9", kSampledStage)},
    {"FR-LAG", "force lags as no sensor's filter does",
     "The slides' force comes later than a force sensor's filter explains: something rings or "
     "gives "
     "that the model lacks, and the bristles' damping can't be told from it.",
     "Stiffen the rig along the surface, use finer steps or a stage whose position is sampled, or "
     "record presliding.",
     recording("P10", kSampledStage)},
    {"FR-MOVES", "motion not computed",
     "How friction goes with load and sliding comes from whole slides along the moves that a stage "
     "of seldom answers was sent: there were none, or the stage was sampled.",
     "Record slides (P9) on a stage whose moves are recorded.", recording("P9")},
    {"FR-EXPONENT", "load law not recorded",
     "Slides under one load can't show how friction goes with the load.",
     "Slide under loads a factor of 2 apart or more.", recording("P9")},
    {"FR-RUNNING-IN", "no running-in seen",
     "Friction did not change with the length that was slid: the surface was run in before, or too "
     "little was slid.",
     "Nothing has to be done for a surface that is run in; else begin with 0.1 m of slides at the "
     "highest load.",
     recording("P9")},
    {"FR-SERIES", "bristles and rig in series",
     "The rig's shear compliance is neither measured nor stated: what was seen is that of bristles "
     "and rig in series, and σ0 and σ1 of the pad are not known.",
     "Record strokes along the rigid plate (step shear) with the slides, or state "
     "shear_compliance_um_per_N of the rig.",
     recording("P9")},
    {"FR-FORM", "load law not decided",
     "Whether σ0 goes with the load can't be told; 'constant' is taken.",
     "Record presliding at loads a factor of 2 apart (P10)."},
    {"NO-TACTELS", "tactels in contact not known",
     "How many tactels share the contact is not known, so that there are no numbers of one tactel.",
     "Record the tactile stream during the slides.", recording("P9")},
    {"NO-TARE", "no baseline before the slide",
     "No unloaded baseline precedes the slide, so that the bias of the side force is not known.",
     "Begin each slide above the pad.", recording("P9")},
    {"NOT-SETTLED", "slide too short", "The slide has no steady part long enough for a mean force.",
     "Slide at least five break-away lengths at constant speed.", recording("P9")},
    {"PASSIVE", "passive at all speeds",
     "The friction model can't generate energy at any speed: there is no limit to state.",
     "Nothing has to be done.", kNoRecording},
});

}  // namespace

const StageFacts& friction_facts() {
  static constexpr StageFacts kFacts{
      "friction", "Friction", StageFacts::Kind::kCalibrates, {kParameters, kGroups, kCodes}};
  return kFacts;
}

}  // namespace tactelier
