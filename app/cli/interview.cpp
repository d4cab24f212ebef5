#include "app/cli/interview.hpp"

#include <unistd.h>

#include <charconv>
#include <iostream>

#include "app/cli/line_input.hpp"
#include "libcalib/units.hpp"

namespace tactelier::cli {
namespace {

std::string trimmed(std::string words) {
  constexpr std::string_view kBlank = " \t\r";
  words.erase(0, std::min(words.find_first_not_of(kBlank), words.size()));
  words.erase(words.find_last_not_of(kBlank) + 1);
  return words;
}

}  // namespace

bool Interview::ask(const InterviewQuestion& question,
                    const std::function<Result<void>(const std::string&)>& take) {
  const auto try_words = [&](const std::string& words) {
    if (auto taken = take(words); !taken)
      troubles_.push_back(fmt::format("{}: {}", question.option, taken.error().message));
  };
  if (const auto found = given_.find(question.option); found != given_.end()) {
    try_words(trimmed(found->second));
    return true;
  }
  if (terminal_) return ask_person(question, take);
  if (question.usual)
    try_words(*question.usual);
  else
    troubles_.push_back(fmt::format("{} is missing: {}", question.option, question.text));
  return false;
}

bool Interview::ask_person(const InterviewQuestion& question,
                           const std::function<Result<void>(const std::string&)>& take) {
  LineInput input(STDIN_FILENO, stop_);
  while (!left_) {
    std::cerr << question.text;
    if (question.usual)
      std::cerr << (question.usual->empty() ? " [Enter: leave out]" : " [" + *question.usual + "]");
    std::cerr << ": " << std::flush;
    const auto line = input.next();
    left_ = !line || !*line;
    if (left_) return false;
    const auto words = trimmed(**line);
    const bool usual = words.empty() && question.usual;
    const auto taken = words.empty() && !usual
                           ? Result<void>(fail(ErrorCode::kUsage, "this nobody can guess"))
                           : take(usual ? *question.usual : words);
    if (taken) return !usual;
    std::cerr << "  " << taken.error().message << '\n';
  }
  return false;
}

Result<void> Interview::verdict() const {
  if (left_) return fail(ErrorCode::kCancelled, "no answer");
  if (troubles_.empty()) return {};
  return fail(ErrorCode::kUsage, "{}", fmt::join(troubles_, "\n"));
}

Result<double> number_of(const std::string& words, double least, double most) {
  double value = 0;
  const auto* end = words.data() + words.size();
  const auto [stop, error] = std::from_chars(words.data(), end, value);
  if (error != std::errc{} || stop != end)
    return fail(ErrorCode::kUsage, "'{}': a number expected", words);
  if (!(value >= least && value <= most))
    return fail(ErrorCode::kUsage, "{:g} is outside {:g} to {:g}", value, least, most);
  return value;
}

Result<bool> yes_or_no(const std::string& words) {
  if (words == "y" || words == "yes") return true;
  if (words == "n" || words == "no") return false;
  return fail(ErrorCode::kUsage, "'{}': yes or no expected", words);
}

Result<Vector3> place_of(const std::string& words) {
  constexpr double kMost_mm = 1e4;
  Vector3 place_m{};
  std::size_t begin = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto comma = words.find(',', begin);
    const bool last = axis == 2;
    if (last != (comma == words.npos))
      return fail(ErrorCode::kUsage, "'{}': x, y, z in mm expected, e.g. 60, 0, -0.5", words);
    const auto value_mm =
        number_of(trimmed(words.substr(begin, comma - begin)), -kMost_mm, kMost_mm);
    if (!value_mm) return fail(value_mm.error());
    place_m[axis] = mm_to_m(*value_mm);
    begin = comma + 1;
  }
  return place_m;
}

}  // namespace tactelier::cli
