#pragma once
// The catalogue: one SQLite file that remembers of every sensor what its fits found. Filled by
// 'batch run', read by the fleet's reports and by whoever speaks SQL. It holds nothing that the
// folders of results don't hold, so it can be thrown away and filled again.

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/session/database.hpp"

namespace tactelier {

/// One number of one fit. A parameter that tactels or presses have one each of is one row, its path
/// with empty brackets ("response.tactels[].press_gain"): the median over those that have a value.
struct CatalogueValue {
  std::string path;
  std::optional<double> value;   // SI; empty when not determined
  std::optional<double> std;     // standard error; none for a median
  std::optional<double> u95;     // expanded uncertainty; none for a median
  std::optional<double> spread;  // robust standard deviation over the tactels
  int count = 1;                 // tactels with a value
  int of = 1;                    // tactels
  std::string unit;
  std::string status;  // of a median: identified when any tactel is
  std::string reason;  // the commonest, where there is no value
};

struct CatalogueSession {
  std::string file, content_hash, created;  // created: UTC or ""
};

struct CatalogueQuality {
  std::string stage, name;  // "stiffness", "chi2_per_dof"
  double value = 0;
};

/// Everything of one fit.
struct CatalogueFit {
  std::string key;     // of what it came from; the same key is the same fit
  std::string sensor;  // of the description
  std::string serial;  // or the id in the plan, where the sessions name none
  std::string state;   // identified, incomplete, failed
  std::string reason, found, program;
  std::string recorded;  // UTC, of the latest session; "" when unknown
  std::string fitted;    // UTC
  std::string who;       // recorded it; "" when the sessions don't say
  std::string verdict;   // of a station: accept, unclear, reject; "" when nobody judged it
  std::string why;       // it was not accepted
  std::vector<CatalogueSession> sessions;
  std::vector<CatalogueValue> values;
  std::vector<CatalogueQuality> quality;
};

class Catalogue {
 public:
  /// Makes the file when it isn't there, and brings one of an earlier version up to this one.
  static Result<Catalogue> open(const std::filesystem::path& file);
  /// Fails when the file isn't there, or no catalogue.
  static Result<Catalogue> read(const std::filesystem::path& file);

  Result<std::set<std::string>> keys() const;
  /// Descriptions under which sensors of this serial number are known.
  Result<std::vector<std::string>> sensors_of(const std::string& serial) const;
  /// All of it or nothing, also when the program is killed meanwhile. A fit whose key is there
  /// already changes nothing. Earlier fits of the same sensor stay, as its history.
  Result<void> add(const CatalogueFit& fit);

  /// Calls `sink` for every fit without values, in order of recording.
  Result<void> for_each_fit(const std::function<void(const CatalogueFit&)>& sink) const;
  /// The whole of one fit; nothing when there is none of that key.
  Result<std::optional<CatalogueFit>> fit(const std::string& key) const;

  const Database& database() const { return database_; }

 private:
  explicit Catalogue(Database database) : database_(std::move(database)) {}
  Database database_;
};

/// What the catalogue keeps of a model.
CatalogueFit catalogued(const SensorModel& model);

}  // namespace tactelier
