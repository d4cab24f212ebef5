#include "app/workflow/newton_lines.hpp"

#include <iterator>

namespace tactelier {
namespace {

void append_flags(const NewtonFrame& frame, std::string& into) {
  for (const auto& tactel : frame.tactels) into.push_back(letter_of(tactel.flag));
}

}  // namespace

char letter_of(ReadingFlag flag) { return to_string(flag).front(); }

std::string newton_header(std::size_t tactels, bool total) {
  std::string header = "t[s],frame";
  for (std::size_t i = 0; i < tactels; ++i) header += fmt::format(",{}[N]", i);
  return header + (total ? ",flags,total[N]\n" : ",flags\n");
}

void append_text(const NewtonFrame& frame, bool total, std::string& into) {
  const auto out = std::back_inserter(into);
  fmt::format_to(out, "{:.6f},{}", frame.time_s, frame.number);
  for (const auto& tactel : frame.tactels) {
    into.push_back(',');
    if (tactel.force_N) fmt::format_to(out, "{:.6g}", *tactel.force_N);
  }
  into.push_back(',');
  append_flags(frame, into);
  if (total) into.push_back(',');
  if (frame.total_N) fmt::format_to(out, "{:.6g}", *frame.total_N);
  into.push_back('\n');
}

void append_json(const NewtonFrame& frame, bool total, std::string& into) {
  const auto out = std::back_inserter(into);
  fmt::format_to(out, R"({{"t_s":{:.6f},"frame":{},"force_N":[)", frame.time_s, frame.number);
  const char* between = "";
  for (const auto& tactel : frame.tactels) {
    into += between;
    between = ",";
    if (tactel.force_N)
      fmt::format_to(out, "{:.6g}", *tactel.force_N);
    else
      into += "null";
  }
  into += R"(],"flags":")";
  append_flags(frame, into);
  into.push_back('"');
  if (total) into += R"(,"total_N":)";
  if (total && frame.total_N) fmt::format_to(out, "{:.6g}", *frame.total_N);
  if (total && !frame.total_N) into += "null";
  into += "}\n";
}

std::size_t longest_line(std::size_t tactels) {
  constexpr std::size_t kNumber = 14;  // "-1.23457e-005," at the most
  constexpr std::size_t kRest = 120;
  return tactels * (kNumber + 1) + kRest;
}

}  // namespace tactelier
