// tactelier catalogue query (fleet_report.hpp).

#include <algorithm>

#include "app/workflow/catalogue/fleet_report.hpp"
#include "libcalib/json_check.hpp"

namespace tactelier {
namespace {

// Latest of each sensor: no fit of it that was recorded later, or added later of the same
// recording.
constexpr std::string_view kLatest =
    "AND NOT EXISTS (SELECT 1 FROM fit l WHERE l.sensor=f.sensor AND (l.recorded>f.recorded OR "
    "(l.recorded=f.recorded AND l.id>f.id)))";

constexpr std::string_view kRows =
    "SELECT s.sensor, s.serial, f.recorded, p.path, p.value, p.std, p.u95, p.spread, p.count, "
    "p.tactels, p.unit, p.status, p.reason FROM parameter p JOIN fit f ON f.id=p.fit "
    "JOIN sensor s ON s.id=f.sensor WHERE p.path=?1 AND (?2='' OR s.sensor=?2) "
    "AND (?3='' OR s.serial=?3) AND (?4='' OR p.status=?4) ";

Result<std::vector<std::string>> known_paths(const Catalogue& catalogue) {
  // One step of the index per path, instead of reading every row.
  auto statement = catalogue.database().prepare(
      "WITH RECURSIVE known(path) AS (SELECT min(path) FROM parameter UNION ALL "
      "SELECT (SELECT min(path) FROM parameter WHERE path>known.path) FROM known "
      "WHERE known.path IS NOT NULL) SELECT path FROM known WHERE path IS NOT NULL");
  if (!statement) return fail(statement.error());
  std::vector<std::string> paths;
  for (;;) {
    const auto row = statement->step();
    if (!row) return fail(row.error());
    if (!*row) return paths;
    paths.emplace_back(statement->text(0).value_or(""));
  }
}

bool path_matches(const std::string& wished, const std::string& path) {
  if (!wished.ends_with('*')) return wished == path;
  return path.starts_with(std::string_view(wished).substr(0, wished.size() - 1));
}

Result<std::vector<std::string>> wished_paths(const Catalogue& catalogue,
                                              const std::vector<std::string>& wished) {
  const auto known = known_paths(catalogue);
  if (!known || wished.empty()) return known;
  std::vector<std::string> paths;
  for (const auto& wish : wished) {
    const auto before = paths.size();
    std::ranges::copy_if(*known, std::back_inserter(paths),
                         [&](const std::string& path) { return path_matches(wish, path); });
    if (paths.size() == before)
      return fail(ErrorCode::kUsage, "the catalogue holds no '{}'{}", wish,
                  did_you_mean(wish, *known));
  }
  std::ranges::sort(paths);
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

std::optional<double> number_at(const Statement& row, int column) {
  if (const auto real = row.real(column)) return real;
  if (const auto whole = row.integer(column)) return static_cast<double>(*whole);
  return std::nullopt;
}

std::string text_at(const Statement& row, int column) {
  return std::string(row.text(column).value_or(""));
}

CatalogueRow row_at(const Statement& row) {
  return {
      text_at(row, 0),
      text_at(row, 1),
      text_at(row, 2),
      {text_at(row, 3), number_at(row, 4), number_at(row, 5), number_at(row, 6), number_at(row, 7),
       static_cast<int>(row.integer(8).value_or(0)), static_cast<int>(row.integer(9).value_or(0)),
       text_at(row, 10), text_at(row, 11), text_at(row, 12)}};
}

}  // namespace

Result<std::vector<CatalogueRow>> query_catalogue(const Catalogue& catalogue,
                                                  const CatalogueFilter& filter) {
  const auto paths = wished_paths(catalogue, filter.paths);
  if (!paths) return fail(paths.error());
  auto statement = catalogue.database().prepare(fmt::format(
      "{}{} ORDER BY f.recorded, f.id", kRows, filter.history ? std::string_view() : kLatest));
  if (!statement) return fail(statement.error());
  std::vector<CatalogueRow> rows;
  for (const auto& path : *paths) {
    statement->bind(1, std::string_view(path));
    statement->bind(2, std::string_view(filter.sensor));
    statement->bind(3, std::string_view(filter.serial));
    statement->bind(4, std::string_view(filter.status));
    for (;;) {
      const auto row = statement->step();
      if (!row) return fail(row.error());
      if (!*row) break;
      rows.push_back(row_at(*statement));
    }
    statement->reset();
  }
  return rows;
}

}  // namespace tactelier
