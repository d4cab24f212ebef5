#include "app/workflow/batch/result_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> folder_failure(const fs::path& path, const std::error_code& why) {
  return fail(ErrorCode::kIo, "'{}': {}", path.string(), why.message());
}

int flock_patiently(int descriptor, int operation) {
  int done = 0;
  do {
    done = ::flock(descriptor, operation);
  } while (done != 0 && errno == EINTR);
  return done;
}

}  // namespace

Result<FileLock> FileLock::take(const fs::path& file, int operation, std::string_view held) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return folder_failure(file.parent_path(), error);
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return folder_failure(file, {errno, std::generic_category()});
  if (flock_patiently(descriptor, operation) == 0) return FileLock(descriptor);
  const std::error_code why(errno, std::generic_category());
  ::close(descriptor);
  if (why.value() == EWOULDBLOCK) return fail(ErrorCode::kIo, "{}", held);
  return folder_failure(file, why);
}

Result<FileLock> FileLock::wait(const fs::path& file) { return take(file, LOCK_EX, {}); }

Result<FileLock> FileLock::attempt(const fs::path& file, std::string_view held) {
  return take(file, LOCK_EX | LOCK_NB, held);
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

ResultFolder::ResultFolder(FileLock lock, fs::path staged, fs::path place)
    : lock_(std::move(lock)), staged_(std::move(staged)), place_(std::move(place)) {}

Result<ResultFolder> ResultFolder::begin(const BatchPlan& plan, const PlannedSensor& sensor) {
  auto lock = FileLock::wait(plan.work() / (sensor.id + ".lock"));
  if (!lock) return fail(lock.error());
  const auto staged = plan.work() / (sensor.id + ".new");
  std::error_code error;
  fs::remove_all(staged, error);
  if (!error) fs::create_directories(staged, error);
  if (error) return folder_failure(staged, error);
  return ResultFolder(std::move(*lock), staged, plan.results_of(sensor));
}

Result<void> ResultFolder::publish(const SensorResult& result) {
  if (auto written = write_text_file(staged_ / kResultFile, result_text(result)); !written)
    return written;
  // A folder can't be renamed over one that holds something: the old one goes first.
  const auto old = fs::path(staged_).replace_extension(".old");
  std::error_code error;
  fs::remove_all(old, error);
  if (!error && fs::exists(place_)) fs::rename(place_, old, error);
  if (!error) fs::rename(staged_, place_, error);
  if (error) return folder_failure(place_, error);
  fs::remove_all(old, error);
  return {};
}

}  // namespace tactelier
