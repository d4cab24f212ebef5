#pragma once
// Newtons of the array of a rig that runs: of the readings that its process shows of itself
// (watch_rig.hpp). Nothing is asked of the rig, and nothing opened that it has.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/workflow/array_newtons.hpp"
#include "app/workflow/watch_rig.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

struct RigNewtonsRequest {
  std::optional<std::filesystem::path> devices;  // else the only rig process of this user
  std::string serial;                            // of the array that is connected; "": not told
  double zero_s = 0;  // how long the array is read at rest; 0: the model's zero
};

/// The rig at one moment. Readings that no tactel had yet give no newtons.
struct RigNewtonFrame {
  rig::LiveFrame rig;
  std::vector<ReadingForce> tactels;
  std::optional<double> total_N;
};

class RigNewtons {
 public:
  /// Fails as RigWatch::begin(), with kInvalidInput where model and array don't fit, with
  /// kUnidentifiable where no reading becomes newtons, with kTimeout where no frame comes.
  static Result<RigNewtons> begin(const SensorModel& model, const RigNewtonsRequest& request,
                                  const Job& job);

  /// The next frame that has new readings; kCancelled once the job is to stop.
  Result<RigNewtonFrame> next(const Job& job);
  const Warnings& warnings() const { return warnings_; }

 private:
  RigNewtons(RigWatch watch, ArrayNewtons newtons)
      : watch_(std::move(watch)), newtons_(std::move(newtons)) {}
  Result<rig::LiveFrame> next_readings(const Job& job);
  Result<void> take_zero(double zero_s, const Job& job);

  RigWatch watch_;
  ArrayNewtons newtons_;
  Warnings warnings_;
  std::int64_t read_ns_ = 0;  // of the readings before
};

/// The next frame of a rig, within 5 s; kCancelled once the job is to stop.
Result<rig::LiveFrame> next_frame(RigWatch& watch, const Job& job);

}  // namespace tactelier
