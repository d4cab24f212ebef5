#include "app/workflow/simulate_batch.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>

#include "app/workflow/batch_poses.hpp"
#include "app/workflow/image_batch_file.hpp"
#include "app/workflow/simulate_image.hpp"
#include "fitting/statistics/parallel.hpp"
#include "libcalib/forward/tactel_readout.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kImageBlock = 256;  // images between two looks at whether to stop

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

/// The columns of a shard, filled image after image.
struct ShardColumns : ImageColumns {
  WarningCount warnings;

  void add(const MadeImage& made, const BatchPose& pose, std::size_t row) {
    images.insert(images.end(), made.values.begin(), made.values.end());
    const auto& p = pose.pose;
    poses.insert(poses.end(), {p.x_m, p.y_m, p.rz_rad, p.tilt_x_rad, p.tilt_y_rad});
    loads_N.push_back(made.load_N);
    depths_m.push_back(made.depth_m);
    rows.push_back(static_cast<std::int64_t>(row));
    csv_rows += fmt::format(
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
  return simulate_batch(*model, request, job);
}

Result<BatchOutcome> simulate_batch(const SensorModel& model, const BatchRequest& request,
                                    const Job& job) {
  if (auto sound = check_batch(request); !sound) return fail(sound.error());
  if (model.sensor.arrays.size() != 1)
    return fail(ErrorCode::kUsage, "images hold one array, the sensor has {}",
                model.sensor.arrays.size());
  const auto method = (*find_forward_method(request.method))->create(model);
  if (!method) return fail(method.error(), request.model.filename().string());
  const auto poses = read_batch_poses(request.table, request.indenter);
  if (!poses) return fail(poses.error());
  const Shard shard = request.shard.value_or(Shard{});
  auto outcome = named_files(request);
  outcome.model_sha256 = model_hash(model);
  outcome.unit = request.counts ? "counts" : "N";
  outcome.first = poses->size() * (shard.number - 1) / shard.of;
  outcome.count = poses->size() * shard.number / shard.of - outcome.first;
  const auto table = batch_table_text(request);
  if (!table) return fail(table.error());
  const auto inputs = inputs_hash(request, outcome.model_sha256, shard, *table);
  if (!request.overwrite) {
    const auto before = done_before(outcome, inputs);
    if (!before) return fail(before.error());
    outcome.done_before = *before;
    if (*before) return outcome;
  }
  const TactelReadout readout(model);
  const auto begun = std::chrono::steady_clock::now();
  const auto columns =
      make_shard({**method, readout, request},
                 std::span(*poses).subspan(outcome.first, outcome.count), outcome.first, job);
  if (!columns) return fail(columns.error());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  outcome.images_per_s = static_cast<double>(outcome.count) / std::max(took.count(), 1e-9);
  outcome.warnings = columns->warnings.all();
  if (auto written = write_columns(*columns, model.sensor.arrays.front(), outcome, inputs);
      !written)
    return fail(written.error());
  return outcome;
}

}  // namespace tactelier
