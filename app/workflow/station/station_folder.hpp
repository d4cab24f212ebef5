#pragma once
// A station's folder: what it has recorded, fitted and judged, and so where it goes on after it was
// interrupted. Files move on by being renamed, so that the place of a recording says how far it is:
//
//   begun/ID.tact          being recorded, or cut off: goes on when its sensor is scanned again
//   recordings/ID.tact     whole
//   station.json           a plan of all of them, as of 'batch plan'; fits in station.results/ID/
//   labels/ID.json, .txt   the verdict
//   set-aside/ID.tact      cut off, and could not be gone on with
//
// ID is the serial number and the time of scanning: "S0012-20261123T144500Z".

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/workflow/batch/batch_plan.hpp"
#include "app/workflow/batch/result_folder.hpp"

namespace tactelier {

/// What a scanner typed, without the blanks and line ends around it. Fails with kInvalidInput
/// unless it is 1 to 64 letters, digits and "-_.", the first a letter or digit: a misread code is
/// seldom that, and a file can bear the name.
Result<std::string> serial_number(std::string_view typed);

/// A list of them: a text file, one a line. Fails with the line that is none.
Result<std::set<std::string>> read_serials(const std::filesystem::path& file);

class StationFolder {
 public:
  /// Makes what isn't there. Fails with kIo while another station has the folder.
  static Result<StationFolder> open(const std::filesystem::path& folder,
                                    const BatchOptions& options);

  /// `utc`: "2026-11-23T14:45:00Z".
  static std::string new_id(const std::string& serial, const std::string& utc);
  static std::string serial_of(const std::string& id);

  std::filesystem::path begun(const std::string& id) const;
  std::filesystem::path recording(const std::string& id) const;
  std::filesystem::path labels() const { return folder_ / "labels"; }
  std::filesystem::path label(const std::string& id) const { return labels() / (id + ".json"); }

  /// The latest recording of that sensor that was cut off.
  std::optional<std::string> cut_off(const std::string& serial) const;
  /// The latest label of that sensor.
  std::optional<std::string> labelled(const std::string& serial) const;
  /// All whole recordings, in order of scanning within a serial number.
  std::vector<std::string> recordings() const;

  Result<void> take_as_whole(const std::string& id) const;
  Result<void> set_aside(const std::string& id) const;

  const BatchPlan& plan() const { return plan_; }
  /// Its sensor in the plan, added and written where it isn't in it.
  Result<const PlannedSensor*> planned(const std::string& id);

 private:
  StationFolder(std::filesystem::path folder, FileLock lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}
  std::filesystem::path folder_;
  FileLock lock_;
  BatchPlan plan_;
};

}  // namespace tactelier
