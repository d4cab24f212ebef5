#include "libcalib/import/guess/guess_map.hpp"

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

Result<GuessedMap> guess(MapDraft draft) {
  for (const auto step : {guess_columns, guess_setup, guess_events})
    if (const auto done = step(draft); !done) return fail(done.error());
  write(draft);
  return std::move(draft.out);
}

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
