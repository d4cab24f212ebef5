#include "libcalib/protocol/plan_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tactelier {
namespace {

std::string newtons(double force_N) {
  return force_N > 0 ? fmt::format("{:.3g} N", force_N) : std::string();
}

std::string count_text(int presses, int slides, int images) {
  std::vector<std::string> words;
  if (presses > 0) words.push_back(fmt::format("{}", presses));
  if (slides > 0) words.push_back(fmt::format("{} slides", slides));
  if (images > 0) words.push_back(fmt::format("{} images", images));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Display columns of UTF-8 text.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

void append_line(std::string& text, const std::vector<std::string>& cells,
                 const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += cells[i];
    if (i + 1 < cells.size()) line.append(widths[i] - width_of(cells[i]) + 2, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + '\n';
}

}  // namespace

std::string duration_text(double duration_s) {
  if (duration_s < 59.95) return fmt::format("{:.1f} s", duration_s);
  const auto whole_s = std::llround(duration_s);
  if (whole_s < 3600) return fmt::format("{} min {:02} s", whole_s / 60, whole_s % 60);
  const auto minutes = std::llround(duration_s / 60);
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

PlanTable plan_table(const Plan& plan) {
  PlanTable table{
      {"step", "do", "P", "presses", "time", "peak", "at most", "torque", "constant speed", "what"},
      {}};
  for (const auto& step : plan.steps)
    table.rows.push_back(
        {step.label, step.name, step.protocol, count_text(step.presses, step.slides, step.images),
         duration_text(step.duration_s), newtons(step.peak_force_N), newtons(step.worst_force_N),
         step.peak_torque_Nm > 0 ? fmt::format("{:.2g} N m", step.peak_torque_Nm) : "",
         step.constant_speed_share ? fmt::format("{:.0f} %", *step.constant_speed_share * 100) : "",
         step.what});
  table.rows.push_back(
      {"", "all", "", count_text(plan.presses, plan.slides, plan.images),
       duration_text(plan.duration_s), newtons(plan.peak_force_N), newtons(plan.worst_force_N), "",
       "", fmt::format("path {:.3g} m, {} by hand", plan.path_m, duration_text(plan.by_hand_s))});
  return table;
}

std::string plan_text(const Plan& plan) {
  const auto table = plan_table(plan);
  std::vector<std::size_t> widths(table.header.size());
  const auto widen = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      widths[i] = std::max(widths[i], width_of(cells[i]));
  };
  widen(table.header);
  for (const auto& row : table.rows) widen(row);
  std::string text = fmt::format("{}\n", plan.name);
  append_line(text, table.header, widths);
  for (const auto& row : table.rows) append_line(text, row, widths);
  for (const auto& warning : plan.warnings)
    text += fmt::format("warning: {}{}{}\n", warning.where, warning.where.empty() ? "" : ": ",
                        warning.text);
  return text;
}

}  // namespace tactelier
