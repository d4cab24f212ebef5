#include "app/workflow/station/station_folder.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "app/workflow/batch/recorded_protocols.hpp"
#include "libcalib/session/session.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSerial = 64;
constexpr std::string_view kStampLike = "-20261123T144500Z";
constexpr const char* kSession = ".tact";
constexpr std::size_t kMaxSerials = 16U << 20U;

bool may_stand_in_serial(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
}

/// Ids of the files of a folder, sorted.
std::vector<std::string> ids_in(const fs::path& folder, const char* extension) {
  std::vector<std::string> ids;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == extension) ids.push_back(entry.path().stem().string());
  std::ranges::sort(ids);
  return ids;
}

std::optional<std::string> latest_of(const std::string& serial,
                                     const std::vector<std::string>& ids) {
  std::optional<std::string> latest;
  for (const auto& id : ids)
    if (StationFolder::serial_of(id) == serial) latest = id;
  return latest;
}

/// Never over another file: its name would be of the same second, by a clock that was set back.
Result<void> move_file(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (fs::exists(to, error))
    return fail(ErrorCode::kIo, "'{}' is there already: was the clock set back? Scan again",
                to.string());
  fs::rename(from, to, error);
  if (error)
    return fail(ErrorCode::kIo, "'{}' can't become '{}': {}", from.string(), to.string(),
                error.message());
  return {};
}

Result<PlannedSensor> planned_sensor(const std::string& id, const fs::path& recording) {
  PlannedSensor sensor;
  sensor.id = id;
  sensor.sessions = {fs::absolute(recording).lexically_normal()};
  const auto session = Session::open(recording);
  if (!session) {  // the fit says so, too
    sensor.serial = StationFolder::serial_of(id);
    sensor.problem = session.error().message;
    return sensor;
  }
  const auto& metadata = session->metadata();
  sensor.sensor = metadata.sensor.name.empty() ? metadata.sensor.model : metadata.sensor.name;
  sensor.serial = metadata.sensor_serial;
  const auto protocols = recorded_protocols(*session);
  if (!protocols) return fail(protocols.error());
  plan_stages(*protocols, metadata.sensor, sensor);
  return sensor;
}

}  // namespace

Result<std::string> serial_number(std::string_view typed) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!typed.empty() && blank(typed.front())) typed.remove_prefix(1);
  while (!typed.empty() && blank(typed.back())) typed.remove_suffix(1);
  const bool fits = !typed.empty() && typed.size() <= kMaxSerial &&
                    std::isalnum(static_cast<unsigned char>(typed.front())) != 0 &&
                    std::ranges::all_of(typed, may_stand_in_serial);
  if (fits) return std::string(typed);
  return fail(ErrorCode::kInvalidInput,
              "'{}' is no serial number: letters, digits, - _ . are expected, {} at most; scan "
              "again",
              typed.substr(0, kMaxSerial), kMaxSerial);
}

Result<std::set<std::string>> read_serials(const fs::path& file) {
  const auto text = read_text_file(file, kMaxSerials);
  if (!text) return fail(text.error());
  std::set<std::string> serials;
  std::istringstream lines(*text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto serial = serial_number(line);
    if (!serial) return fail(serial.error(), fmt::format("{}:{}", file.string(), number));
    serials.insert(std::move(*serial));
  }
  if (serials.empty())
    return fail(ErrorCode::kInvalidInput, "{}: holds no serial number", file.string());
  return serials;
}

Result<StationFolder> StationFolder::open(const fs::path& folder, const BatchOptions& options) {
  std::error_code error;
  for (const char* part : {"begun", "recordings", "labels", "set-aside"}) {
    fs::create_directories(folder / part, error);
    if (error) return fail(ErrorCode::kIo, "'{}': {}", (folder / part).string(), error.message());
  }
  auto lock = FileLock::attempt(
      folder / "station.lock",
      fmt::format("{}: another 'tactelier station' works here; end it, or give another folder",
                  folder.string()));
  if (!lock) return fail(lock.error());
  StationFolder station(folder, std::move(*lock));
  station.plan_.file = folder / "station.json";
  if (fs::exists(station.plan_.file)) {
    auto plan = read_plan(station.plan_.file);
    if (!plan) return fail(plan.error());
    station.plan_ = std::move(*plan);
  }
  station.plan_.options = options;
  return station;
}

std::string StationFolder::new_id(const std::string& serial, const std::string& utc) {
  std::string stamp = utc;
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  return fmt::format("{}-{}", serial, stamp);
}

std::string StationFolder::serial_of(const std::string& id) {
  return id.size() > kStampLike.size() ? id.substr(0, id.size() - kStampLike.size()) : id;
}

fs::path StationFolder::begun(const std::string& id) const {
  return folder_ / "begun" / (id + kSession);
}

fs::path StationFolder::recording(const std::string& id) const {
  return folder_ / "recordings" / (id + kSession);
}

std::optional<std::string> StationFolder::cut_off(const std::string& serial) const {
  return latest_of(serial, ids_in(folder_ / "begun", kSession));
}

std::optional<std::string> StationFolder::labelled(const std::string& serial) const {
  return latest_of(serial, ids_in(labels(), ".json"));
}

std::vector<std::string> StationFolder::recordings() const {
  return ids_in(folder_ / "recordings", kSession);
}

Result<void> StationFolder::take_as_whole(const std::string& id) const {
  return move_file(begun(id), recording(id));
}

Result<void> StationFolder::set_aside(const std::string& id) const {
  return move_file(begun(id), folder_ / "set-aside" / (id + kSession));
}

Result<const PlannedSensor*> StationFolder::planned(const std::string& id) {
  const auto known = std::ranges::find(plan_.sensors, id, &PlannedSensor::id);
  if (known != plan_.sensors.end()) return &*known;
  auto sensor = planned_sensor(id, recording(id));
  if (!sensor) return fail(sensor.error());
  plan_.sensors.push_back(std::move(*sensor));
  if (auto written = write_plan(plan_); !written) return fail(written.error());
  return &plan_.sensors.back();
}

}  // namespace tactelier
