#include "fitting/psf/psf_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"response.tactels[].threshold", "f_t", "own threshold", "N",
     "The tactel's own share of the force from which it responds.", "P8"},
    {"response.tactels[].gain", "κ", "own gain", "N/count",
     "The tactel's own share of the force per count.", "P8"},
    {"response.zero_return", "", "return to zero", "%",
     "Part of the load that readings still hold right after its release, and lose within "
     "zero_return_time.",
     "P8"},
    {"response.zero_return_time", "τ", "return time", "s",
     "Time in which what readings hold of a released load falls to 1/e.", "P8"},
    {"psf.sigma", "σ", "spread σ", "m", "Standard deviation of the point spread.", "P8", kPurpose},
    {"psf.sigma_x", "σ_x", "spread σ_x", "m",
     "Standard deviation of the point spread along its first axis.", "P8", kPurpose},
    {"psf.sigma_y", "σ_y", "spread σ_y", "m",
     "Standard deviation of the point spread across its first axis.", "P8", kPurpose},
    {"psf.theta", "θ", "spread direction θ", "rad",
     "Angle of the point spread's first axis against the array's columns.", "P8"},
    {"psf.kernel_sampled.s", "s", "kernel width", "tactels",
     "Standard deviation of the sampled kernel, in tactels.", "P8"},
    {"psf.registration.x", "", "registration x", "m",
     "What has to be added to the stated x of presses.", "P8"},
    {"psf.registration.y", "", "registration y", "m",
     "What has to be added to the stated y of presses.", "P8"},
    {"psf.registration.rz", "", "registration angle", "rad",
     "Angle by which the stated sites of presses have to be turned.", "P8"},
});

constexpr auto kGroups = std::to_array<GroupFact>({{"psf", "Point spread"}});

constexpr auto kCodes = std::to_array<CodeFact>({
    {"PS-01", "no neighbour responds",
     "No tactel beside the pressed one rose above its threshold, so that the spread is not "
     "visible; or there is none, in a sensor of one tactel.",
     "Press harder, at sites between the tactels; a sensor of one tactel needs no point spread.",
     recording("P8")},
    {"PS-02", "spread below a fraction of a tactel",
     "The spread is too narrow beside the pitch to be told from none.",
     "Use no point spread; a finer raster gives a tighter limit.", recording("P8")},
    {"PS-03", "isolated presses",
     "The presses lie on isolated tactel centres, or too close together: spread, neighbours' gains "
     "and rotation are not separable.",
     "Press a raster between tactels, with steps below half of σ.", recording("P8")},
    {"PS-04", "gains differ widely",
     "The tactels' gains differ by more than is usual in one array.",
     "Check offsets and the channel mapping."},
    {"PS-05", "array appears shifted",
     "The array appears shifted by a pitch or more: order of tactels or origin is wrong.",
     "Check the channel mapping with single presses, and the rig's registration.", recording("P2")},
    {"EDGE-ASSUMED", "edge not measured",
     "No press came near the array's border: that force beyond it is lost is assumed.",
     "Press tactels at the border, where the border matters."},
    {"CELL-POINT", "width of the tactels not stated",
     "The recording came as a table, and nobody states how wide a tactel is beside the pitch: each "
     "was taken as a point, and the spread holds its width too.",
     "State area_mm2 (of all tactels together) in the map's sensor."},
    {"CELL-WIDTH", "width of the tactels found",
     "The recording came as a table, and nobody states how wide a tactel is beside the pitch: the "
     "readings tell it, and the model's area_mm2 is what they tell.",
     "Nothing has to be done; state area_mm2 in the map's sensor where it is known."},
    {"ON-STRIP", "places across a strip are taken as stated",
     "One row of tactels doesn't tell how far beside it was pressed: presses are taken to lie "
     "where "
     "they are stated, and the spread to be as wide across the strip as along it.",
     "Press on the strip's middle line, or at places up to half a pitch beside it on both sides.",
     recording("P8")},
    {"OVERFIT", "sites left out are predicted worse",
     "Presses at sites that were left out are predicted much worse than those of the fit; from "
     "five times on there is no spread.",
     "Press a raster of more sites (P8).", recording("P8")},
    {"GHOSTING", "ghosting",
     "Each reading holds a part of the other tactels in its row and column: that is the "
     "electronics, and is no part of the spread.",
     "Nothing has to be done; the part stands in the stage's figures."},
    {"RIPPLE", "force swings with the motor's steps",
     "The stage steps about as fast as its axis rings, so that the force swings while presses "
     "load; "
     "readings with hysteresis keep the crests. Gains are raised by as much of it as presses at "
     "several speeds tell, else by half of what it can be, and uncertain by the rest.",
     "Give the scan two speeds, the second a third slower (\"speed_mm_s\": [0.3, 0.2], as "
     "`standard` does): the steps then come at another rate.",
     recording("P8")},
    {"ZR-02", "no return to zero",
     "What presses leave in the next one's readings is told by creep and noise alone: nothing "
     "shows "
     "a part of a load that readings hold on to after its release.",
     "Nothing has to be done; presses that follow heavier ones beside them within seconds would "
     "show "
     "a smaller part.",
     recording("P8")},
    {"NOT-ROUND", "spread is elongated",
     "The spread is longer along one direction: sigma_x and sigma_y say how.",
     "Use sigma_x, sigma_y and theta.", kNoRecording},
    {"ROUND", "spread is round", "The spread is round: it has no direction.",
     "Use sigma; no recording gives a round spread a direction.", kNoRecording},
});

}  // namespace

const StageFacts& psf_facts() {
  static constexpr StageFacts kFacts{
      "psf", "Point spread", StageFacts::Kind::kCalibrates, {kParameters, kGroups, kCodes}};
  return kFacts;
}

}  // namespace tactelier
