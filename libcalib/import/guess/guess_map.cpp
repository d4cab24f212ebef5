#include "libcalib/import/guess/guess_map.hpp"

#include <algorithm>
#include <charconv>

#include "libcalib/import/guess/answers.hpp"
#include "libcalib/import/guess/map_draft.hpp"
#include "libcalib/import/plain_tables.hpp"

namespace tactelier {
namespace {

void write(MapDraft& draft) {
  draft.map["format"] = "tactelier/map";
  draft.map["version"] = 1;
  draft.map["row_is"] = draft.static_readings ? "press" : "sample";
  if (draft.table.delimiter != ',') draft.map["delimiter"] = std::string(1, draft.table.delimiter);
  for (const auto& column : draft.out.columns) {
    draft.map["columns"][column.name] = column.target;
    if (!column.unit.empty() && column.target != "ignore")
      draft.map["units"][column.name] = column.unit;
  }
  draft.out.text = draft.map.dump(2) + "\n";
}

void show_first(MapDraft& draft) {
  for (auto& column : draft.out.columns) {
    const auto found = std::ranges::find(draft.table.columns, column.name, &LookedAt::Column::name);
    if (found == draft.table.columns.end()) continue;
    const auto rows = std::min(found->values.size(), GuessedColumn::kFirstRows);
    column.first.assign(found->values.begin(),
                        found->values.begin() + static_cast<std::ptrdiff_t>(rows));
  }
}

Result<GuessedMap> guess(MapDraft draft) {
  if (const auto done = guess_columns(draft); !done) return fail(done.error());
  show_first(draft);  // before a force in counts is scaled
  for (const auto step : {guess_setup, guess_events, guess_places})
    if (const auto done = step(draft); !done) return fail(done.error());
  write(draft);
  return std::move(draft.out);
}

}  // namespace

Result<void> take_answer(std::string_view key, const std::string& words, GuessAnswers& answers) {
  if (key == "layout") answers.layout = words;
  if (key == "pitch") answers.pitch = words;
  if (key == "indenter") answers.indenter = words;
  if (key == "weights") answers.weights = words;
  if (key == "columns") answers.columns = words;
  if (key == "rate") answers.rate = words;
  if (key == "rest") answers.rest = words;
  if (key == "load") answers.load = words;
  if (key == "load-cell") answers.load_cell = words;
  if (key != "certificate") return {};
  double percent = 0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), percent);
  if (error != std::errc{} || end != words.data() + words.size() || !(percent >= 0))
    return fail(ErrorCode::kUsage, "'{}' is no number of percent", words);
  answers.gain_u_percent = percent;
  return {};
}

Result<GuessedMap> guess_map(const std::filesystem::path& source, const GuessAnswers& answers,
                             const Job& job) {
  const auto tables = find_tables(source, "");
  if (!tables) return fail(tables.error());
  const bool roles = answers.columns.find('=') != std::string::npos;
  const auto names = roles ? std::vector<std::string>{} : listed(answers.columns);
  const auto plain =
      PlainTables::of({tables->front()}, names, std::filesystem::temp_directory_path(), job);
  if (!plain) return fail(plain.error());
  auto looked = look_at(plain->tables().front(), job);
  if (!looked) return fail(looked.error());
  if (looked->rows < 2)
    return fail(ErrorCode::kInvalidInput, "{}: has a header and {} rows; too few to tell anything",
                tables->front().name, looked->rows);
  hold_last(*looked);
  for (auto& column : looked->columns)
    if (const auto clock = plain->clocks().find(column.name); clock != plain->clocks().end())
      column.clock = clock->second;
  auto guessed =
      guess(MapDraft{.table = std::move(*looked), .tables = *tables, .answers = answers});
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
