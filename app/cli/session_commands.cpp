// unpack, info, repack, edit

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/cli/bytes_text.hpp"
#include "app/cli/commands.hpp"
#include "app/workflow/edit_session.hpp"
#include "app/workflow/exit_status.hpp"
#include "app/workflow/open_data/unpack_table.hpp"
#include "app/workflow/press_ranges.hpp"
#include "app/workflow/session_info.hpp"
#include "app/workflow/session_info_json.hpp"
#include "libcalib/session/compaction.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

std::string stream_line(const StreamReport& stream) {
  const auto rate =
      stream.rate_hz ? fmt::format("{:.4g} Hz", *stream.rate_hz) : std::string("one reading");
  const auto gaps = stream.gaps == 0 ? std::string("no gaps")
                                     : fmt::format("{} gaps, longest {:.3g} s", stream.gaps,
                                                   stream.longest_gap_s);
  return fmt::format("  {:<8} {:>10} rows  {:>3} columns  {:<12} {}, {} clock\n", stream.name,
                     stream.rows, stream.columns, rate, gaps, stream.clock);
}

/// "press 7", "presses 1, 2, 3 and 12 more"
std::string press_words(const std::vector<int>& numbers) {
  constexpr std::size_t kNamed = 8;
  const auto named = std::min(numbers.size(), kNamed);
  const std::vector<int> first(numbers.begin(),
                               numbers.begin() + static_cast<std::ptrdiff_t>(named));
  return fmt::format(
      "{} {}{}", numbers.size() == 1 ? "press" : "presses", fmt::join(first, ", "),
      numbers.size() > named ? fmt::format(" and {} more", numbers.size() - named) : "");
}

std::string report_text(const SessionReport& report) {
  const auto layout = report.rows > 0 ? fmt::format("{} x {}", report.rows, report.columns)
                                      : fmt::format("{} tactels", report.tactels);
  std::string text = fmt::format("{}\n  sensor   {}, {}\n", report.name, report.sensor, layout);
  if (!report.indenter.empty()) text += fmt::format("  indenter {}\n", report.indenter);
  if (!report.created.empty()) text += fmt::format("  created  {}\n", report.created);
  text += fmt::format("  length   {:.3f} s\n", report.duration_s);
  for (const auto& stream : report.streams) text += stream_line(stream);
  for (const auto& one : report.findings)
    text += fmt::format("  {:<8} {}\n", one.what == "conditioned" ? "rubber" : "rig", one.text);
  text += fmt::format("  presses  {}, {} usable\n", report.presses, report.presses_usable);
  for (const auto& [why, numbers] : report.refused)
    text += fmt::format("           {}: {}\n", press_words(numbers), why);
  if (!report.events.empty()) {
    text += "  events  ";
    for (const auto& [name, count] : report.events) text += fmt::format(" {} x{}", name, count);
    text += "\n";
  }
  for (const auto& edit : report.edits) text += fmt::format("  edit     {}\n", edit);
  text += fmt::format("  content  {}\n", report.content_hash);
  for (const auto& damage : report.damage)
    text += fmt::format("  DAMAGED  {}\n", damage.describe());
  text += report.whole()
              ? "  whole    every checksum holds\n"
              : fmt::format("  {} of {} presses are whole; fits leave the damaged intervals out.\n",
                            report.presses_whole, report.presses);
  return text;
}

/// "7=12.5", "7=found"
Result<Edit> parse_contact(const std::string& text) {
  Edit edit;
  edit.kind = Edit::Kind::kContact;
  const auto* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, edit.press);
  if (error == std::errc{} && after != end && *after == '=') {
    if (std::string_view(after + 1, end) == "found") {
      edit.contact_s = std::nan("");
      return edit;
    }
    const auto [stop, failed] = std::from_chars(after + 1, end, edit.contact_s);
    if (failed == std::errc{} && stop == end && std::isfinite(edit.contact_s)) return edit;
  }
  return tactelier::fail(ErrorCode::kUsage,
                         "--contact {}: expected PRESS=SECONDS, such as 7=12.5, or PRESS=found",
                         text);
}

Edit press_edit(Edit::Kind kind, int press) {
  Edit edit;
  edit.kind = kind;
  edit.press = press;
  return edit;
}

/// One edit for each press that `text` names.
Result<void> add_edits(Edit::Kind kind, std::string_view option, const std::string& text,
                       std::vector<Edit>& edits) {
  const auto ranges = parse_press_ranges(text);
  if (!ranges)
    return fail(ErrorCode::kUsage, "{} {}: expected presses, such as 7, 2-41 or 1-3,7", option,
                text);
  for (const auto& range : *ranges)
    for (int press = range.first; press <= range.last; ++press)
      edits.push_back(press_edit(kind, press));
  return {};
}

}  // namespace

int run_unpack(Console& console, const std::string& session, const std::string& folder) {
  auto warnings = unpack_session(session, folder, console.job());
  if (!warnings) return console.fail(warnings.error());
  console.print(fmt::format("{}\n", folder));
  return console.finish({{"folder", folder}}, *warnings);
}

int run_unpack_table(Console& console, const std::string& session, const std::string& file) {
  const auto table = unpack_table(session, file, console.job());
  if (!table) return console.fail(table.error());
  auto streams = json::array();
  for (const auto& stream : table->streams) {
    console.print(fmt::format("{}: {}, {} rows, {} columns\n", file, stream.name, stream.rows,
                              stream.columns));
    streams.push_back({{"name", stream.name}, {"rows", stream.rows}, {"columns", stream.columns}});
  }
  return console.finish({{"file", file}, {"streams", streams}}, table->warnings);
}

int run_repack(Console& console, const std::vector<std::string>& files) {
  auto results = json::array();
  for (const auto& file : files) {
    const auto done = compact(file, console.job());
    if (!done) return console.fail(done.error());
    const auto size = [](std::uint64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
    console.print(done->changed
                      ? fmt::format("{}: {}, {} before\n", file, size(done->bytes_after),
                                    size(done->bytes_before))
                      : fmt::format("{}: {}, nothing to gain\n", file, size(done->bytes_after)));
    results.push_back({{"file", file},
                       {"changed", done->changed},
                       {"bytes_before", done->bytes_before},
                       {"bytes_after", done->bytes_after},
                       {"chunks_before", done->chunks_before},
                       {"chunks_after", done->chunks_after}});
  }
  return console.finish({{"files", results}}, {});
}

int run_info(Console& console, const std::vector<std::string>& sessions) {
  auto results = json::array();
  Warnings warnings;
  bool whole = true;
  for (const auto& path : sessions) {
    auto report = session_info(path, console.job());
    if (!report) return console.fail(report.error());
    console.print(report_text(*report));
    results.push_back(info_json(*report));
    warnings.insert(warnings.end(), report->warnings.begin(), report->warnings.end());
    whole = whole && report->whole();
  }
  return console.finish({{"sessions", results}}, warnings, whole ? kExitDone : kExitBadInput);
}

int run_edit(Console& console, const EditArguments& arguments) {
  std::vector<Edit> edits;
  for (const auto& text : arguments.exclude)
    if (auto added = add_edits(Edit::Kind::kExclude, "--exclude", text, edits); !added)
      return console.fail(added.error());
  for (const auto& text : arguments.include)
    if (auto added = add_edits(Edit::Kind::kInclude, "--include", text, edits); !added)
      return console.fail(added.error());
  for (const auto& text : arguments.contact) {
    auto edit = parse_contact(text);
    if (!edit) return console.fail(edit.error());
    edits.push_back(std::move(*edit));
  }
  for (const auto& text : arguments.notes) {
    auto edit = press_edit(Edit::Kind::kNote, 0);
    edit.note = text;
    edits.push_back(std::move(edit));
  }
  if (edits.empty())
    return console.fail(
        {ErrorCode::kUsage, "nothing to do; give --exclude, --include, --contact or --note"});
  const auto all = edit_session(arguments.session, std::move(edits));
  if (!all) return console.fail(all.error());
  auto list = json::array();
  for (const auto& edit : *all) {
    console.print(fmt::format("{}  {}\n", edit.time, edit.describe()));
    list.push_back({{"time", edit.time}, {"author", edit.author}, {"edit", edit.describe()}});
  }
  return console.finish({{"session", arguments.session}, {"edits", list}}, {});
}

}  // namespace tactelier::cli
