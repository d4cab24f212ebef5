#pragma once
// Keys while a recording runs in a terminal:
//
//   p  pause, or go on      s  skip the press at hand    r  do it again
//   u  take the last back   n  a note into the file      Esc  STOP
//
// The terminal hands over single keys without showing them, until its owner is gone or wants lines.

#include <termios.h>

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier::cli {

class RunKeys {
 public:
  /// A request to the rig process (rig_messages.hpp), and its answer.
  using Ask = std::function<Result<nlohmann::json>(const nlohmann::json& request)>;
  using Say = std::function<void(std::string_view words)>;

  /// Without a terminal at `descriptor` there are no keys. `stop` ends the typing of a note.
  RunKeys(int descriptor, std::stop_token stop, Say say);
  ~RunKeys() { line_by_line(true); }
  RunKeys(const RunKeys&) = delete;
  RunKeys& operator=(const RunKeys&) = delete;

  bool there() const { return usual_.has_value(); }
  /// "p pause, s skip ..."
  static std::string_view help();
  /// Carries out what was typed since the last look; waits for nothing but the rig's answer, and
  /// for the end of a note.
  void look(const Ask& ask);
  /// While somebody is asked: the terminal as it was.
  void line_by_line(bool on);

 private:
  void press(char key, const Ask& ask);
  void tell(const Ask& ask, const nlohmann::json& request, std::string_view done);
  void pause(const Ask& ask);
  void note(const Ask& ask);
  std::string typed_line() const;

  int descriptor_;
  std::stop_token stop_;
  Say say_;
  std::optional<termios> usual_;
};

}  // namespace tactelier::cli
