// rig setup

#include <unistd.h>

#include <charconv>
#include <iostream>

#include "app/cli/ask_person.hpp"
#include "app/cli/line_input.hpp"
#include "app/cli/rig_first.hpp"
#include "app/cli/set_up_text.hpp"
#include "app/workflow/rig_control.hpp"
#include "libcalib/units.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

std::string text_of(const SetUpFound& found) {
  if (found.plate) return plate_text(*found.plate);
  if (found.ground) return ground_text(*found.ground);
  if (found.step == SetUpStep::kSurface) return surface_text(found.result);
  if (found.step == SetUpStep::kRegister) return registration_text(found.result);
  return found.words + "\n";
}

/// Lines after the first begin below where the first does.
std::string indented(const std::string& text, std::size_t by) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) out += std::string(by, ' ');
  }
  return out;
}

json json_of(const SetUpFound& found) {
  json entry{{"step", to_string(found.step)}, {"left_out", found.left_out}};
  if (found.plate) entry["found"] = plate_json(*found.plate);
  if (found.ground) entry["found"] = ground_json(*found.ground);
  if (!found.result.is_null()) entry["found"] = found.result;
  if (!found.words.empty()) entry["words"] = found.words;
  return entry;
}

/// "x 10 z -2": how far, in mm.
Result<Vector3> jog_of(std::string_view line) {
  Vector3 by_m{};
  const auto skip = [&] {
    while (!line.empty() && (line.front() == ' ' || line.front() == ',')) line.remove_prefix(1);
  };
  for (skip(); !line.empty(); skip()) {
    const auto axis = std::string_view("xyz").find(line.front());
    if (axis == std::string_view::npos)
      return fail(ErrorCode::kUsage, "'{}': x, y or z and how far, e.g. x 10 z -2", line);
    line.remove_prefix(1);
    skip();
    if (!line.empty() && line.front() == '+') line.remove_prefix(1);
    double by_mm = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), by_mm);
    if (error != std::errc{})
      return fail(ErrorCode::kUsage, "'{}': how far, in mm, e.g. x 10 z -2", line);
    by_m[axis] += mm_to_m(by_mm);
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  }
  return by_m;
}

/// Jogs as somebody at the terminal says, until Enter.
Result<std::optional<Vector3>> show_place(rig::RigClient& client, const std::string& text,
                                          const Job& job) {
  constexpr double kSpeed_m_per_s = 2e-3;
  LineInput input(STDIN_FILENO, job.stop);
  while (true) {
    const auto status = client.status();
    if (!status) return fail(status.error());
    const auto& at_m = status->position_m;
    std::cerr
        << fmt::format(
               "At {:.3f}, {:.3f}, {:.3f} mm. Jog to about 1 mm over {}: 'x 10', 'z -2' (mm), "
               "guarded; Enter when it is there, 's' where there is none: ",
               m_to_mm(at_m[0]), m_to_mm(at_m[1]), m_to_mm(at_m[2]), text)
        << std::flush;
    const auto line = input.next();
    if (!line) return fail(line.error());
    if (!*line) return fail(ErrorCode::kCancelled, "no answer");
    if ((*line)->empty()) return std::optional(at_m);
    if (**line == "s") return std::optional<Vector3>();
    const auto by_m = jog_of(**line);
    if (!by_m) {
      std::cerr << "  " << by_m.error().message << '\n';
      continue;
    }
    Warnings ignored;
    if (auto moved = jog_rig(client, {*by_m, kSpeed_m_per_s}, ignored, job); !moved)
      std::cerr << "  " << moved.error().message << '\n';
  }
}

}  // namespace

int run_rig_setup(Console& console, RigSetUpRequest request, bool yes) {
  if (auto there = check_place(request.place); !there) return console.fail(there.error());
  if (!yes && !may_move()) return console.fail(unconfirmed());
  const auto job = console.job();
  auto list = json::array();
  SetUpHelp help;
  help.ask = ask_person;
  if (::isatty(STDIN_FILENO) == 1)
    help.show_place = [&job](rig::RigClient& client, const std::string& text) {
      return show_place(client, text, job);
    };
  help.begins = [&](SetUpStep step, std::string_view what) {
    console.note(fmt::format("{}: {}", to_string(step), what));
  };
  help.found = [&](const SetUpFound& found) {
    console.print(fmt::format("{:<10}{}", to_string(found.step), indented(text_of(found), 10)));
    list.push_back(json_of(found));
  };
  Warnings warnings;
  if (auto done = set_up_rig(request, help, warnings, job); !done)
    return console.fail(done.error());
  console.note(
      fmt::format("ready: tactelier record --devices {} --rig {} --protocol quick -o "
                  "first.tact",
                  request.place.devices.string(), request.place.rig.string()));
  return console.finish({{"set_up", std::move(list)}}, warnings);
}

}  // namespace tactelier::cli
