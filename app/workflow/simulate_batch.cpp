#include "app/workflow/simulate_batch.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>

#include "app/workflow/batch_poses.hpp"
#include "app/workflow/simulate_image.hpp"
#include "fitting/statistics/parallel.hpp"
#include "libcalib/forward/npz_file.hpp"
#include "libcalib/forward/tactel_readout.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxTableBytes = std::size_t{1} << 30U;
constexpr std::size_t kImageBlock = 256;  // images between two looks at whether to stop
constexpr std::size_t kPoseValues = 5;
constexpr const char* kInputs = "inputs_sha256";

/// What images of a shard are made with.
struct ImageMaker {
  const ForwardMethod& method;
  const TactelReadout& readout;
  const BatchRequest& request;
};

struct MadeImage {
  std::vector<float> values;
  double load_N = 0, depth_m = std::numeric_limits<double>::quiet_NaN();
  Warnings warnings;
  std::optional<Error> error;
};

MadeImage make_image(const ImageMaker& maker, const BatchPose& pose, std::size_t row) {
  MadeImage made;
  const auto press = maker.method.image({*pose.indenter, pose.pose, pose.load});
  if (!press) {
    made.error = press.error();
    return made;
  }
  made.load_N = press->load_N;
  made.depth_m = press->depth_m.value_or(made.depth_m);
  made.warnings = press->warnings;
  const auto& seed = maker.request.seed;
  const auto own_seed = seed ? std::optional(*seed + row) : std::nullopt;
  const auto values = maker.request.counts
                          ? device_readings(maker.readout, press->force_N, own_seed)
                          : press->force_N;
  made.values.assign(values.begin(), values.end());
  return made;
}

std::string place_of_row(const BatchRequest& request, const BatchPose& pose) {
  return fmt::format("{}:{}", request.table.filename().string(), pose.line);
}

/// What presses, not where that is written.
std::string indenter_text(const std::string& indenter) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(indenter, unknown)) return indenter;
  return read_text_file(indenter, kMaxTableBytes).value_or(indenter);
}

/// All that decides what a shard holds. `table`: its text.
std::string inputs_hash(const BatchRequest& request, const std::string& model_sha256,
                        const Shard& shard, const std::string& table) {
  return text_hash(fmt::format("{}\n{}\n{} {} {} {}/{}\n{}", model_sha256,
                               indenter_text(request.indenter), request.method, request.counts,
                               request.seed ? fmt::format("{}", *request.seed) : "exact",
                               shard.number, shard.of, table));
}

void name_files(const BatchRequest& request, BatchOutcome& outcome) {
  outcome.images = request.output;
  if (const auto& shard = request.shard)
    outcome.images.replace_filename(
        fmt::format("{}-{}-of-{}.npz", request.output.stem().string(), shard->number, shard->of));
  outcome.poses = std::filesystem::path(outcome.images).replace_extension(".csv");
}

/// Whether a shard with these inputs is there. Fails with kUsage where it has others.
Result<bool> done_before(const BatchOutcome& outcome, const std::string& inputs) {
  std::error_code unknown;
  if (!std::filesystem::exists(outcome.images, unknown)) return false;
  const auto there = npz_text(outcome.images, kInputs);
  const bool whole = std::filesystem::exists(outcome.poses, unknown);
  if (there && *there == inputs && whole) return true;
  return fail(ErrorCode::kUsage,
              "'{}' is there already, made of other inputs; --overwrite replaces it",
              outcome.images.string());
}

/// One warning for each code, with how often and where first.
class WarningCount {
 public:
  void add(const Warnings& warnings, const std::string& place) {
    for (const auto& warning : warnings) {
      auto& found = found_[warning.code];
      if (found.times++ == 0) found.first = {warning.code, warning.text, place};
    }
  }
  Warnings all() const {
    Warnings warnings;
    for (const auto& [code, found] : found_) {
      warnings.push_back(found.first);
      if (found.times > 1)
        warnings.back().text += fmt::format(" (and {} more images)", found.times - 1);
    }
    return warnings;
  }

 private:
  struct Found {
    Warning first;
    std::size_t times = 0;
  };
  std::map<std::string, Found> found_;
};

/// The columns of a shard, image after image.
struct ShardColumns {
  std::vector<float> images;
  std::vector<double> poses, loads_N, depths_m;
  std::vector<std::int64_t> rows;
  std::string csv = "row,x_mm,y_mm,rz_deg,tilt_x_deg,tilt_y_deg,load_N,depth_mm,indenter\n";
  WarningCount warnings;

  void add(const MadeImage& made, const BatchPose& pose, std::size_t row) {
    images.insert(images.end(), made.values.begin(), made.values.end());
    const auto& p = pose.pose;
    poses.insert(poses.end(), {p.x_m, p.y_m, p.rz_rad, p.tilt_x_rad, p.tilt_y_rad});
    loads_N.push_back(made.load_N);
    depths_m.push_back(made.depth_m);
    rows.push_back(static_cast<std::int64_t>(row));
    csv += fmt::format(
        "{},{:.10g},{:.10g},{:.10g},{:.10g},{:.10g},{:.10g},{},\"{}\"\n", row, m_to_mm(p.x_m),
        m_to_mm(p.y_m), rad_to_deg(p.rz_rad), rad_to_deg(p.tilt_x_rad), rad_to_deg(p.tilt_y_rad),
        made.load_N, std::isnan(made.depth_m) ? "" : fmt::format("{:.10g}", m_to_mm(made.depth_m)),
        pose.indenter->describe());
  }
};

/// In blocks, so that it can be stopped and the first bad press is the one that is named.
Result<ShardColumns> make_shard(const ImageMaker& maker, std::span<const BatchPose> poses,
                                std::size_t first, const Job& job) {
  ShardColumns columns;
  const int threads = thread_count(maker.request.threads);
  std::vector<MadeImage> block;
  for (std::size_t begin = 0; begin < poses.size(); begin += kImageBlock) {
    if (job.stopped()) return Job::cancelled();
    job.progress("simulate", static_cast<double>(begin), static_cast<double>(poses.size()));
    const auto part = poses.subspan(begin, std::min(kImageBlock, poses.size() - begin));
    block.assign(part.size(), {});
    parallel_for(threads, part.size(),
                 [&](std::size_t i) { block[i] = make_image(maker, part[i], first + begin + i); });
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto place = place_of_row(maker.request, part[i]);
      if (block[i].error) return fail(*block[i].error, place);
      columns.warnings.add(block[i].warnings, place);
      columns.add(block[i], part[i], first + begin + i);
    }
  }
  return columns;
}

Result<void> write_shard(const ShardColumns& columns, const SensorArray& array,
                         const BatchOutcome& outcome, const std::string& inputs) {
  const auto rows = static_cast<std::size_t>(array.rows);
  const auto across = static_cast<std::size_t>(array.columns);
  NpzWriter npz;
  npz.add("images", columns.images, std::array{outcome.count, rows, across});
  npz.add("pose", columns.poses, std::array{outcome.count, kPoseValues});
  npz.add("load_N", columns.loads_N, std::array{outcome.count});
  npz.add("depth_m", columns.depths_m, std::array{outcome.count});
  npz.add("row", columns.rows);
  npz.add("unit", outcome.unit);
  npz.add("model_sha256", outcome.model_sha256);
  npz.add(kInputs, inputs);
  if (auto written = write_text_file(outcome.poses, columns.csv); !written) return written;
  return npz.write(outcome.images);  // last: where it is, all is
}

Result<void> check_batch(const BatchRequest& request) {
  if (const auto known = find_forward_method(request.method); !known) return fail(known.error());
  if (request.output.extension() != ".npz")
    return fail(ErrorCode::kUsage, "'{}': a batch is written to FILE.npz", request.output.string());
  return {};
}

}  // namespace

Result<Shard> parse_shard(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  const bool slash = number.ec == std::errc{} && number.ptr != end && *number.ptr == '/';
  const auto of = std::from_chars(slash ? number.ptr + 1 : end, end, shard.of);
  if (!slash || of.ec != std::errc{} || of.ptr != end || shard.number < 1 ||
      shard.number > shard.of)
    return fail(ErrorCode::kUsage, "--shard {}: give I/N with 1 <= I <= N, as in 3/10", text);
  return shard;
}

Result<BatchOutcome> simulate_batch(const BatchRequest& request, const Job& job) {
  if (auto sound = check_batch(request); !sound) return fail(sound.error());
  const auto model = read_model(request.model);
  if (!model) return fail(model.error());
  if (model->sensor.arrays.size() != 1)
    return fail(ErrorCode::kUsage, "images hold one array, the sensor has {}",
                model->sensor.arrays.size());
  const auto method = (*find_forward_method(request.method))->create(*model);
  if (!method) return fail(method.error(), request.model.filename().string());
  const auto poses = read_batch_poses(request.table, request.indenter);
  if (!poses) return fail(poses.error());
  const Shard shard = request.shard.value_or(Shard{});
  BatchOutcome outcome;
  name_files(request, outcome);
  outcome.model_sha256 = model_hash(*model);
  outcome.unit = request.counts ? "counts" : "N";
  outcome.first = poses->size() * (shard.number - 1) / shard.of;
  outcome.count = poses->size() * shard.number / shard.of - outcome.first;
  const auto table = read_text_file(request.table, kMaxTableBytes);
  if (!table) return fail(table.error());
  const auto inputs = inputs_hash(request, outcome.model_sha256, shard, *table);
  if (!request.overwrite) {
    const auto before = done_before(outcome, inputs);
    if (!before) return fail(before.error());
    outcome.done_before = *before;
    if (*before) return outcome;
  }
  const TactelReadout readout(*model);
  const auto begun = std::chrono::steady_clock::now();
  const auto columns =
      make_shard({**method, readout, request},
                 std::span(*poses).subspan(outcome.first, outcome.count), outcome.first, job);
  if (!columns) return fail(columns.error());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  outcome.images_per_s = static_cast<double>(outcome.count) / std::max(took.count(), 1e-9);
  outcome.warnings = columns->warnings.all();
  if (auto written = write_shard(*columns, model->sensor.arrays.front(), outcome, inputs); !written)
    return fail(written.error());
  return outcome;
}

Result<std::vector<int>> missing_shards(const BatchRequest& request, int of) {
  if (auto sound = check_batch(request); !sound) return fail(sound.error());
  const auto model = read_model(request.model);
  if (!model) return fail(model.error());
  const auto poses = read_batch_poses(request.table, request.indenter);
  if (!poses) return fail(poses.error());
  const auto table = read_text_file(request.table, kMaxTableBytes);
  if (!table) return fail(table.error());
  const auto model_sha256 = model_hash(*model);
  std::vector<int> missing;
  for (int number = 1; number <= of; ++number) {
    auto part = request;
    part.shard = Shard{static_cast<std::size_t>(number), static_cast<std::size_t>(of)};
    BatchOutcome outcome;
    name_files(part, outcome);
    const auto done = done_before(outcome, inputs_hash(part, model_sha256, *part.shard, *table));
    if (!done && !request.overwrite) return fail(done.error());
    if (!done || !*done) missing.push_back(number);
  }
  return missing;
}

}  // namespace tactelier
