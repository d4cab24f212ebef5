// diff, check, refresh

#include <cmath>

#include "app/cli/commands.hpp"
#include "app/workflow/exit_status.hpp"
#include "app/workflow/json_values.hpp"
#include "app/workflow/refresh_model.hpp"
#include "fitting/refresh/refreshed_model.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "reports/model_diff.hpp"

namespace tactelier::cli {
using nlohmann::json;
namespace {

/// What changed, tactel by tactel.
Section refresh_section(const refresh::GainChanges& changes) {
  Table table{{"tactel", "gain changed by", "± (95 %)"}, {}};
  for (const auto& one : changes.tactels)
    if (one.changed)
      table.rows.push_back({fmt::format("{}", one.tactel),
                            fmt::format("{:+.1f} %", 100 * std::expm1(one.log_ratio)),
                            fmt::format("{:.1f} %", 200 * one.u_ratio)});
  return {"Gains that changed", {std::move(table)}, {}};
}

}  // namespace

int run_diff(Console& console, const std::string& before, const std::string& after) {
  const auto a = read_model(before);
  if (!a) return console.fail(a.error());
  const auto b = read_model(after);
  if (!b) return console.fail(b.error());
  const auto diff = diff_models(*a, *b);
  if (diff.changes.empty())
    console.print("neither model has a value\n");
  else
    console.print(diff_sections(diff));
  auto changes = json::array();
  for (const auto& change : diff.changes)
    changes.push_back({{"path", change.path},
                       {"verdict", to_string(change.kind)},
                       {"before", or_null(change.before.value)},
                       {"after", or_null(change.after.value)},
                       {"unit", change.before.unit},
                       {"relative", or_null(change.relative)},
                       {"e_n", or_null(change.e_n)}});
  return console.finish({{"changes", changes}}, diff.warnings);
}

int run_check(Console& console, const std::string& model, const std::string& session,
              const CheckSettings& settings) {
  const auto check = check_calibration(model, session, settings, console.job());
  if (!check) return console.fail(check.error());
  console.print(fmt::format("{}\n{}\n", to_string(check->verdict), check->explanation));
  if (!check->tactels.empty())
    console.print(fmt::format("compared {} tactels; gains now over then, median {:.4f} ± {:.4f}\n",
                              check->tactels.size(), check->common_factor, check->u_common_factor));
  auto tactels = json::array();
  for (const auto& t : check->tactels)
    tactels.push_back({{"tactel", t.tactel},
                       {"gain_ratio", t.gain_ratio},
                       {"gain_e_n", t.gain_e_n},
                       {"own_e_n", t.own_e_n},
                       {"offset_change_counts", t.offset_change},
                       {"offset_e_n", t.offset_e_n}});
  const bool valid = check->verdict == CalibrationVerdict::kValid;
  return console.finish({{"verdict", to_string(check->verdict)},
                         {"explanation", check->explanation},
                         {"common_factor", check->common_factor},
                         {"u_common_factor", check->u_common_factor},
                         {"recalibrate", check->recalibrate},
                         {"rezero", check->rezero},
                         {"not_compared", check->not_compared},
                         {"tactels", tactels}},
                        check->warnings, valid ? kExitDone : kExitMissingResult);
}

int run_refresh(Console& console, const std::string& model, const std::string& session,
                const std::string& output, double tolerance) {
  const auto earlier = read_model(model);
  if (!earlier) return console.fail(earlier.error());
  refresh::ChangeSettings settings;
  settings.tolerance = tolerance;
  const auto result = refresh_model(*earlier, session, settings, console.job());
  if (!result) return console.fail(result.error());
  if (auto written = write_model(result->model, output); !written)
    return console.fail(written.error());
  const auto& changes = result->changes;
  console.print(refresh::words_of(changes) + "\n");
  if (!changes.changed().empty()) console.print(std::vector{refresh_section(changes)});
  console.note(fmt::format("model written to {}", output));
  auto tactels = json::array();
  for (const auto& one : changes.tactels)
    tactels.push_back({{"tactel", one.tactel},
                       {"ratio", std::exp(one.log_ratio)},
                       {"u_ratio", 2 * one.u_ratio},
                       {"u_by_presses", std::isfinite(one.u_by_presses) ? json(2 * one.u_by_presses)
                                                                        : json(nullptr)},
                       {"changed", one.changed},
                       {"seen", one.seen},
                       {"broken", one.broken.empty() ? json(nullptr) : json(one.broken)}});
  return console.finish({{"words", refresh::words_of(changes)},
                         {"common_factor", std::exp(changes.log_common)},
                         {"u_common_factor", 2 * changes.u_common},
                         {"all_changed", changes.all_changed},
                         {"changed", changes.changed()},
                         {"not_seen", changes.not_seen()},
                         {"broken", changes.broken()},
                         {"presses", changes.presses},
                         {"chi2_per_dof", changes.chi2_per_dof},
                         {"tactels", tactels}},
                        result->warnings);
}

}  // namespace tactelier::cli
