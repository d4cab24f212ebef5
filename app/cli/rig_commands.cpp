// record, surface, register, plate, rig serve

#include <unistd.h>

#include <algorithm>
#include <array>

#include "app/cli/ask_person.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_keys.hpp"
#include "app/cli/set_up_text.hpp"
#include "app/workflow/exit_status.hpp"
#include "app/workflow/rig_follow.hpp"
#include "app/workflow/rig_overview.hpp"
#include "app/workflow/session_info.hpp"
#include "libcalib/protocol/plan_table.hpp"
#include "reports/section.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

/// Columns as wide as what stands in them; the last ends its line.
std::string limits_text(const RecordPreview& preview) {
  std::vector<std::vector<std::string>> rows{{"limit", "value", "action", "expected overshoot"}};
  rows.insert(rows.end(), preview.limits.begin(), preview.limits.end());
  std::array<std::size_t, 3> widths{};
  for (const auto& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      text += fmt::format("{:<{}}  ", row[i], widths[i]);
    text += row.back() + "\n";
  }
  return text + fmt::format("hardware emergency stop: {}\n", emergency_stop_words(preview.rig));
}

json limits_json(const RecordPreview& preview) {
  auto list = json::array();
  for (const auto& row : preview.limits)
    list.push_back(
        {{"limit", row[0]}, {"value", row[1]}, {"action", row[2]}, {"overshoot", row[3]}});
  return list;
}

}  // namespace

int run_record_preview(Console& console, const RecordRequest& request, bool plan_too) {
  const auto preview = preview_recording(request);
  if (!preview) return console.fail(preview.error());
  json result{{"limits", limits_json(*preview)},
              {"duration_s", preview->plan.duration_s},
              {"presses", preview->plan.presses},
              {"peak_force_N", preview->plan.peak_force_N},
              {"worst_force_N", preview->plan.worst_force_N},
              {"planned", nullptr}};
  if (plan_too) {
    const auto planned = plan_recording(request, *preview, true, console.job());
    if (!planned) return console.fail(planned.error());
    print_planned(console, *planned);
    console.print("\n");
    result["planned"] = planned_json(*planned);
  }
  console.print(limits_text(*preview));
  return console.finish({{"preview", result}}, preview->plan.warnings);
}

namespace {

std::string intention(const RecordPreview& preview) {
  const auto& plan = preview.plan;
  const auto& adaptive = preview.adaptive;
  const auto lasts = duration_text(preview.lasts_s), set_up = duration_text(preview.set_up_s);
  if (adaptive && !preview.from)
    return fmt::format(
        "presses {}, up to {:.3g} N; homes, finds the surface and the registration first where "
        "they aren't known (about {})",
        wish_words(*adaptive), plan.peak_force_N, set_up);
  if (preview.from)
    return fmt::format(
        "{}: goes on after {} of {} pieces, about {}, up to {:.3g} N; homes, finds surface "
        "and registration again first (about {}){}",
        plan.name, preview.from->pieces_done, preview.from->pieces, lasts, plan.peak_force_N,
        set_up, adaptive ? "; further presses " + wish_words(*adaptive) : "");
  return fmt::format(
      "{}: {} presses, about {}, up to {:.3g} N; homes, finds the surface and the "
      "registration first where they aren't known (about {})",
      plan.name, plan.presses, lasts, plan.peak_force_N, set_up);
}

}  // namespace

int run_record(Console& console, const RecordRequest& request, bool yes) {
  const auto preview = preview_recording(request);
  if (!preview) return console.fail(preview.error());
  std::error_code ignored;
  if (!request.resume && std::filesystem::exists(request.target, ignored))
    return console.fail(
        {ErrorCode::kIo, request.target.string() +
                             ": there is a file of this name; choose another, remove it, or go on "
                             "with it (--resume)"});
  console.note(intention(*preview));
  if (!yes && !may_move()) return console.fail(unconfirmed());
  RunKeys keys(STDIN_FILENO, console.job().stop,
               [&console](std::string_view words) { console.note(words); });
  if (keys.there()) console.note(RunKeys::help());
  const auto ask = [&](const std::string& text, const std::string& key) {
    keys.line_by_line(true);
    auto answer = ask_person(text, key);
    keys.line_by_line(false);
    return answer;
  };
  const auto job = console.job();
  Attendant attendant;
  attendant.meanwhile = [&keys](rig::RigClient& client) {
    keys.look([&client](const json& what) { return client.ask(what); });
  };
  attendant.on_progress = [&](const rig::messages::Progress& at) {
    if (at.left_s)
      console.show_run(progress_words(at), at.done, at.total, *at.left_s);
    else
      job.progress(progress_words(at), at.done, at.total);
  };
  AdaptiveNews last;
  attendant.on_choice = [&](const AdaptiveNews& news) {
    last = news;
    if (!news.state.targets.empty() && !news.state.done) console.note(choice_words(news));
  };
  const auto report = record_session(request, ask, job, attendant);
  keys.line_by_line(true);
  if (!report) {
    const int status = console.fail(report.error());
    if (status != kExitDevice) return status;
    const bool begun = std::filesystem::exists(request.target, ignored);
    if (!begun && !running_rig(request.place.devices)) return status;  // it never connected
    console.note(fmt::format(
        "{} 'tactelier rig status' says what locked the rig, 'tactelier rig acknowledge' unlocks "
        "it, {}",
        begun ? request.target.string() + " is whole as far as it goes."
              : "nothing was recorded yet.",
        begun ? fmt::format("'record --resume -o {}' goes on", request.target.string())
              : "then record again"));
    return status;
  }
  if (last.state.done) console.print(outcome_text(last.state));
  console.print(
      fmt::format("{}: {} presses in {:.0f} s{}{}, peak {:.3g} N{}\n", report->file.string(),
                  report->presses, report->duration_s,
                  report->repeated > 0 ? fmt::format(", {} done again", report->repeated) : "",
                  report->aborted > 0 ? fmt::format(", {} aborted", report->aborted) : "",
                  report->peak_force_N, report->complete ? "" : "; ended before the plan did"));
  console.print(findings_text(report->file));
  return console.finish({{"session", report->file.string()},
                         {"presses", report->presses},
                         {"aborted", report->aborted},
                         {"repeated", report->repeated},
                         {"complete", report->complete},
                         {"peak_force_N", report->peak_force_N},
                         {"duration_s", report->duration_s}},
                        report->warnings);
}

int run_rig_set_up(Console& console, const RigPlace& place, rig::messages::TaskKind kind,
                   bool yes) {
  if (auto there = check_place(place); !there) return console.fail(there.error());
  if (!yes && !may_move()) return console.fail(unconfirmed());
  Warnings warnings;
  const auto found = run_set_up(place, kind, ask_person, warnings, console.job());
  if (!found) return console.fail(found.error());
  console.print(kind == rig::messages::TaskKind::kSurface ? surface_text(*found)
                                                          : registration_text(*found));
  console.note(fmt::format("written to {}", place.rig.string()));
  return console.finish({{std::string(to_string(kind)), *found}}, warnings);
}

int run_plate(Console& console, const PlateRequest& request, bool yes) {
  if (auto there = check_place(request.place); !there) return console.fail(there.error());
  if (!yes && !may_move()) return console.fail(unconfirmed());
  const auto found = measure_plate(request, ask_person, console.job());
  if (!found) return console.fail(found.error());
  console.print(plate_text(*found));
  if (!request.spring_N_per_m)
    console.note(fmt::format("written to {}", request.place.rig.string()));
  return console.finish({{"plate", plate_json(*found)}}, found->warnings);
}

int run_rig_serve(Console& console, const RigPlace& place, double idle_exit_s) {
  const auto served =
      serve_rig(place, idle_exit_s, console.job().stop, [&](const std::filesystem::path& socket) {
        console.print_now("ready\n");
        console.announce({{"socket", socket.string()}}, {});
      });
  if (!served) return console.fail(served.error());
  return kExitDone;
}

}  // namespace tactelier::cli
