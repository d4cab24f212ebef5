#pragma once
// Questions that an option may have answered before: who sits at a terminal is asked for the rest,
// with what is usual; without a terminal what is usual is taken, and what nobody can guess is
// named, all at once.

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::cli {

struct InterviewQuestion {
  std::string option;  // "--max-force"
  std::string text;    // "Most force on the pad, in N"
  /// What Enter stands for; nothing: somebody must answer. "" leaves it out.
  std::optional<std::string> usual;
};

class Interview {
 public:
  /// `given`: words of options, by their names. `terminal`: somebody may be asked there.
  Interview(std::map<std::string, std::string> given, bool terminal, std::stop_token stop)
      : given_(std::move(given)), terminal_(terminal), stop_(std::move(stop)) {}

  /// Takes what `take` accepts; asks again at a terminal where it doesn't. False where nobody said
  /// anything and what is usual was taken.
  bool ask(const InterviewQuestion& question,
           const std::function<Result<void>(const std::string&)>& take);

  /// Fails with kUsage, naming every question without an answer and every answer that was refused;
  /// with kCancelled where somebody left.
  Result<void> verdict() const;

 private:
  bool ask_person(const InterviewQuestion& question,
                  const std::function<Result<void>(const std::string&)>& take);

  std::map<std::string, std::string> given_;
  bool terminal_, left_ = false;
  std::stop_token stop_;
  std::vector<std::string> troubles_;
};

/// "1.5".
Result<double> number_of(const std::string& words, double least, double most);
Result<bool> yes_or_no(const std::string& words);
/// "60, 0, -0.5" in mm.
Result<Vector3> place_of(const std::string& words);

}  // namespace tactelier::cli
