#include "app/workflow/batch/plan_batch.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "app/workflow/batch/find_sessions.hpp"
#include "app/workflow/batch/recorded_protocols.hpp"
#include "app/workflow/open_session.hpp"
#include "fitting/engine/stage.hpp"
#include "reports/export/exporter.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxIdLength = 100;

/// What was seen of one session.
struct SeenSession {
  fs::path path;
  std::string group, sensor, serial, problem;
  SensorDescription description;
  bool finished = true;
  std::set<std::string> protocols;
};

std::string stem_of(const fs::path& path) {
  const auto clean = path.lexically_normal();
  return (clean.has_filename() ? clean : clean.parent_path()).stem().string();
}

/// A name that is a folder's name on every system.
std::string folder_name(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.')
      c = '_';
  if (name.size() > kMaxIdLength) name.resize(kMaxIdLength);
  if (name.empty() || name.front() == '.' || name.front() == '-') name.insert(0, "_");
  return name;
}

SeenSession look_at(const FoundSession& found, const Job& job) {
  SeenSession seen;
  seen.path = found.path;
  seen.group = found.group;
  const auto opened = OpenSession::open(found.path, job);
  if (!opened) {
    seen.problem = opened.error().message;
    return seen;
  }
  seen.finished = opened->session().finished();
  const auto& metadata = opened->session().metadata();
  seen.sensor = metadata.sensor.name.empty() ? metadata.sensor.model : metadata.sensor.name;
  seen.serial = metadata.sensor_serial;
  seen.description = metadata.sensor;
  auto protocols = recorded_protocols(opened->session());
  if (protocols)
    seen.protocols = std::move(*protocols);
  else
    seen.problem = protocols.error().message;
  return seen;
}

/// Sessions of equal keys are fitted together.
std::string group_key(const SeenSession& seen, bool each_session) {
  if (each_session) return "session " + seen.path.string();
  if (!seen.group.empty()) return "table " + seen.group;
  if (seen.serial.empty()) return "session " + seen.path.string();
  return "serial " + seen.sensor + " " + seen.serial;
}

std::string wished_id(const SeenSession& seen, bool each_session) {
  if (!each_session && !seen.group.empty()) return folder_name(seen.group);
  if (each_session || seen.serial.empty()) return folder_name(stem_of(seen.path));
  return folder_name(seen.serial);
}

/// Case apart too: some file systems hold only one of two such names.
std::string unique_id(const std::string& wished, std::set<std::string>& taken) {
  const auto lower = [](std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
  };
  auto id = wished;
  for (int i = 2; !taken.insert(lower(id)).second; ++i) id = fmt::format("{}-{}", wished, i);
  return id;
}

struct Gathered {
  PlannedSensor sensor;
  SensorDescription description;  // of its first session
  std::set<std::string> protocols;
};

void add_session(Gathered& gathered, SeenSession seen) {
  auto& sensor = gathered.sensor;
  if (sensor.sessions.empty()) gathered.description = std::move(seen.description);
  sensor.sessions.push_back(std::move(seen.path));
  if (sensor.sensor.empty()) sensor.sensor = seen.sensor;
  if (sensor.serial.empty()) sensor.serial = seen.serial;
  if (sensor.problem.empty()) sensor.problem = std::move(seen.problem);
  gathered.protocols.merge(seen.protocols);
}

/// The sensor's description that they give.
Result<std::optional<SensorDescription>> checked_options(const BatchOptions& options) {
  for (const auto* names : {&options.stages, &options.required})
    if (auto known = stage_chain(*names); !known) return fail(known.error());
  for (const auto& format : options.exports)
    if (auto known = exporter(format); !known) return fail(known.error());
  if (options.sensor.empty()) return std::optional<SensorDescription>{};
  auto sensor = load_sensor(options.sensor);
  if (!sensor) return fail(sensor.error());
  return std::optional(std::move(*sensor));
}

Result<std::vector<FoundSession>> found_in(const std::vector<std::string>& sources, bool none_yet) {
  std::vector<FoundSession> all;
  std::set<fs::path> known;
  for (const auto& source : sources) {
    auto found = find_sessions(source);
    if (!found && none_yet && found.error().code == ErrorCode::kIo) continue;
    if (!found) return fail(found.error());
    for (auto& session : *found) {
      session.path = fs::absolute(session.path).lexically_normal();
      if (known.insert(session.path).second) all.push_back(std::move(session));
    }
  }
  return all;
}

}  // namespace

Result<PlannedBatch> plan_batch(const PlanRequest& request, const Job& job) {
  const auto stated = checked_options(request.options);
  if (!stated) return fail(stated.error());
  const auto found = found_in(request.sources, request.recording_goes_on);
  if (!found) return fail(found.error());
  std::vector<Gathered> groups;
  std::map<std::string, std::size_t> place;
  std::set<std::string> taken;
  Warnings warnings;
  for (std::size_t i = 0; i < found->size(); ++i) {
    if (job.stopped()) return Job::cancelled();
    job.progress("looking at sessions", static_cast<double>(i), static_cast<double>(found->size()));
    auto seen = look_at((*found)[i], job);
    if (request.recording_goes_on && !seen.finished) continue;
    const auto [at, added] =
        place.try_emplace(group_key(seen, request.each_session), groups.size());
    if (added) {
      groups.emplace_back();
      groups.back().sensor.id = unique_id(wished_id(seen, request.each_session), taken);
    }
    if (!seen.problem.empty())
      warnings.push_back({"BA-01", seen.problem, seen.path.filename().string()});
    else if (seen.serial.empty() && seen.group.empty())
      warnings.push_back(
          {"serial", "names no serial number; fitted on its own", seen.path.filename().string()});
    add_session(groups[at->second], std::move(seen));
  }
  PlannedBatch planned{{request.target, request.options, {}}, std::move(warnings)};
  for (auto& group : groups) {
    if (*stated) group.description = **stated;
    plan_stages(group.protocols, group.description, group.sensor);
    planned.plan.sensors.push_back(std::move(group.sensor));
  }
  std::ranges::sort(planned.plan.sensors, {}, &PlannedSensor::id);
  if (auto written = write_plan(planned.plan); !written) return fail(written.error());
  return planned;
}

}  // namespace tactelier
