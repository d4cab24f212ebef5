#include "libcalib/import/guess_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "libcalib/import/cycle_finder.hpp"
#include "libcalib/import/guess_answers.hpp"
#include "libcalib/import/guess_signals.hpp"
#include "libcalib/import/guess_table.hpp"
#include "libcalib/import/guess_words.hpp"
#include "libcalib/import/header_unit.hpp"
#include "libcalib/import/level_finder.hpp"
#include "libcalib/import/plain_tables.hpp"
#include "libcalib/import/table_files.hpp"
#include "libcalib/import/text_layout.hpp"
#include "libcalib/session/decimal.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr double kFalls = -0.5;         // correlation of readings and load
constexpr double kNoises = 6;           // a press rises above the noise by so much at least
constexpr double kShareOfForce = 0.03;  // and by this share of the largest force
constexpr double kNoNewtons = 2000;     // so many are counts, unless somebody says their unit
constexpr std::array<std::string_view, 2> kSideways{"x", "y"};
constexpr double kLifted = 0.2;      // of the highest load: less is none
constexpr double kCycleShare = 0.1;  // of the load's range
constexpr double kShortestHold_s = 1;
constexpr double kShareOfLength = 0.02;  // of the table: no hold is shorter
constexpr double kUnequal = 0.2;         // of the intervals differ from the usual one: no clock

/// How people call tables of one load each.
struct NamedLoad {
  std::string_view files, target, constant;
};
constexpr std::array kNamedLoads{NamedLoad{"{load}g_{run}.csv", "mass", "{load} g"},
                                 NamedLoad{"{load}g.csv", "mass", "{load} g"},
                                 NamedLoad{"{load}kg_{run}.csv", "mass", "{load} kg"},
                                 NamedLoad{"{load}kg.csv", "mass", "{load} kg"},
                                 NamedLoad{"{load}N_{run}.csv", "force", "{load} N"},
                                 NamedLoad{"{load}N.csv", "force", "{load} N"}};

/// The load that the names of all tables say, nullptr when they say none.
const NamedLoad* load_in_names(const std::vector<TableFile>& tables) {
  for (const auto& named : kNamedLoads) {
    const auto fits = [&](const TableFile& table) {
      const auto words = match_file_name(named.files, table.name);
      return words && parse_decimal(words->at("load"));
    };
    if (std::all_of(tables.begin(), tables.end(), fits)) return &named;
  }
  return nullptr;
}

class Guess {
 public:
  Guess(LookedAt table, const std::vector<TableFile>& tables, const GuessAnswers& answers)
      : table_(std::move(table)), tables_(tables), answers_(answers) {}

  Result<GuessedMap> run() {
    for (const auto& column : table_.columns) guess_column(column);
    drop_doubles();
    if (const auto done = load_cell(); !done) return fail(done.error());
    tactels();
    if (const auto found = check_readings(); !found) return fail(found.error());
    names();
    if (const auto done = sampling(); !done) return fail(done.error());
    if (const auto done = sensor(); !done) return fail(done.error());
    if (const auto done = indenter(); !done) return fail(done.error());
    load_of_names();
    certificate();
    direction();
    where_pressed();
    if (const auto done = presses(); !done) return fail(done.error());
    if (const auto done = events(); !done) return fail(done.error());
    write();
    return std::move(out_);
  }

 private:
  const LookedAt::Column* column_of(std::string_view target) const {
    for (std::size_t i = 0; i < out_.columns.size(); ++i)
      if (out_.columns[i].target == target) return &table_.columns[i];
    return nullptr;
  }
  std::string unit_of(std::string_view target) const {
    for (const auto& column : out_.columns)
      if (column.target == target) return column.unit;
    return {};
  }
  double to_si(std::string_view target) const {
    const auto unit = unit_of(target);
    if (unit == "g") return 9.80665e-3;
    if (unit == "kg") return 9.80665;
    const auto known = parse_unit(unit);
    return known ? known->to_si : 1;
  }
  std::string load_target() const { return column_of("mass") != nullptr ? "mass" : "force"; }

  void guess_column(const LookedAt::Column& column) {
    const auto named = unit_in_name(column.name);
    const auto name = named ? named->name : column.name;
    GuessedColumn guess{column.name, "", "", ""};
    if (!column.numeric) {
      guess.target = "ignore";
      guess.why = "holds text";
    } else if (is_label(name) || numbers_presses(name)) {
      guess.target = "ignore";
      guess.why = numbers_presses(name) ? "numbers presses" : "a label";
    } else {
      role(column, name, named, guess);
    }
    out_.columns.push_back(std::move(guess));
  }

  void role(const LookedAt::Column& column, const std::string& name,
            const std::optional<NamedUnit>& named, GuessedColumn& guess) const {
    for (const auto& role : guessed_roles()) {
      if (!role.is_called(name) && !role.is_called(column.name)) continue;
      if (role.target == "t" && !column.rises()) continue;
      guess.target = role.target;
      guess.why = "its name";
      if (named && fits(role, named->unit)) {
        guess.unit = named->unit;
        if (role.target == "force" && (guess.unit == "g" || guess.unit == "kg"))
          guess.target = "mass";
      } else {
        guess.unit = role.target == "t" ? unit_of_time(column) : std::string(role.unit);
        guess.why = "its name; the unit is assumed";
      }
      return;
    }
    if (named) by_unit(*named, guess);
  }

  /// What has a unit of force is a force, whatever its name.
  static void by_unit(const NamedUnit& named, GuessedColumn& guess) {
    const auto unit = parse_unit(named.unit);
    if (named.unit == "g" || named.unit == "kg") guess.target = "mass";
    if (unit && unit->quantity == Quantity::kForce) guess.target = "force";
    if (unit && unit->quantity == Quantity::kTime) guess.target = "t";
    if (unit && unit->quantity == Quantity::kLength) guess.target = "depth";
    if (unit && unit->quantity == Quantity::kTemperature) guess.target = "aux " + named.name;
    guess.unit = named.unit;
    if (!guess.target.empty()) guess.why = "its unit";
  }

  static bool fits(const GuessedRole& role, const std::string& unit) {
    if (unit == "g" || unit == "kg") return role.target == "mass" || role.target == "force";
    const auto said = parse_unit(unit);
    const auto usual = parse_unit(role.unit);
    return said && usual && said->quantity == usual->quantity;
  }

  /// Time without a unit: stamps since 1970 by their size, whole numbers as milliseconds.
  static std::string unit_of_time(const LookedAt::Column& column) {
    const double first = column.values.front();
    if (first > 1e17) return "ns";
    if (first > 1e14) return "us";
    if (first > 1e11) return "ms";
    return column.whole && middle_of(steps_of(column.values)) >= 2 ? "ms" : "s";
  }

  /// A target is given once: further columns of the same role are kept as aux.
  void drop_doubles() {
    std::set<std::string> seen;
    for (auto& guess : out_.columns) {
      if (guess.target.empty() || guess.target == "ignore") continue;
      const auto place = guess.target == "mass" ? "force" : guess.target;
      if (seen.insert(place).second) continue;
      guess.target = guess.target == "t" || guess.target == "mass" ? "ignore" : "aux " + guess.name;
      guess.why = "another column of that kind comes first";
    }
  }

  /// A table without a line of names says nothing of its columns.
  void names() {
    if (!answers_.columns.empty()) map_["names"] = listed(answers_.columns);
    const auto numbered = numbered_columns(table_.columns.size());
    for (std::size_t i = 0; i < numbered.size(); ++i)
      if (table_.columns[i].name != numbered[i]) return;
    ask("columns",
        fmt::format("The table has no line of names: what are its {} columns, in order? Such as "
                    "'t_s,force_N,s1'",
                    numbered.size()),
        "taken as unknown readings");
  }

  /// A force in counts of a load cell's converter: two loads that are known say its scale.
  Result<void> load_cell() {
    const auto found = std::find_if(out_.columns.begin(), out_.columns.end(), [](const auto& c) {
      return c.target == "force" || c.target == "mass";
    });
    if (found == out_.columns.end()) return {};
    auto& values = table_.columns[static_cast<std::size_t>(found - out_.columns.begin())].values;
    if (answers_.load_cell.empty()) {
      if (found->why != "its name" && std::abs(middle_of(values)) > kNoNewtons)
        ask("load-cell",
            fmt::format("'{}' looks like counts: what did it read without a load and under a known "
                        "one? Such as '8322237=0,8341540=50 g'",
                        found->name),
            "taken as newtons");
      return {};
    }
    const auto cell = load_cell_in(answers_.load_cell);
    if (!cell)
      return fail(ErrorCode::kUsage,
                  "--load-cell {}: give two readings and what they stand for, with a unit, such as "
                  "'8322237=0,8341540=50 g'",
                  answers_.load_cell);
    const double slope = (cell->is[1] - cell->is[0]) / (cell->reads[1] - cell->reads[0]);
    for (auto& value : values) value = cell->is[0] + (value - cell->reads[0]) * slope;
    map_["scale"][found->name] = {{cell->reads[0], cell->is[0]}, {cell->reads[1], cell->is[1]}};
    found->unit = cell->unit;
    found->target = cell->unit == "g" || cell->unit == "kg" ? "mass" : "force";
    found->why += "; scaled by two known loads";
    return {};
  }

  /// What is left and varies is a reading, in the order of the table.
  void tactels() {
    for (std::size_t i = 0; i < out_.columns.size(); ++i) {
      auto& guess = out_.columns[i];
      if (!guess.target.empty()) continue;
      guess.target = fmt::format("tactel {}", tactels_++);
      guess.why = table_.columns[i].constant() ? "a reading that never changes" : "a reading";
    }
  }

  Result<void> check_readings() const {
    const bool anything =
        std::any_of(out_.columns.begin(), out_.columns.end(), [](const GuessedColumn& column) {
          return column.target != "ignore" && column.target != "t";
        });
    if (anything) return {};
    return fail(ErrorCode::kInvalidInput,
                "no column of numbers is a reading; name columns as they are measured, such as "
                "'force_N', 't_s', 'tactel_0'");
  }

  void understood(std::string text) { out_.understood.push_back(std::move(text)); }

  Result<void> sampling() {
    const auto* time = column_of("t");
    const auto rows = fmt::format("{}{} rows", table_.all_rows ? "" : "more than ", table_.rows);
    if (!answers_.rate.empty()) return even_rate(time, rows);
    static_readings_ = time == nullptr;
    if (time != nullptr) {
      for (const double t : time->values) time_s_.push_back(t * to_si("t"));
      understood(spacing(*time, rows));
    } else {
      understood(rows + ", each a reading at rest (no column rises like a time)");
      if (seems_a_series())
        ask("rate", "No column is a time, yet rows seem to follow each other: how many per second?",
            "each row is a reading at rest");
    }
    return {};
  }

  Result<void> even_rate(const LookedAt::Column* time, const std::string& rows) {
    const auto rate_hz = numbers_in(answers_.rate);
    if (!rate_hz || rate_hz->size() != 1)
      return fail(ErrorCode::kUsage, "--rate {}: give rows per second, such as 100", answers_.rate);
    if (time != nullptr)
      return fail(ErrorCode::kUsage, "--rate {}: the column '{}' tells the time already",
                  answers_.rate, time->name);
    map_["rate_hz"] = rate_hz->front();
    for (std::size_t i = 0; i < table_.rows; ++i)
      time_s_.push_back(static_cast<double>(i) / rate_hz->front());
    understood(fmt::format("{}, a time series of {:.4g} s, {:.4g} rows per second", rows,
                           time_s_.back(), rate_hz->front()));
    return {};
  }

  bool seems_a_series() const {
    const auto* load = column_of(load_target());
    return rows_follow(load != nullptr ? load->values : mean_reading());
  }

  std::string spacing(const LookedAt::Column& time, const std::string& rows) const {
    const auto steps = steps_of(time.values);
    const double usual = middle_of(steps);
    const auto unlike = std::count_if(steps.begin(), steps.end(), [usual](double step) {
      return std::abs(step - usual) > 0.5 * usual;
    });
    const double length_s = time_s_.back() - time_s_.front();
    const bool equal = static_cast<double>(unlike) <= kUnequal * static_cast<double>(steps.size());
    return fmt::format("{}, a time series of {:.4g} s, {}", rows, length_s,
                       equal ? fmt::format("{:.4g} rows per second", 1 / (usual * to_si("t")))
                             : "unequally spaced");
  }

  void ask(std::string key, std::string text, std::string otherwise) {
    out_.questions.push_back({std::move(key), std::move(text), std::move(otherwise)});
  }

  Result<void> sensor() {
    if (!answers_.sensor.empty()) {
      map_["sensor"] = answers_.sensor;
      return {};
    }
    const int tactels = std::max(tactels_, 1);
    std::vector<double> layout{1, static_cast<double>(tactels)};
    if (!answers_.layout.empty()) {
      const auto numbers = numbers_in(answers_.layout);
      if (!numbers || numbers->size() != 2 || (*numbers)[0] * (*numbers)[1] != tactels)
        return fail(ErrorCode::kUsage,
                    "--layout {}: the table has {} readings in a row; give ROWSxCOLUMNS of them, "
                    "such as 1x{}",
                    answers_.layout, tactels, tactels);
      layout = *numbers;
    } else if (tactels > 1) {
      ask("layout", fmt::format("How do the {} tactels lie? ROWSxCOLUMNS", tactels),
          fmt::format("taken as 1x{}", tactels));
    }
    std::vector<double> pitch{1, 1};
    if (!answers_.pitch.empty()) {
      const auto numbers = numbers_in(answers_.pitch);
      if (!numbers || numbers->size() > 2)
        return fail(ErrorCode::kUsage, "--pitch {}: give millimetres, such as 3.4 or 3.4x4.2",
                    answers_.pitch);
      pitch = {numbers->front(), numbers->back()};
    } else if (tactels > 1) {
      ask("pitch", "Distance between tactels in mm (X, or XxY)",
          "taken as 1 mm: forces are right, places and widths are not");
    }
    map_["sensor"] = {{"rows", static_cast<int>(layout[0])},
                      {"columns", static_cast<int>(layout[1])},
                      {"pitch_x_mm", pitch[0]},
                      {"pitch_y_mm", pitch[1]}};
    return {};
  }

  Result<void> indenter() {
    if (answers_.indenter.empty()) {
      ask("indenter", "What pressed? SHAPE MILLIMETRES, such as 'cylinder 5', 'sphere 6', 'plate'",
          "unknown: forces are right, stiffness per area is not to be had");
      return {};
    }
    const auto space = std::min(answers_.indenter.find(' '), answers_.indenter.size());
    const auto shape = answers_.indenter.substr(0, space);
    const auto size = numbers_in(
        std::string_view(answers_.indenter).substr(std::min(space + 1, answers_.indenter.size())));
    json indenter{{"shape", shape}};
    if (shape == "cylinder" || shape == "sphere") {
      if (!size || size->size() != 1)
        return fail(ErrorCode::kUsage, "--indenter {}: its diameter in mm is missing, as in '{} 5'",
                    answers_.indenter, shape);
      indenter["diameter_mm"] = size->front();
    } else if (shape != "plate") {
      return fail(ErrorCode::kUsage,
                  "--indenter {}: 'cylinder 5', 'sphere 6' or 'plate'; other shapes go into the "
                  "map by hand",
                  answers_.indenter);
    }
    map_["indenter"] = std::move(indenter);
    return {};
  }

  void certificate() {
    const auto load = load_target();
    if (column_of(load) == nullptr) return;
    if (answers_.gain_u_percent)
      map_["session"]["force_sensor"]["certificate"]["gain_u_percent"] = *answers_.gain_u_percent;
    else
      ask("certificate", "Standard uncertainty of the force's gain in percent (its certificate)",
          "not part of any interval");
    const auto [low, high] = swing(load);
    const auto& values = column_of(load)->values;
    const bool negative = std::any_of(values.begin(), values.end(), [](double v) { return v < 0; });
    if (negative && -low > 4 * std::max(high, 0.0)) {
      turned_ = true;
      understood("the force reads negative when pressing: press_axis -z");
    }
    if (turned_ || answers_.gain_u_percent)
      map_["session"]["force_sensor"]["press_axis"] = turned_ ? "-z" : "z";
  }

  /// Whether the readings, all tactels together, fall while the load rises. A shipped description
  /// says it itself.
  void direction() {
    const auto* load = column_of(load_target());
    if (load == nullptr || !answers_.sensor.empty()) return;
    std::vector<double> sums(load->values.size(), 0);
    for (std::size_t i = 0; i < out_.columns.size(); ++i)
      if (out_.columns[i].target.starts_with("tactel "))
        for (std::size_t row = 0; row < sums.size(); ++row)
          sums[row] += table_.columns[i].values[row];
    if ((turned_ ? -1 : 1) * correlation(load->values, sums) > kFalls) return;
    map_["sensor"]["falling"] = true;
    understood("the readings fall while the load rises: falling sensors");
  }

  /// How far a column goes below and above where it starts (of static readings: below and above 0).
  Swing swing(std::string_view target) const {
    const auto& values = column_of(target)->values;
    return swing_about(values, static_readings_ ? 0 : value_at_start(values));
  }

  /// "400g_2.csv": each table was recorded under one load.
  void load_of_names() {
    const auto* named = load_in_names(tables_);
    if (named == nullptr || column_of(load_target()) != nullptr) return;
    map_["files"] = named->files;
    map_["constants"][std::string(named->target)] = named->constant;
    understood(fmt::format("the names of the tables say their load: '{}'", named->files));
  }

  /// Without x and y a press has no place: with one tactel it is on that.
  void where_pressed() {
    const bool x = column_of("x") != nullptr, y = column_of("y") != nullptr;
    if (x != y) map_["constants"][x ? "y" : "x"] = "0 mm";
    if (!x && !y && tactels_ > 1 && answers_.sensor.empty())
      understood(
          "no column says where the presses were: the force on the whole array can be had, newtons "
          "of each tactel only where the map names it, as in "
          "\"events\": [{\"event\": \"press\", \"data\": {\"tactel\": 3}}]");
  }

  Result<void> presses() {
    std::vector<std::string> by;
    for (std::size_t i = 0; i < out_.columns.size(); ++i)
      if (out_.columns[i].why == "numbers presses") by.push_back(out_.columns[i].name);
    if (static_readings_ && by.empty())
      for (const std::string_view place : {"x", "y"})
        if (const auto* column = column_of(place);
            column != nullptr && column->different() * 2 <= table_.rows)
          by.push_back(column->name);
    if (!by.empty()) {
      map_["press_by"] = by;
      std::string names;
      for (const auto& name : by) names += (names.empty() ? "'" : ", '") + name + "'";
      understood("a press for each run of rows with the same " + names);
      return {};
    }
    if (static_readings_) {
      understood(tables_.size() > 1 ? "each table is one press" : "all rows are one press");
      return {};
    }
    if (column_of(load_target()) == nullptr && !map_.contains("constants")) return weights();
    if (const auto* load = column_of(load_target()); load == nullptr || !slides(*load))
      presses_by_force();
    return {};
  }

  /// Mean of all readings, row by row.
  std::vector<double> mean_reading() const {
    std::vector<double> mean(table_.rows, 0);
    for (std::size_t i = 0; i < out_.columns.size(); ++i) {
      if (!out_.columns[i].target.starts_with("tactel ")) continue;
      for (std::size_t row = 0; row < mean.size(); ++row)
        mean[row] += table_.columns[i].values[row] / tactels_;
    }
    return mean;
  }

  /// How often weights were put on from nothing and taken off again.
  static std::size_t rounds_of(const json& masses_g) {
    std::size_t rounds = 0;
    for (std::size_t i = 1; i < masses_g.size(); ++i)
      if (masses_g[i] == 0 && masses_g[i - 1] != 0) ++rounds;
    return masses_g.front() == 0 && masses_g.back() == 0 ? rounds : 0;
  }

  /// No force in the table: where readings stand still, a weight may lie.
  Result<void> weights() {
    const auto levels = tactels_ > 0 ? find_levels(time_s_, mean_reading(), {}).size() : 0;
    if (answers_.weights.empty()) {
      understood(
          fmt::format("no force: readings come in, and stand still {} times, but no newtons "
                      "can be had from this table alone",
                      levels));
      if (levels > 1)
        ask("weights",
            fmt::format("Which {} weights lay on it, one after the other, in g? Such as "
                        "0,100,200,0",
                        levels),
            "no newtons");
      return {};
    }
    json masses_g = json::parse("[" + answers_.weights + "]", nullptr, false);
    const auto is_mass = [](const json& mass) { return mass.is_number() && mass >= 0; };
    if (!masses_g.is_array() || !std::all_of(masses_g.begin(), masses_g.end(), is_mass) ||
        masses_g.size() != levels)
      return fail(ErrorCode::kUsage,
                  "--weights {}: the readings stand still {} times; give a mass in g for each, 0 "
                  "for none, such as 0,100,200,0",
                  answers_.weights, levels);
    json press{{"event", "press"}};
    const auto rounds = rounds_of(masses_g);
    const bool found =
        rounds > 1 && find_cycles(rising_from_start(mean_reading()), kCycleShare).size() == rounds;
    if (found) press["find"] = "cycles";
    map_["events"] = {
        std::move(press),
        {{"event", "load"}, {"find", "plateaus"}, {"data", {{"mass_g", std::move(masses_g)}}}}};
    understood(fmt::format("the readings stand still {} times, once for each weight{}", levels,
                           found ? fmt::format("; {} rounds of them, each a press", rounds) : ""));
    return {};
  }

  void presses_by_force() {
    const auto load = load_target();
    const auto* column = column_of(load);
    if (column == nullptr)
      return understood(
          "no force: readings come in, but no newtons can be had from this table "
          "alone; add a column of forces, or weights to the map's events");
    const auto [low, high] = swing(load);
    const double rise_N = (turned_ ? -low : high) * to_si(load);
    const double noise_N = noise_of(column->values) * to_si(load);
    const double threshold_N = std::max(kNoises * noise_N, kShareOfForce * rise_N);
    if (!(threshold_N > 0)) return understood("the force never changes: no press");
    const auto cycles = find_cycles(pressing(*column), kCycleShare);
    const auto touches = touches_of(pressing(*column), threshold_N / to_si(load));
    if (touches.count < 2 && cycles.size() > 2) {
      map_["events"].push_back({{"event", "press"}, {"find", "cycles"}});
      return understood(fmt::format(
          "the load goes up and down {} times and never comes back to nothing between: each cycle "
          "is a press",
          cycles.size()));
    }
    if (touches.count == 1 && touches.open) {
      map_["events"].push_back({{"event", "press"}});
      return understood("one press, which lasts to the end of the table");
    }
    const double digits = std::pow(10, 1 - std::floor(std::log10(threshold_N)));
    const double rounded_N = std::ceil(threshold_N * digits) / digits;
    map_["press_by"]["threshold_N"] = rounded_N;
    understood(
        fmt::format("a press wherever the force rises by more than {:.3g} N (it rises by "
                    "{:.3g} N at most, noise {:.2g} N)",
                    rounded_N, rise_N, noise_N));
  }

  /// The load, rising when something presses.
  std::vector<double> pressing(const LookedAt::Column& load) const {
    auto values = load.values;
    if (turned_)
      for (double& value : values) value = -value;
    return values;
  }

  /// A force across the load, and a stage that goes sideways while the load lies on: a sled.
  bool slides(const LookedAt::Column& load) {
    const bool across = column_of("Fx") != nullptr || column_of("Fy") != nullptr;
    const bool moves = std::any_of(kSideways.begin(), kSideways.end(), [&](std::string_view axis) {
      return column_of(axis) != nullptr && !column_of(axis)->constant();
    });
    if (!across || !moves) return false;
    const auto pressed = pressing(load);
    const auto [low, high] = std::minmax_element(pressed.begin(), pressed.end());
    json slide{{"event", "slide"}, {"find", "slides"}};
    // Where the load is lifted at times, the way back is none.
    const bool lifted = *low < kLifted * *high;
    if (lifted)
      slide["where"][load.name] =
          turned_ ? json{{"below", -*high / 2}} : json{{"above", *high / 2}};
    map_["events"].push_back(std::move(slide));
    sled_ = true;
    for (const auto* side : {"Fx", "Fy"})  // a side that was not recorded
      if (column_of(side) == nullptr) map_["constants"][side] = "0 N";
    understood(
        fmt::format("a slide wherever the stage moves one way{}", lifted ? " under the load" : ""));
    return true;
  }

  /// Rows at rest of static readings; holds of a time series.
  Result<void> events() {
    if (const auto stated = stated_rest(); !stated) return stated;
    const auto load = load_target();
    const auto* column = column_of(load);
    if (column == nullptr) return {};
    if (static_readings_)
      rest_of_rows(*column);
    else
      holds(load);
    return {};
  }

  Result<void> stated_rest() {
    if (answers_.rest.empty()) return {};
    const auto reads = json::parse("[" + answers_.rest + "]", nullptr, false);
    const auto is_number = [](const json& value) { return value.is_number(); };
    const bool fits = reads.is_array() && std::all_of(reads.begin(), reads.end(), is_number) &&
                      (reads.size() == 1 || reads.size() == static_cast<std::size_t>(tactels_));
    if (!fits)
      return fail(ErrorCode::kUsage,
                  "--rest {}: give what the tactels read unloaded, one number for all or one for "
                  "each of the {}",
                  answers_.rest, tactels_);
    map_["rest"]["reads"] = reads.size() == 1 ? reads.front() : reads;
    understood("what the tactels read unloaded is stated");
    return {};
  }

  void rest_of_rows(const LookedAt::Column& load) {
    if (map_.contains("rest")) return;
    const auto zeros = std::count(load.values.begin(), load.values.end(), 0.0);
    if (zeros == 0)
      return ask("rest", "No row is without a load: what do the tactels read unloaded, in counts?",
                 "where the line through the rows meets force 0");
    map_["rest"]["where"][load.name] = 0;
    understood(fmt::format("{} rows at zero force are rest", zeros));
  }

  /// How long a column stands still, away from where it starts and for a second at least.
  double held_s(std::string_view target, double least_s, std::size_t& times) const {
    const auto& values = column_of(target)->values;
    const auto [low, high] = swing(target);
    const double far = 0.1 * (high - low), rest = values.front();
    double total_s = 0;
    times = 0;
    for (const auto& level : find_levels(time_s_, values, {0.02, least_s})) {
      if (std::abs(values[(level.first + level.last) / 2] - rest) <= far) continue;
      total_s += time_s_[level.last] - time_s_[level.first];
      ++times;
    }
    return total_s;
  }

  void holds(std::string_view load) {
    if (!map_.contains("press_by") && (!map_.contains("events") || sled_)) return;
    const double length_s = time_s_.back() - time_s_.front();
    const double least_s = std::ceil(std::max(kShortestHold_s, kShareOfLength * length_s));
    std::size_t forces = 0, depths = 0;
    const double by_force_s = held_s(load, least_s, forces);
    const double by_depth_s = column_of("depth") != nullptr ? held_s("depth", least_s, depths) : 0;
    if (forces + depths == 0) return;
    map_["events"].push_back({{"event", "hold"}, {"find", "holds"}, {"least_s", least_s}});
    understood(by_depth_s > by_force_s
                   ? fmt::format("the depth is held {}: holds", times_of(depths))
                   : fmt::format("the force is held {}: holds", times_of(forces)));
  }

  static std::string times_of(std::size_t count) {
    return count == 1 ? "once" : fmt::format("{} times", count);
  }

  void write() {
    map_["format"] = "tactelier/map";
    map_["version"] = 1;
    map_["row_is"] = static_readings_ ? "press" : "sample";
    if (table_.delimiter != ',') map_["delimiter"] = std::string(1, table_.delimiter);
    for (const auto& column : out_.columns) {
      map_["columns"][column.name] = column.target;
      if (!column.unit.empty() && column.target != "ignore")
        map_["units"][column.name] = column.unit;
    }
    out_.text = map_.dump(2) + "\n";
  }

  LookedAt table_;  // a force in counts scaled, once it is known how
  const std::vector<TableFile>& tables_;
  const GuessAnswers& answers_;
  GuessedMap out_;
  json map_ = json::object();
  int tactels_ = 0;
  std::vector<double> time_s_;  // of a time series
  bool static_readings_ = false;
  bool sled_ = false;
  bool turned_ = false;
};

}  // namespace

Result<GuessedMap> guess_map(const std::filesystem::path& source, const GuessAnswers& answers,
                             const Job& job) {
  const auto tables = find_tables(source, "");
  if (!tables) return fail(tables.error());
  const auto names = listed(answers.columns);
  const auto plain =
      PlainTables::of({tables->front()}, names, std::filesystem::temp_directory_path(), job);
  if (!plain) return fail(plain.error());
  auto looked = look_at(plain->tables().front(), job);
  if (!looked) return fail(looked.error());
  if (looked->rows < 2)
    return fail(ErrorCode::kInvalidInput, "{}: has a header and {} rows; too few to tell anything",
                tables->front().name, looked->rows);
  auto guessed = Guess(std::move(*looked), *tables, answers).run();
  if (!guessed) return fail(guessed.error(), tables->front().name);
  if (tables->size() > 1)
    guessed->understood.insert(guessed->understood.begin(),
                               fmt::format("{} tables, taken to be alike; '{}' was looked at",
                                           tables->size(), tables->front().name));
  for (const auto& warning : plain->warnings())
    guessed->understood.push_back(fmt::format("{}: {}", warning.where, warning.text));
  return guessed;
}

}  // namespace tactelier
