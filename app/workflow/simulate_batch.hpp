#pragma once
// tactelier simulate --batch: the images of a whole table of presses, in shards for a cluster's job
// array. A shard is one .npz; running it again finds it done and leaves it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// Part `number` of `of`, from 1: consecutive rows of the table, parts differing by one row at
/// most.
struct Shard {
  std::size_t number = 1, of = 1;
};
/// "3/10". Fails with kUsage.
Result<Shard> parse_shard(const std::string& text);

struct BatchRequest {
  std::filesystem::path model, table, output;  // model: of one at hand its name; output: FILE.npz
  std::string indenter;                        // JSON or file; empty: the table says
  std::string method = "psf";
  bool counts = false;                // what the device would report, else newtons
  std::optional<std::uint64_t> seed;  // counts: noisy readings, each row by a seed of its own
  std::optional<Shard> shard;         // writes FILE-3-of-10.npz
  bool overwrite = false;
  int threads = 0;  // 0: as many as the machine has
};

struct BatchOutcome {
  std::filesystem::path images, poses;  // .npz, and .csv beside it
  std::string model_sha256, unit;
  std::size_t first = 0, count = 0;  // rows of the table
  bool done_before = false;          // nothing was left to do
  double images_per_s = 0;
  Warnings warnings;  // one for each code, with how often
};

/// `images` (rows of the table x rows x columns, float32), `row`, `load_N`, `depth_m` (NaN where
/// the model can't tell), `unit`, `model_sha256` and `inputs_sha256` as arrays; poses in SI as
/// `pose` (x, y, rz, tilt_x, tilt_y), and in the table's units in the .csv. Fails with kUsage where
/// the file is there with other inputs, with kInvalidInput naming the line of a press that can't be
/// predicted: then nothing is written.
Result<BatchOutcome> simulate_batch(const BatchRequest& request, const Job& job);
/// The same with a model that is at hand.
Result<BatchOutcome> simulate_batch(const SensorModel& model, const BatchRequest& request,
                                    const Job& job);

}  // namespace tactelier
