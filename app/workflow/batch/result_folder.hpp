#pragma once
// How a sensor's folder of results comes to be: filled beside its place, then renamed to it. A
// program killed at any moment leaves the old folder, none, or the new one, and never a part of
// one under the name.

#include <filesystem>
#include <string_view>

#include "app/workflow/batch/batch_plan.hpp"
#include "app/workflow/batch/batch_result.hpp"

namespace tactelier {

/// A lock on a file, let go when this or the program ends.
class FileLock {
 public:
  /// Waits for whoever has it.
  static Result<FileLock> wait(const std::filesystem::path& file);
  /// Nothing taken and kIo with `held` as the message when somebody else has it.
  static Result<FileLock> attempt(const std::filesystem::path& file, std::string_view held);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  static Result<FileLock> take(const std::filesystem::path& file, int operation,
                               std::string_view held);
  int descriptor_;
};

class ResultFolder {
 public:
  /// Empty and beside its place. One at a time per sensor: a second waits for the first.
  static Result<ResultFolder> begin(const BatchPlan& plan, const PlannedSensor& sensor);

  const std::filesystem::path& path() const { return staged_; }
  /// Writes result.json and puts the folder in its place.
  Result<void> publish(const SensorResult& result);

 private:
  ResultFolder(FileLock lock, std::filesystem::path staged, std::filesystem::path place);
  FileLock lock_;
  std::filesystem::path staged_, place_;
};

}  // namespace tactelier
