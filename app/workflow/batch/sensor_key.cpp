#include "app/workflow/batch/sensor_key.hpp"

#include <algorithm>
#include <system_error>

#include "app/workflow/open_session.hpp"
#include "libcalib/session/content_hash.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKeyFormat = "tactelier/batch-key 1";  // new when results change form
constexpr std::size_t kMaxDescription = 1U << 20U;

void add_unreadable(Sha256& hash, const fs::path& path, const Error& error) {
  std::error_code unknown;
  const auto bytes = fs::file_size(path, unknown);
  hash.add(static_cast<std::int64_t>(unknown ? 0 : bytes));
  const auto written = fs::last_write_time(path, unknown).time_since_epoch().count();
  hash.add(static_cast<std::int64_t>(unknown ? 0 : written));
  hash.add(std::string_view(error.message));
}

void add_session_content(Sha256& hash, const fs::path& path, const Job& job,
                         std::string& recorded) {
  hash.add(std::string_view(path.filename().string()));
  const auto opened = OpenSession::open(path, job);
  if (!opened) return add_unreadable(hash, path, opened.error());
  const auto content = opened->session().content_hash();
  if (!content) return add_unreadable(hash, path, content.error());
  hash.add(std::string_view(*content));
  recorded = std::max(recorded, opened->session().metadata().created);
  for (const auto& edit : opened->session().edits()) {
    hash.add(std::string_view(edit.describe()));
    hash.add(edit.contact_s);
  }
}

}  // namespace

SensorInputs sensor_inputs(const BatchPlan& plan, const PlannedSensor& sensor, const Job& job) {
  Sha256 hash;
  hash.add(kKeyFormat);
  hash.add(std::string_view(TACTELIER_VERSION));
  hash.add(std::string_view(options_text(plan.options)));
  std::error_code unknown;
  if (fs::is_regular_file(plan.options.sensor, unknown))
    hash.add(std::string_view(read_text_file(plan.options.sensor, kMaxDescription).value_or("")));
  hash.add(std::string_view(sensor.id));
  SensorInputs inputs;
  for (const auto& session : sensor.sessions)
    add_session_content(hash, session, job, inputs.recorded);
  inputs.key = hash.hex();
  return inputs;
}

}  // namespace tactelier
