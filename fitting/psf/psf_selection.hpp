#pragma once
// Which presses speak for the point spread, and as what.

#include <map>
#include <string>
#include <vector>

#include "fitting/psf/psf_problem.hpp"
#include "fitting/psf/registrations.hpp"
#include "fitting/recording/fit_context.hpp"

namespace tactelier {

enum class PsfRole {
  kRows,       // its readings are fitted
  kPreloaded,  // pressed beside a weight: it measures ghosting (preloaded.hpp)
  kEarlier  // too fast or too long for a static share, but rubber remembers it (press_history.hpp)
};

struct PsfChosen {
  std::size_t row = 0;  // in FitContext::contacts
  PsfPress press;       // its place
  PsfRole role = PsfRole::kRows;
};

class PsfSelection {
 public:
  PsfSelection(FitContext& context, double pitch_m) : context_(context), registrations_(pitch_m) {}

  /// In the order of recording; sets the problem's footprints, frames and ties. Where no press is
  /// slow, fast ones speak with their rows.
  std::vector<PsfChosen> presses(PsfProblem& problem);

  /// Why the first press that does not speak doesn't; "" where all do.
  std::string first_objection() const { return first_; }

 private:
  bool speaks(std::size_t row) const;
  bool beside_weight(std::size_t row) const;
  std::vector<std::size_t> rows_as_recorded() const;
  void note(std::size_t row, const std::string& why);
  /// Why it has no place; "" where it has.
  std::string place(std::size_t row, PsfProblem& problem, PsfPress& result);

  FitContext& context_;
  std::map<std::string, std::uint32_t> footprints_;
  Registrations registrations_;
  std::string first_;
};

}  // namespace tactelier
