// import, with and without a guessed map

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <iterator>

#include "app/cli/bytes_text.hpp"
#include "app/cli/commands.hpp"
#include "app/workflow/exit_status.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

std::string imported_text(const ImportRequest& request, const ImportReport& report) {
  return fmt::format("{}: {} rows from {}, {} presses\n", request.target.string(), report.rows,
                     bytes_text(static_cast<double>(report.bytes)), report.presses);
}

json imported_json(const ImportRequest& request, const ImportReport& report) {
  return {{"session", request.target.string()},
          {"rows", report.rows},
          {"bytes", report.bytes},
          {"presses", report.presses}};
}

std::string guess_text(const GuessedMap& guessed) {
  std::size_t width = 6;
  for (const auto& column : guessed.columns) width = std::max(width, column.name.size());
  auto text = fmt::format("{:<{}}  {:<16} {:<6} because\n", "column", width, "is", "unit");
  for (const auto& column : guessed.columns)
    text += fmt::format("{:<{}}  {:<16} {:<6} {}\n", column.name, width, column.target,
                        column.unit.empty() ? "-" : column.unit, column.why);
  for (const auto& sentence : guessed.understood) text += fmt::format("understood  {}\n", sentence);
  for (const auto& question : guessed.questions)
    text +=
        fmt::format("not known   {} (--{}); {}\n", question.text, question.key, question.otherwise);
  return text;
}

json guess_json(const GuessedMap& guessed, const std::string& map) {
  auto columns = json::array();
  for (const auto& column : guessed.columns)
    columns.push_back({{"name", column.name},
                       {"target", column.target},
                       {"unit", column.unit},
                       {"because", column.why}});
  auto questions = json::array();
  for (const auto& question : guessed.questions)
    questions.push_back({{"option", "--" + question.key},
                         {"question", question.text},
                         {"otherwise", question.otherwise}});
  return {{"map", map},
          {"columns", columns},
          {"understood", guessed.understood},
          {"unknown", questions}};
}

/// Asks what the table can't say, on a terminal; an empty line leaves it open.
Result<void> ask(std::span<const GuessQuestion> questions, GuessAnswers& answers) {
  for (const auto& question : questions) {
    std::cerr << fmt::format("{}\n  [Enter: {}] ", question.text, question.otherwise) << std::flush;
    std::string line;
    if (!std::getline(std::cin, line)) return {};
    if (line.empty()) continue;
    if (const auto taken = take_answer(question.key, line, answers); !taken) return taken;
  }
  return {};
}

/// What somebody at a terminal answers is added to `request`.
Result<GuessedMap> guess_and_ask(Console& console, GuessRequest& request) {
  auto guessed = guess_import(request, console.job());
  if (!guessed || console.json() || ::isatty(STDIN_FILENO) != 1) return guessed;
  // What the columns are decides what else there is to ask.
  std::vector<GuessQuestion> first, then;
  std::partition_copy(guessed->questions.begin(), guessed->questions.end(),
                      std::back_inserter(first), std::back_inserter(then),
                      [](const GuessQuestion& question) { return question.key == "columns"; });
  if (!first.empty()) {
    if (const auto asked = ask(first, request.answers); !asked)
      return tactelier::fail(asked.error());
    guessed = guess_import(request, console.job());
    if (!guessed) return guessed;
    if (!request.answers.columns.empty()) then = guessed->questions;
  }
  if (const auto asked = ask(then, request.answers); !asked) return tactelier::fail(asked.error());
  return guess_import(request, console.job());
}

std::filesystem::path target_beside(const std::filesystem::path& map) {
  return std::filesystem::path(map).replace_extension("").replace_extension(".tact");
}

int run_guess(Console& console, ImportArguments arguments) {
  auto& request = arguments.request;
  GuessRequest asked{request.source, arguments.answers};
  const auto guessed = guess_and_ask(console, asked);
  if (!guessed) return console.fail(guessed.error());
  if (!request.map) request.map = map_beside(request.source);
  const auto written = write_map(*guessed, *request.map, request.options.overwrite);
  if (!written) return console.fail(written.error());
  console.print(guess_text(*guessed));
  auto result = guess_json(*guessed, request.map->string());
  if (request.target.empty()) request.target = target_beside(*request.map);
  if (!arguments.then_import) {
    console.print(fmt::format("{}\ntactelier import {} --map {} -o {}\n", request.map->string(),
                              request.source.string(), request.map->string(),
                              request.target.string()));
    return console.finish(result, {});
  }
  auto report = import_session(request, console.job());
  if (!report) return console.fail(report.error());
  console.print(imported_text(request, *report));
  result.update(imported_json(request, *report));
  return console.finish(result, report->warnings);
}

/// One table of a folder in which each is a recording: its map, unless all share one, and with
/// `import` its session.
Result<ImportReport> import_one(Console& console, const ImportArguments& arguments,
                                const GuessAnswers& answers, ImportRequest& request) {
  if (arguments.guess && !request.map) {
    const auto guessed = guess_import({request.source, answers}, console.job());
    if (!guessed) return tactelier::fail(guessed.error());
    request.map = map_beside(request.source);
    if (const auto done = write_map(*guessed, *request.map, request.options.overwrite); !done)
      return tactelier::fail(done.error());
  }
  if (arguments.guess && !arguments.then_import) return ImportReport{};
  return import_session(request, console.job());
}

/// Tables that can't be read are told and hold up none of the others.
int run_each(Console& console, const ImportArguments& arguments) {
  const auto tables = tables_in(arguments.request.source);
  if (!tables) return console.fail(tables.error());
  GuessRequest first{tables->front(), arguments.answers};
  if (arguments.guess && !arguments.request.map)  // one set of answers for all
    if (const auto guessed = guess_and_ask(console, first); guessed)
      console.print(guess_text(*guessed));
  std::error_code error;
  if (!arguments.request.target.empty())
    std::filesystem::create_directories(arguments.request.target, error);  // else its writing fails
  auto results = json::array();
  Warnings warnings;
  int status = kExitDone;
  for (const auto& table : *tables) {
    auto request = arguments.request;
    request.source = table;
    const auto folder = request.target.empty() ? table.parent_path() : request.target;
    request.target = folder / target_beside(map_beside(table)).filename();
    const auto report = import_one(console, arguments, first.answers, request);
    if (!report && report.error().code == ErrorCode::kCancelled)
      return console.fail(report.error());
    json result{{"table", table.string()}};
    if (!report) {
      const int failed = console.fail(report.error());
      status = status == kExitDone ? failed : status;
      result["error"] = report.error().message;
    } else if (arguments.guess && !arguments.then_import) {
      console.print(fmt::format("{}\n", request.map->string()));
      result["map"] = request.map->string();
    } else {
      console.print(imported_text(request, *report));
      result.update(imported_json(request, *report));
      warnings.insert(warnings.end(), report->warnings.begin(), report->warnings.end());
    }
    results.push_back(std::move(result));
  }
  return console.finish({{"tables", std::move(results)}}, warnings, status);
}

}  // namespace

int run_import(Console& console, ImportArguments arguments) {
  if (arguments.each) return run_each(console, arguments);
  if (arguments.guess) return run_guess(console, std::move(arguments));
  const auto& request = arguments.request;
  if (request.target.empty())
    return console.fail({ErrorCode::kUsage,
                         "-o NAME.tact is missing: where the session goes. A table that nobody has "
                         "described yet: --guess looks at it and needs none"});
  auto report = import_session(request, console.job());
  if (!report) return console.fail(report.error());
  console.print(imported_text(request, *report));
  return console.finish(imported_json(request, *report), report->warnings);
}

}  // namespace tactelier::cli
