#pragma once
// The language in which experiments are written: what is pressed, slid, held and asked for, in
// which order (data/schemas/protocol.schema.json). Files: data/protocols/NAME.json. A protocol says
// what to do; how long it takes and which way the tip goes is the planner's business (plan.hpp).
//
//   auto protocol = load_protocol("quick");                     // a shipped one, or a file
//   auto plan = plan_protocol(*protocol, sensor, bench_setup());
//
// Lengths in m, forces in N, speeds in m/s, frequencies in Hz; x, y in the sensor frame S.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/sensor/indenter.hpp"

namespace tactelier {

/// What ends a press (or slide) before its own end: the first one met. A normal end, no fault.
struct Until {
  std::optional<double> force_N;
  std::optional<double> depth_m;
  std::optional<double> pressure_Pa;  // force over the larger of contact area and one tactel
  bool saturated = false;             // the reading of the pressed tactel stops rising
  std::optional<double> time_s;       // since this press began to move down

  bool any() const { return force_N || depth_m || pressure_Pa || saturated || time_s; }
  bool operator==(const Until&) const = default;
};

/// An indenter as written: geometry to plan with, canonical JSON to put into events.
struct MountedIndenter {
  Indenter indenter;
  std::string json;

  bool operator==(const MountedIndenter& other) const { return json == other.json; }
};

/// The `indenter` object of a protocol or rig, checked.
Result<MountedIndenter> mounted_indenter(std::string_view json_text, std::string_view where);

enum class SiteName { kCentre, kEdges, kCorners };
struct SitePoint {
  double x_m = 0;
  double y_m = 0;
};
using SiteItem = std::variant<int, SiteName, SitePoint>;  // int: a tactel

/// Where a step presses. `all`: every tactel. `count`: that many of centre, an edge, a corner, ...
/// (sites.hpp). Else the items, in their order.
struct Sites {
  bool all = false;
  int count = 0;
  std::vector<SiteItem> items;
};

enum class Order { kRows, kRandom };

/// Depth from first touch, or force: exactly one is set.
struct Target {
  std::optional<double> depth_m;
  std::optional<double> force_N;
};

/// One struct per `do`, whose value is kName; kCode is the protocol of docs/theory/conventions.md 6
/// that it carries out, "" where it is none of them.
namespace steps {

struct Zero {  // nothing touches
  static constexpr std::string_view kName = "zero", kCode = "P0";
  double time_s = 0;
};
struct WarmUp {  // waits in the air until the force's zero stands still, and the array's
                 // temperature
  static constexpr std::string_view kName = "warm_up", kCode = "";
  double drift_N_per_s = 2e-3 / 60;
  double temperature_K_per_s = 0.1 / 60;
  double at_most_s = 1800;
  bool required = false;  // ends the run where time runs out
};
struct Spring {  // the bare tip on a leaf spring of known stiffness
  static constexpr std::string_view kName = "spring", kCode = "";
  double force_N = 0;
  double speed_m_per_s = 0;
  int repeats = 3;
};
struct Plate {  // the bare tip on a rigid plate, loaded and unloaded
  static constexpr std::string_view kName = "plate", kCode = "P1";
  double force_N = 0;
  double speed_m_per_s = 0;
  int repeats = 1;
};
struct Shear {  // the bare tip sticks to the rigid plate and is moved along it, to and fro
  static constexpr std::string_view kName = "shear", kCode = "P1";
  double force_N = 0;
  double length_m = 0;  // of a stroke
  double speed_m_per_s = 0;
  double direction_rad = 0;
  int repeats = 1;  // pairs of strokes
};
struct Ground {  // the bare tip on the ground beside the pad: with presses of the pad, its
                 // thickness
  static constexpr std::string_view kName = "ground", kCode = "";
  double force_N = 0;
  double speed_m_per_s = 0;
  int repeats = 1;
};
struct Condition {  // presses before anything counts: rubber is virgin once
  static constexpr std::string_view kName = "condition", kCode = "";
  std::optional<Sites> sites;           // else every place that is pressed behind it
  std::optional<double> depth_m;        // else, without a force either,
  std::optional<double> force_N;        //
  double factor = 1.2;                  // so many times the largest behind it
  int cycles = 3;                       // at each place
  std::optional<double> speed_m_per_s;  // the planner's choice when left out
  double rest_s = 60;                   // behind the last: five of the longest times
};
struct Scan {  // ramps, tactel by tactel
  static constexpr std::string_view kName = "scan", kCode = "P2";
  Sites tactels;
  std::vector<double> speeds_m_per_s;  // in turn: from pass to pass, and from tactel to tactel
  int repeats = 1;                     // passes that count
  int discard_first = 0;               // passes before them: virgin cycles, outcome "repeated"
  Order order = Order::kRows;
  std::uint64_t seed = 1;
  double rest_s = 0;  // least time between two presses of one tactel
};
struct Staircase {  // depth after depth, a dwell at each
  static constexpr std::string_view kName = "staircase", kCode = "P3";
  Sites sites;
  std::vector<double> depths_m;
  std::vector<double> depths_percent;  // of the layer's thickness; instead of depths_m
  double dwell_s = 0;
  int repeats = 1;
};
struct Hold {  // a quick ramp, a long hold
  static constexpr std::string_view kName = "hold", kCode = "P6";
  Sites sites;
  Target target;
  double ramp_s = 0;  // from touch to target
  double time_s = 0;
};
struct Cycles {  // loading and unloading without rest
  static constexpr std::string_view kName = "cycles", kCode = "";
  Sites sites;
  Target target;
  double speed_m_per_s = 0;
  int count = 1;
};
struct Speeds {  // the same depth at several speeds, both ways
  static constexpr std::string_view kName = "speeds", kCode = "P5";
  Sites sites;
  double depth_m = 0;
  std::vector<double> speeds_m_per_s;
  int repeats = 1;
};
struct Chirp {  // depth oscillates about a preload, frequency rising exponentially
  static constexpr std::string_view kName = "chirp", kCode = "P7";
  Sites sites;
  double preload_m = 0;
  double amplitude_m = 0;
  double from_hz = 0;
  double to_hz = 0;
  double time_s = 0;
};
struct Raster {  // points on a grid, also between tactels
  static constexpr std::string_view kName = "raster", kCode = "P8";
  std::array<double, 4> area_m{};  // x0, y0, x1, y1
  double step_m = 0;
  Target target;
  std::optional<double> speed_m_per_s;  // the planner's choice when left out
  double dwell_s = 0;
};
struct Area {  // a plate on the whole pad, force after force
  static constexpr std::string_view kName = "area", kCode = "P4";
  std::vector<double> forces_N;
  double dwell_s = 0;
};
struct Weights {  // dead weights, compression read from a gauge
  static constexpr std::string_view kName = "weights", kCode = "P4";
  std::vector<double> masses_kg;
  double area_m2 = 0;
};
struct Slide {  // steady sliding under a normal load
  static constexpr std::string_view kName = "slide", kCode = "P9";
  std::vector<double> loads_N;
  std::vector<double> speeds_m_per_s;
  double length_m = 0;
  std::vector<double> directions_rad;
  int repeats = 1;
};
struct Preslide {  // micro-oscillation of a stuck contact along x
  static constexpr std::string_view kName = "preslide", kCode = "P10";
  std::vector<double> loads_N;
  std::vector<double> amplitudes_m;
  std::vector<double> frequencies_hz;
  double time_s = 0;  // of each oscillation
};
struct Images {  // static presses of shapes; never enter a fit
  static constexpr std::string_view kName = "images", kCode = "P12";
  std::vector<MountedIndenter> indenters;
  struct Tilt {
    double x_rad = 0, y_rad = 0;  // small right-handed turns of the shape, a guide holds it
  };
  std::vector<double> rz_rad;
  std::vector<Tilt> tilts;        // by hand alone: a stage's holder has the tilt that it has
  std::vector<double> masses_kg;  // put on by hand, or
  std::vector<double> forces_N;   // pressed by the stage
  std::vector<SitePoint> points;
  int repeats = 1;
  double dwell_s = 0;
};
struct Reference {  // a reference pad touched, or a known weight on the force sensor
  static constexpr std::string_view kName = "reference", kCode = "";
  bool weight = false;
  double mass_kg = 0;
};
struct Prompt {  // asks the operator; an indenter is mounted from here on
  static constexpr std::string_view kName = "prompt", kCode = "";
  std::string text;
  std::optional<MountedIndenter> indenter;
};
struct Repeat;

}  // namespace steps

struct Step;
struct steps::Repeat {
  static constexpr std::string_view kName = "repeat", kCode = "";
  int times = 1;
  std::vector<Step> steps;
};

struct Step {
  std::string label;  // "4", inside a repeat "4.2": what messages call it
  std::string note;
  Until until;
  std::variant<steps::Zero, steps::WarmUp, steps::Spring, steps::Plate, steps::Shear, steps::Ground,
               steps::Condition, steps::Scan, steps::Staircase, steps::Hold, steps::Cycles,
               steps::Speeds, steps::Chirp, steps::Raster, steps::Area, steps::Weights,
               steps::Slide, steps::Preslide, steps::Images, steps::Reference, steps::Prompt,
               steps::Repeat>
      what;

  /// "scan": the value of `do`.
  std::string_view name() const;
  /// "P2".
  std::string_view code() const;
  /// "step 4 (scan)".
  std::string describe() const;
};

struct Protocol {
  std::string name;
  std::string description;                  // what it gives, what it does not
  std::string source;                       // the paper whose experiment it repeats
  std::optional<double> max_minutes;        // the duration it promises for a WTS 0614
  std::optional<MountedIndenter> indenter;  // written for this one; the rig's wins
  std::vector<Step> steps;
  std::string document;  // canonical JSON: what a session stores
};

constexpr int kMaxRepeatDepth = 4;

/// Checks against data/schemas/protocol.schema.json, then for sense. Messages name step and key:
/// "mine.json: step 4 (scan): unknown key 'speed_mm' (did you mean 'speed_mm_per_s'?)".
Result<Protocol> parse_protocol(std::string_view json_text, std::string_view where);

/// The protocol with further steps behind its own: `steps_json` is an array of them, as in a file.
/// Fails as parse_protocol() does; steps are numbered on.
Result<Protocol> with_steps(const Protocol& protocol, std::string_view steps_json,
                            std::string_view where);

/// A protocol by file path or by the name of a shipped one; unknown names get "did you mean".
Result<Protocol> load_protocol(std::string_view name_or_path);

/// Names of the shipped protocols, sorted.
std::vector<std::string> shipped_protocols();

}  // namespace tactelier
