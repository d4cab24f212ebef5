#pragma once
// What an import would make of a table: the guess, carried out into a temporary file and read back.
// So a picture shows the presses that the import finds, not another opinion of them.

#include <optional>
#include <string>
#include <vector>

#include "app/workflow/import_session.hpp"

namespace tactelier {

struct PreviewRequest {
  GuessRequest guess;
  std::string map;  // somebody's own text of the map; "" takes the guessed one
};

/// Least and most of stretches of a stream, in order; SI.
struct PreviewLine {
  std::string name;  // column: "Fz", "7"
  std::vector<double> time_s, low, high;
};

/// What the import found in a stretch of time.
struct PreviewSpan {
  enum class What { kPress, kHold, kRest, kSlide, kOther };
  What what = What::kOther;
  std::string words;  // "press 3", "hold", "rest"
  double begin_s = 0, end_s = 0;
};

struct ImportPreview {
  GuessedMap guessed;
  std::optional<Error> refused;  // the map can't be imported; what follows is empty then
  ImportReport report;
  PreviewLine force;                  // along the pressing axis, compression positive
  std::vector<PreviewLine> readings;  // of the tactels that move most, at most kReadings
  std::vector<PreviewSpan> spans;
  int tactels = 0;
  bool at_rest = false;  // rows are readings at rest: times count them, from 0

  static constexpr std::size_t kReadings = 3;
};

/// Writes nothing that stays. Fails as guess_import() does.
Result<ImportPreview> preview_import(const PreviewRequest& request, const Job& job);

}  // namespace tactelier
