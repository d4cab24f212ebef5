#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include "libcalib/import/guess/answers.hpp"
#include "libcalib/import/guess/map_draft.hpp"
#include "libcalib/import/level_finder.hpp"
#include "libcalib/import/plain_tables.hpp"
#include "libcalib/import/table_files.hpp"
#include "libcalib/session/decimal.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr double kFalls = -0.5;   // correlation of readings and load
constexpr double kLoaded = 0.1;   // of the load's range
constexpr double kUnequal = 0.2;  // of the intervals differ from the usual one: no clock

/// Tables of one load each, by their names.
struct NamedLoad {
  std::string files;  // "{load}g_{run}.csv"
  std::string_view target, unit;
};
struct LoadUnit {
  std::string_view written, target, unit;
};
constexpr std::array kLoadUnits{LoadUnit{"g", "mass", "g"},      LoadUnit{"kg", "mass", "kg"},
                                LoadUnit{"N", "force", "N"},     LoadUnit{"mN", "force", "mN"},
                                LoadUnit{"lbs", "force", "lbf"}, LoadUnit{"lb", "force", "lbf"}};
constexpr std::array<std::string_view, 3> kBeforeUnit{"", "_", " "};
constexpr std::array<std::string_view, 4> kBehindLoad{"_{run}", "-{run}", " {run}", ""};

/// What all names begin with, without the number that may follow: "data" of data0.5kg, data0kg.
std::string common_beginning(const std::vector<TableFile>& tables) {
  std::string_view common = tables.front().name;
  for (const auto& table : tables) {
    const auto [end, unused] =
        std::mismatch(common.begin(), common.end(), table.name.begin(), table.name.end());
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  common = common.substr(0, common.find_first_of("0123456789"));
  return common == "-" ? "" : std::string(common);  // a sign
}

/// The load that the names of all tables say, nothing when they say none.
std::optional<NamedLoad> load_in_names(const std::vector<TableFile>& tables) {
  const auto ending = std::filesystem::path(tables.front().name).extension().string();
  const auto beginning = common_beginning(tables);
  for (const auto& [written, target, unit] : kLoadUnits)
    for (const auto before : kBeforeUnit)
      for (const auto behind : kBehindLoad) {
        auto files = fmt::format("{}{{load}}{}{}{}{}", beginning, before, written, behind, ending);
        const auto fits = [&](const TableFile& table) {
          const auto words = match_file_name(files, table.name);
          return words && parse_decimal(words->at("load"));
        };
        if (std::all_of(tables.begin(), tables.end(), fits))
          return NamedLoad{std::move(files), target, unit};
      }
  return std::nullopt;
}

/// Names that differ by one number and say no unit: "data0.5_nkg", "data1.25_nkg". Nobody but the
/// user knows whether it is a load.
std::optional<NamedLoad> load_of_said_unit(MapDraft& draft) {
  const auto& tables = draft.tables;
  if (tables.size() < 2) return std::nullopt;
  const auto beginning = common_beginning(tables);
  const std::string_view first = tables.front().name;
  auto behind = std::min(first.find_first_not_of("-+.0123456789", beginning.size()), first.size());
  if (behind > beginning.size() && first[behind - 1] == '.') --behind;  // of the ending
  auto files = fmt::format("{}{{load}}{}", beginning, first.substr(behind));
  std::vector<std::string> loads;
  for (const auto& table : tables) {
    const auto words = match_file_name(files, table.name);
    if (!words || !parse_decimal(words->at("load"))) return std::nullopt;
    loads.push_back(words->at("load"));
  }
  for (const auto& [written, target, unit] : kLoadUnits)
    if (draft.answers.weights == written) return NamedLoad{std::move(files), target, unit};
  draft.ask("weights",
            fmt::format("The names of the tables differ by a number, {} to {}: if it is the load, "
                        "in which unit? g, kg, N, mN or lbs",
                        loads.front(), loads.back()),
            "no load is known, so no newtons");
  return std::nullopt;
}

Result<void> even_rate(MapDraft& draft, const LookedAt::Column* time, const std::string& rows) {
  const auto rate_hz = numbers_in(draft.answers.rate);
  if (!rate_hz || rate_hz->size() != 1)
    return fail(ErrorCode::kUsage, "--rate {}: give rows per second, such as 100",
                draft.answers.rate);
  if (time != nullptr)
    return fail(ErrorCode::kUsage, "--rate {}: the column '{}' tells the time already",
                draft.answers.rate, time->name);
  draft.map["rate_hz"] = rate_hz->front();
  for (std::size_t i = 0; i < draft.table.rows; ++i)
    draft.time_s.push_back(static_cast<double>(i) / rate_hz->front());
  draft.understood(fmt::format("{}, a time series of {:.4g} s, {:.4g} rows per second", rows,
                               draft.time_s.back(), rate_hz->front()));
  return {};
}

bool seems_a_series(const MapDraft& draft) {
  const auto* load = draft.column_of(draft.load_target());
  return rows_follow(load != nullptr ? load->values : draft.mean_reading());
}

std::string spacing(const MapDraft& draft, const LookedAt::Column& time, const std::string& rows) {
  const auto steps = steps_of(time.values);
  const double usual = middle_of(steps);
  const auto unlike = std::count_if(steps.begin(), steps.end(), [usual](double step) {
    return std::abs(step - usual) > 0.5 * usual;
  });
  const double length_s = draft.time_s.back() - draft.time_s.front();
  const bool equal = static_cast<double>(unlike) <= kUnequal * static_cast<double>(steps.size());
  return fmt::format("{}, a time series of {:.4g} s, {}", rows, length_s,
                     equal ? fmt::format("{:.4g} rows per second", 1 / (usual * draft.to_si("t")))
                           : "unequally spaced");
}

Result<void> find_sampling(MapDraft& draft) {
  const auto* time = draft.column_of("t");
  const auto rows =
      fmt::format("{}{} rows", draft.table.all_rows ? "" : "more than ", draft.table.rows);
  if (!draft.answers.rate.empty()) return even_rate(draft, time, rows);
  draft.static_readings = time == nullptr;
  if (time != nullptr) {
    for (const double t : time->values) draft.time_s.push_back(t * draft.to_si("t"));
    draft.understood(spacing(draft, *time, rows));
  } else {
    draft.understood(rows + ", each a reading at rest (no column rises like a time)");
    if (seems_a_series(draft))
      draft.ask("rate",
                "No column is a time, yet rows seem to follow each other: how many per second?",
                "each row is a reading at rest, which is enough for newtons; as a time series each "
                "press needs 20 rows of free air before it");
  }
  return {};
}

Result<void> describe_sensor(MapDraft& draft) {
  if (!draft.answers.sensor.empty()) {
    draft.map["sensor"] = draft.answers.sensor;
    return {};
  }
  const int tactels = std::max(draft.tactels, 1);
  std::vector<double> layout{1, static_cast<double>(tactels)};
  if (!draft.answers.layout.empty()) {
    const auto numbers = numbers_in(draft.answers.layout);
    const auto counts = [](double n) { return n >= 1 && n == std::round(n); };
    if (!numbers || numbers->size() != 2 || !std::ranges::all_of(*numbers, counts) ||
        (*numbers)[0] * (*numbers)[1] != tactels)
      return fail(ErrorCode::kUsage,
                  "--layout {}: the table has {} readings in a row; give ROWSxCOLUMNS of them, "
                  "such as 1x{}",
                  draft.answers.layout, tactels, tactels);
    layout = *numbers;
  } else if (tactels > 1) {
    draft.ask("layout", fmt::format("How do the {} tactels lie? ROWSxCOLUMNS", tactels),
              fmt::format("taken as 1x{}", tactels));
  }
  std::vector<double> pitch{1, 1};
  if (!draft.answers.pitch.empty()) {
    const auto numbers = numbers_in(draft.answers.pitch);
    if (!numbers || numbers->size() > 2)
      return fail(ErrorCode::kUsage, "--pitch {}: give millimetres, such as 3.4 or 3.4x4.2",
                  draft.answers.pitch);
    pitch = {numbers->front(), numbers->back()};
  } else if (tactels > 1) {
    draft.ask("pitch", "Distance between tactels in mm (X, or XxY)",
              "taken as 1 mm: forces are right, places and widths are not");
  }
  draft.map["sensor"] = {{"rows", static_cast<int>(layout[0])},
                         {"columns", static_cast<int>(layout[1])},
                         {"pitch_x_mm", pitch[0]},
                         {"pitch_y_mm", pitch[1]}};
  return {};
}

Result<void> describe_indenter(MapDraft& draft) {
  if ((draft.of_joints() || draft.of_friction()) && draft.answers.indenter.empty()) return {};
  if (draft.answers.indenter.empty()) {
    draft.ask("indenter",
              "What pressed? SHAPE MILLIMETRES, such as 'cylinder 5', 'sphere 6', 'plate'",
              "unknown: forces are right, stiffness per area is not to be had");
    return {};
  }
  const auto space = std::min(draft.answers.indenter.find(' '), draft.answers.indenter.size());
  const auto shape = draft.answers.indenter.substr(0, space);
  const auto size = numbers_in(std::string_view(draft.answers.indenter)
                                   .substr(std::min(space + 1, draft.answers.indenter.size())));
  json indenter{{"shape", shape}};
  if (shape == "cylinder" || shape == "sphere") {
    if (!size || size->size() != 1)
      return fail(ErrorCode::kUsage, "--indenter {}: its diameter in mm is missing, as in '{} 5'",
                  draft.answers.indenter, shape);
    indenter["diameter_mm"] = size->front();
  } else if (shape != "plate") {
    return fail(ErrorCode::kUsage,
                "--indenter {}: 'cylinder 5', 'sphere 6' or 'plate'; other shapes go into the "
                "map by hand",
                draft.answers.indenter);
  }
  draft.map["indenter"] = std::move(indenter);
  return {};
}

/// A load that lay on all the time, as that of a sled does; its middle, 0 of any other.
double constant_load(const LookedAt::Column& load) {
  constexpr double kSteady = 0.2;  // of its middle
  const double middle = middle_of(load.values);
  const auto around = swing_about(load.values, middle);
  return std::max(around.high, -around.low) < kSteady * std::abs(middle) ? middle : 0;
}

/// A table that does not begin in free air.
void say_where_unloaded(MapDraft& draft, const LookedAt::Column& load) {
  if (draft.static_readings || load.values.empty() || constant_load(load) != 0) return;
  const double unloaded = draft.unloaded(load);
  const auto [low, high] = draft.swing(draft.load_target());
  if (std::abs(load.values.front() - unloaded) > kLoaded * (high - low))
    draft.understood(fmt::format(
        "the table begins under load, at {:.4g}; free air is where the load reads {:.2g}",
        load.values.front(), unloaded));
}

void find_certificate(MapDraft& draft) {
  const auto load = draft.load_target();
  if (draft.column_of(load) == nullptr) return;
  if (draft.answers.gain_u_percent)
    draft.map["session"]["force_sensor"]["certificate"]["gain_u_percent"] =
        *draft.answers.gain_u_percent;
  else
    draft.ask("certificate",
              "Standard uncertainty of the force's gain in percent (its certificate)",
              "not part of any interval");
  say_where_unloaded(draft, *draft.column_of(load));
  const auto [low, high] = draft.swing(load);
  const auto& values = draft.column_of(load)->values;
  const bool negative = std::any_of(values.begin(), values.end(), [](double v) { return v < 0; });
  const double constant = constant_load(*draft.column_of(load));
  if (constant < 0 || (constant == 0 && negative && -low > 4 * std::max(high, 0.0))) {
    draft.turned = true;
    draft.understood("the force reads negative when pressing: press_axis -z");
  }
  if (draft.turned || draft.answers.gain_u_percent)
    draft.map["session"]["force_sensor"]["press_axis"] = draft.turned ? "-z" : "z";
}

/// Whether the readings, all tactels together, fall while the load rises. A shipped description
/// says it itself.
void find_direction(MapDraft& draft) {
  const auto* load = draft.column_of(draft.load_target());
  if (load == nullptr || !draft.answers.sensor.empty()) return;
  std::vector<double> sums(load->values.size(), 0);
  for (std::size_t i = 0; i < draft.out.columns.size(); ++i)
    if (draft.out.columns[i].target.starts_with("tactel "))
      for (std::size_t row = 0; row < sums.size(); ++row)
        sums[row] += draft.table.columns[i].values[row];
  if ((draft.turned ? -1 : 1) * correlation(load->values, sums) > kFalls) return;
  draft.map["sensor"]["falling"] = true;
  draft.understood("the readings fall while the load rises: falling sensors");
}

/// A log of readings that stand still from its first row to its last: its load lay on all the time,
/// so that its rows are readings at rest.
void rest_under_one_load(MapDraft& draft) {
  if (draft.static_readings) return;
  const auto readings = draft.mean_reading();
  if (find_levels(draft.time_s, readings, {}).size() > 1 || rows_follow(readings)) return;
  draft.static_readings = true;
  for (auto& column : draft.out.columns) {
    if (column.target != "t") continue;
    column.target = "ignore";
    column.why = "the readings stand still: each row is one at rest";
  }
  draft.understood("the readings stand still in the whole table: each row is a reading at rest");
}

/// Middles of all tactels together; 0 where the table can't be read, which its import will say.
double reading_of(const MapDraft& draft, const TableFile& table) {
  const auto plain = PlainTables::of({table}, {}, std::filesystem::temp_directory_path(), Job{});
  const auto looked = plain ? look_at(plain->tables().front(), Job{}) : fail(plain.error());
  double sum = 0;
  for (std::size_t i = 0; looked && i < looked->columns.size(); ++i)
    for (const auto& column : draft.out.columns)
      if (column.name == looked->columns[i].name && column.target.starts_with("tactel "))
        sum += middle_of(looked->columns[i].values);
  return sum;
}

/// Whether readings are lower under the largest load of the tables than under the least.
void find_direction_of_tables(MapDraft& draft, const NamedLoad& named) {
  if (draft.tables.size() < 2 || draft.tactels == 0 || !draft.answers.sensor.empty()) return;
  const auto load = [&](const TableFile& table) {
    const auto words = match_file_name(named.files, table.name);
    const auto number = words ? parse_decimal(words->at("load")) : std::nullopt;
    return number ? std::abs(number->value()) : 0;
  };
  const auto [least, most] = std::ranges::minmax_element(draft.tables, {}, load);
  if (load(*least) == load(*most) || reading_of(draft, *most) >= reading_of(draft, *least)) return;
  draft.map["sensor"]["falling"] = true;
  draft.understood(fmt::format("the readings of '{}' lie below those of '{}': falling sensors",
                               most->name, least->name));
}

/// "400g_2.csv": each table was recorded under one load.
void find_load_of_names(MapDraft& draft) {
  if (draft.column_of(draft.load_target()) != nullptr) return;
  auto named = load_in_names(draft.tables);
  if (!named) named = load_of_said_unit(draft);
  if (!named) return;
  draft.map["files"] = named->files;
  draft.map["constants"][std::string(named->target)] = fmt::format("{{load}} {}", named->unit);
  draft.understood(fmt::format("the names of the tables say their load: '{}'", named->files));
  find_direction_of_tables(draft, *named);
  rest_under_one_load(draft);
}

/// Without x and y a press has no place: with one tactel it is on that.
void find_places(MapDraft& draft) {
  const bool x = draft.column_of("x") != nullptr, y = draft.column_of("y") != nullptr;
  if (x != y) draft.map["constants"][x ? "y" : "x"] = "0 mm";
}

}  // namespace

Result<void> guess_setup(MapDraft& draft) {
  if (const auto done = find_sampling(draft); !done) return done;
  if (const auto done = describe_sensor(draft); !done) return done;
  if (const auto done = describe_indenter(draft); !done) return done;
  find_load_of_names(draft);
  find_certificate(draft);
  find_direction(draft);
  find_places(draft);
  return {};
}

}  // namespace tactelier
