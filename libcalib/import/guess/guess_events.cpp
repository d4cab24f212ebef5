#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "libcalib/import/cycle_finder.hpp"
#include "libcalib/import/guess/answers.hpp"
#include "libcalib/import/guess/guess_loads.hpp"
#include "libcalib/import/guess/map_draft.hpp"
#include "libcalib/import/level_finder.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr double kNoises = 6;           // a press rises above the noise by so much at least
constexpr double kShareOfForce = 0.03;  // and by this share of the largest force
constexpr std::array<std::string_view, 2> kSideways{"x", "y"};
constexpr double kLifted = 0.2;  // of the highest load: less is none
constexpr double kShortestHold_s = 1;
constexpr double kShareOfLength = 0.02;  // of the table: no hold is shorter

/// A force across the load, and a stage that goes sideways while the load lies on: a sled. No
/// `load`: it lies on all the time.
bool find_slides(MapDraft& draft, const LookedAt::Column* load) {
  const bool across = draft.column_of("Fx") != nullptr || draft.column_of("Fy") != nullptr;
  const bool moves = std::any_of(kSideways.begin(), kSideways.end(), [&](std::string_view axis) {
    return draft.column_of(axis) != nullptr && !draft.column_of(axis)->constant();
  });
  if (!across || !moves) return false;
  json slide{{"event", "slide"}, {"find", "slides"}};
  // Where the load is lifted at times, the way back is none.
  bool lifted = false;
  if (load != nullptr) {
    const auto pressed = draft.pressing(*load);
    const auto [low, high] = std::minmax_element(pressed.begin(), pressed.end());
    lifted = *low < kLifted * *high;
    if (lifted)
      slide["where"][load->name] =
          draft.turned ? json{{"below", -*high / 2}} : json{{"above", *high / 2}};
  }
  draft.map["events"].push_back(std::move(slide));
  draft.sled = true;
  for (const auto* side : {"Fx", "Fy"})  // a side that was not recorded
    if (draft.column_of(side) == nullptr) draft.map["constants"][side] = "0 N";
  draft.understood(
      fmt::format("a slide wherever the stage moves one way{}", lifted ? " under the load" : ""));
  return true;
}

/// A force that changes with the way in which x moves, to and fro: friction along x, of a seal or a
/// slide, not a load. Nothing is changed; what the columns then are is said.
void say_friction_along(MapDraft& draft, const LookedAt::Column& load) {
  constexpr double kGoesWith = 0.5;  // correlation of force and direction
  constexpr double kMoves = 0.1;     // of the quickest: slower is a rest
  constexpr std::size_t kTurns = 3;
  const auto* x = draft.column_of("x");
  if (x == nullptr || draft.column_of("Fx") != nullptr) return;
  constexpr std::size_t kEach = 10;  // rows from place to place
  std::vector<double> speeds, forces, ways;
  for (std::size_t i = kEach; i < x->values.size(); i += kEach) {
    speeds.push_back(x->values[i] - x->values[i - kEach]);
    forces.push_back(load.values[i - kEach / 2]);
  }
  double quickest = 0;
  for (const double speed : speeds) quickest = std::max(quickest, std::abs(speed));
  std::size_t turns = 0;
  double last = 0;
  for (double& speed : speeds) {
    const double way = std::abs(speed) < kMoves * quickest ? 0 : speed > 0 ? 1 : -1;
    turns += way * last < 0 ? 1 : 0;
    if (way != 0) last = way;
    ways.push_back(way);
  }
  if (turns < kTurns || std::abs(correlation(forces, ways)) < kGoesWith) return;
  draft.understood(fmt::format(
      "'{0}' changes with the way in which '{1}' moves: friction along x rather than a load? Then "
      "say --columns '{0}=Fx', and what presses, as in --load '20 N'",
      load.name, x->name));
}

void find_presses_by_force(MapDraft& draft) {
  const auto load = draft.load_target();
  const auto* column = draft.column_of(load);
  if (column == nullptr && draft.map.contains("constants") && draft.map.contains("files"))
    return draft.understood(
        "each table's load is known, but not when it lay on: name the rows under it in the map's "
        "events, as in {\"event\": \"load\", \"where\": {\"phase\": \"on\"}}, or keep tables of "
        "readings under the load alone");
  if (column == nullptr)
    return draft.understood(
        "no force: readings come in, but no newtons can be had from this table "
        "alone; add a column of forces, or weights to the map's events");
  say_friction_along(draft, *column);
  const auto [low, high] = draft.swing(load);
  const double rise_N = (draft.turned ? -low : high) * draft.to_si(load);
  const double noise_N = noise_of(column->values) * draft.to_si(load);
  const double threshold_N = std::max(kNoises * noise_N, kShareOfForce * rise_N);
  if (!(threshold_N > 0)) return draft.understood("the force never changes: no press");
  const auto cycles = find_cycles(draft.pressing(*column), kCycleShare);
  const double rest = (draft.turned ? -1 : 1) * draft.unloaded(*column);
  const auto touches = touches_of(draft.pressing(*column), rest, threshold_N / draft.to_si(load));
  if (touches.count < 2 && cycles.size() > 2) {
    draft.map["events"].push_back({{"event", "press"}, {"find", "cycles"}});
    return draft.understood(fmt::format(
        "the load goes up and down {} times and never comes back to nothing between: each cycle "
        "is a press",
        cycles.size()));
  }
  if (touches.count == 1 && touches.open) {
    draft.map["events"].push_back({{"event", "press"}});
    return draft.understood("one press, which lasts to the end of the table");
  }
  const double digits = std::pow(10, 1 - std::floor(std::log10(threshold_N)));
  const double rounded_N = std::ceil(threshold_N * digits) / digits;
  draft.map["press_by"]["threshold_N"] = rounded_N;
  draft.understood(
      fmt::format("a press wherever the force rises by more than {:.3g} N (it rises by "
                  "{:.3g} N at most, noise {:.2g} N)",
                  rounded_N, rise_N, noise_N));
}

/// 0 between presses: rows of a press alone hold no free air, and the force tells presses better.
bool comes_again(const std::vector<double>& numbers) {
  std::set<double> before;
  double last = std::numeric_limits<double>::quiet_NaN();
  for (const double number : numbers) {
    if (std::isnan(number) || number == last) continue;
    if (!before.insert(number).second) return true;
    last = number;
  }
  return false;
}

/// Whether a column of readings at rest says where each row pressed. Where nearly every row has a
/// place of its own they reach over half a pitch, which must be stated: else it is one place, read
/// with noise. A place that goes with the load is the travel, and rows that follow one another are
/// a series whose rate nobody has told yet.
bool tells_places(const MapDraft& draft, std::string_view axis) {
  constexpr double kReach = 0.5, kAsTravel = 0.8;
  const auto* column = draft.column_of(axis);
  if (column == nullptr) return false;
  if (column->different() * 2 <= draft.table.rows) return true;
  const auto sensor = draft.map.value("sensor", json());
  if (!sensor.is_object() || draft.answers.pitch.empty()) return false;
  const auto [low, high] = std::ranges::minmax(column->values);
  const double pitch_mm = sensor.value(fmt::format("pitch_{}_mm", axis), 1.0);
  if (m_to_mm((high - low) * draft.to_si(axis)) < kReach * pitch_mm) return false;
  const auto* load = draft.column_of(draft.load_target());
  if (rows_follow(load != nullptr ? load->values : draft.mean_reading())) return false;
  return load == nullptr || std::abs(correlation(column->values, load->values)) < kAsTravel;
}

Result<void> find_presses(MapDraft& draft) {
  if (draft.of_joints()) {
    draft.understood("joints that turn: friction is looked for where they turn steadily");
    return {};
  }
  if (draft.of_friction()) {
    draft.understood("friction against speed: each row is a steady slide");
    return draft.column_of(draft.load_target()) != nullptr ? Result<void>()
                                                           : take_sliding_load(draft);
  }
  std::vector<std::string> by;
  for (std::size_t i = 0; i < draft.out.columns.size(); ++i)
    if (draft.out.columns[i].why == "numbers presses" &&
        (draft.static_readings || !comes_again(draft.table.columns[i].values)))
      by.push_back(draft.out.columns[i].name);
  if (draft.static_readings && by.empty())
    for (const std::string_view place : kSideways)
      if (tells_places(draft, place)) by.push_back(draft.column_of(place)->name);
  if (draft.static_readings)
    if (const auto taken = take_moved_load(draft); !taken) return taken;
  if (!by.empty()) {
    draft.map["press_by"] = by;
    std::string names;
    for (const auto& name : by) names += (names.empty() ? "'" : ", '") + name + "'";
    draft.understood("a press for each run of rows with the same " + names);
    return {};
  }
  if (draft.static_readings) {
    if (!draft.answers.weights.empty() && !draft.map.contains("constants"))
      return fail(ErrorCode::kUsage,
                  "--weights {}: each row is a reading at rest, so its load must stand in a column "
                  "('mass_g') or in the names of the tables ('--weights kg'); of a log of readings "
                  "say how many rows there are per second (--rate)",
                  draft.answers.weights);
    draft.understood(draft.tables.size() > 1 ? "each table is one press"
                                             : "all rows are one press");
    return {};
  }
  const auto* load = draft.column_of(draft.load_target());
  if (find_slides(draft, load)) return load != nullptr ? Result<void>() : take_sliding_load(draft);
  if (load == nullptr && !draft.map.contains("constants")) return find_weights(draft);
  find_presses_by_force(draft);
  return {};
}

Result<void> stated_rest(MapDraft& draft) {
  if (draft.answers.rest.empty()) return {};
  const auto reads = json::parse("[" + draft.answers.rest + "]", nullptr, false);
  const auto is_number = [](const json& value) { return value.is_number(); };
  const bool fits = reads.is_array() && std::all_of(reads.begin(), reads.end(), is_number) &&
                    (reads.size() == 1 || reads.size() == static_cast<std::size_t>(draft.tactels));
  if (!fits)
    return fail(ErrorCode::kUsage,
                "--rest {}: give what the tactels read unloaded, one number for all or one for "
                "each of the {}",
                draft.answers.rest, draft.tactels);
  draft.map["rest"]["reads"] = reads.size() == 1 ? reads.front() : reads;
  draft.understood("what the tactels read unloaded is stated");
  return {};
}

void rest_of_rows(MapDraft& draft, const LookedAt::Column& load) {
  if (draft.map.contains("rest")) return;
  const auto zeros = std::count(load.values.begin(), load.values.end(), 0.0);
  if (zeros == 0)
    return draft.ask("rest",
                     "No row is without a load: what do the tactels read unloaded, in counts?",
                     "where the line through the rows meets force 0");
  draft.map["rest"]["where"][load.name] = 0;
  draft.understood(fmt::format("{} rows at zero force are rest", zeros));
}

/// How long a column stands still, away from `rest` and for a second at least.
double held_s(const MapDraft& draft, std::string_view target, double rest, double least_s,
              std::size_t& times) {
  const auto& values = draft.column_of(target)->values;
  const auto [low, high] = draft.swing(target);
  const double far = 0.1 * (high - low);
  double total_s = 0;
  times = 0;
  for (const auto& level : find_levels(draft.time_s, values, {0.02, least_s})) {
    if (std::abs(values[(level.first + level.last) / 2] - rest) <= far) continue;
    total_s += draft.time_s[level.last] - draft.time_s[level.first];
    ++times;
  }
  return total_s;
}

std::string times_of(std::size_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count);
}

void find_holds(MapDraft& draft, std::string_view load) {
  if (!draft.map.contains("press_by") && (!draft.map.contains("events") || draft.sled)) return;
  const double length_s = draft.time_s.back() - draft.time_s.front();
  const double least_s = std::ceil(std::max(kShortestHold_s, kShareOfLength * length_s));
  std::size_t forces = 0, depths = 0;
  const double unloaded = draft.unloaded(*draft.column_of(load));
  const double by_force_s = held_s(draft, load, unloaded, least_s, forces);
  const auto* depth = draft.column_of("depth");
  const double by_depth_s =
      depth != nullptr ? held_s(draft, "depth", depth->values.front(), least_s, depths) : 0;
  if (forces + depths == 0) return;
  draft.map["events"].push_back({{"event", "hold"}, {"find", "holds"}, {"least_s", least_s}});
  draft.understood(by_depth_s > by_force_s
                       ? fmt::format("the depth is held {}: holds", times_of(depths))
                       : fmt::format("the force is held {}: holds", times_of(forces)));
}

/// The events of a map that names the tactel of each press, ready to be put there.
void say_who_was_pressed(MapDraft& draft) {
  const bool placed = draft.column_of("x") != nullptr || draft.column_of("y") != nullptr;
  const bool loaded =
      draft.column_of(draft.load_target()) != nullptr || draft.map.contains("constants");
  if (placed || !loaded || draft.tactels < 2 || !draft.answers.sensor.empty() ||
      draft.of_joints() || draft.of_friction())
    return;
  json events = draft.map.value("events", json::array());
  const bool known =
      std::ranges::any_of(events, [](const json& e) { return e["event"] == "press"; });
  const auto by = draft.map.value("press_by", json());
  if (!known) events.insert(events.begin(), json{{"event", "press"}});
  auto& press = *std::ranges::find_if(events, [](const json& e) { return e["event"] == "press"; });
  if (by.is_object()) {
    press["find"] = "presses";
    press.update(by);
  } else if (by.is_array()) {
    press["by"] = by;
  }
  const bool many = press.contains("find") || press.contains("by");
  press["data"]["tactel"] = many ? json{0, 1} : json(0);
  draft.understood(fmt::format(
      "no column says where the presses were: the force on the whole array can be had, newtons of "
      "each tactel only where the map names it, one number for each press: {}\"events\": {}",
      by.is_null() ? "" : "in place of \"press_by\", ", events.dump()));
}

}  // namespace

Result<void> guess_events(MapDraft& draft) {
  if (const auto done = find_presses(draft); !done) return done;
  if (const auto stated = stated_rest(draft); !stated) return stated;
  const auto load = draft.load_target();
  const auto* column = draft.column_of(load);
  if (column != nullptr && !draft.of_friction()) {
    if (draft.static_readings)
      rest_of_rows(draft, *column);
    else
      find_holds(draft, load);
  }
  say_who_was_pressed(draft);
  return {};
}

}  // namespace tactelier
