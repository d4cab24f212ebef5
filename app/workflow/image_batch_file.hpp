#pragma once
// The files of simulate --batch: arrays in an .npz, poses in a .csv beside it, the whole table's or
// a shard's. What both were made of is in the .npz as a hash, so that a file tells whether it is
// the one that is wanted.

#include <cstdint>
#include <string>
#include <vector>

#include "app/workflow/simulate_batch.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

/// Image after image.
struct ImageColumns {
  std::vector<float> images;                     // n x rows x columns
  std::vector<double> poses, loads_N, depths_m;  // n x 5: x, y, rz, tilt_x, tilt_y; n; n
  std::vector<std::int64_t> rows;                // of the table
  std::string csv_rows;
};

/// Fails with kUsage on a method that there isn't, or another file than .npz.
Result<void> check_batch(const BatchRequest& request);

/// Where a request's files go; nothing else is filled in.
BatchOutcome named_files(const BatchRequest& request);

Result<std::string> batch_table_text(const BatchRequest& request);

/// All that decides what a shard holds. `table`: its text.
std::string inputs_hash(const BatchRequest& request, const std::string& model_sha256,
                        const Shard& shard, const std::string& table);

/// Whether a shard with these inputs is there. Fails with kUsage where it has others.
Result<bool> done_before(const BatchOutcome& outcome, const std::string& inputs);

Result<void> write_columns(const ImageColumns& columns, const SensorArray& array,
                           const BatchOutcome& outcome, const std::string& inputs);

/// Appends what write_columns() wrote. Fails with kDamaged where images and poses differ in number.
Result<void> read_columns(const BatchOutcome& outcome, ImageColumns& columns);

}  // namespace tactelier
