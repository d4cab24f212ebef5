#pragma once
// The chosen recordings with their presses as they are decided now, opened once more for reading in
// the background: frames and curves of other views don't wait for it.

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/gui/state/app_state.hpp"

namespace tactelier::gui {

struct FitSource {
  RecordingPtr recording;
  std::vector<Press> presses;
  std::optional<SessionClocks> clocks;  // of the last fit; found when it is opened if there is none
};

/// Of the recordings that the fit uses, in their order.
std::vector<FitSource> fitSources(AppState& state);
/// The current recording alone.
std::vector<FitSource> currentSource(const AppState& state);

/// What a view was worked out from: where it is as it was, nothing is computed again.
struct FitBasis {
  std::shared_ptr<const SensorModel> model;
  std::vector<RecordingPtr> recordings;
  std::vector<std::pair<bool, std::optional<double>>> edits;  // of all presses

  bool operator==(const FitBasis&) const = default;
};
FitBasis fitBasis(const AppState& state, const std::vector<FitSource>& sources);

/// What stands where results will be: that nothing is fitted, or what a running fit is doing.
QString nothingFitted(const AppState& state);

class OpenedSources {
 public:
  /// On a worker: it may wait for the disk.
  static Result<OpenedSources> open(const std::vector<FitSource>& sources, const Job& job);
  /// Valid as long as this lives.
  const std::vector<FitSession>& sessions() const { return sessions_; }
  const std::vector<SessionClocks>& clocks() const { return clocks_; }

 private:
  std::vector<std::unique_ptr<Session>> files_;
  std::vector<FitSession> sessions_;
  std::vector<SessionClocks> clocks_;
};

}  // namespace tactelier::gui
