#include "libcalib/protocol/plan_event.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"

namespace tactelier {

double tidy(double value) {
  const auto text = fmt::format("{:.9g}", value);
  double tidied = 0;
  std::from_chars(text.data(), text.data() + text.size(), tidied);
  return std::abs(tidied) < 1e-12 ? 0 : tidied;
}

double tidy_mm(double length_m) { return tidy(length_m * 1e3); }

std::string number_data(const char* key, int number) {
  return canonical(nlohmann::json{{key, number}});
}

std::string data_with_answer(const PlannedEvent& event, double answer) {
  if (event.answer_key.empty()) return event.data;
  auto data = nlohmann::json::parse(event.data);
  data[event.answer_key] = answer;
  return canonical(data);
}

}  // namespace tactelier
