#include "app/workflow/image_batch_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <system_error>

#include "libcalib/forward/forward_method.hpp"
#include "libcalib/forward/npz_file.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxTableBytes = std::size_t{1} << 30U;
constexpr std::size_t kPoseValues = 5;
constexpr const char* kInputs = "inputs_sha256";
const std::string kCsvHeader =
    "row,x_mm,y_mm,rz_deg,tilt_x_deg,tilt_y_deg,load_N,depth_mm,indenter\n";

/// What presses, not where that is written.
std::string indenter_text(const std::string& indenter) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(indenter, unknown)) return indenter;
  return read_text_file(indenter, kMaxTableBytes).value_or(indenter);
}

/// Numbers of an array as NpzWriter wrote it, appended.
template <class T>
Result<void> append_array(const std::filesystem::path& file, const char* name,
                          std::vector<T>& values) {
  const auto bytes = npz_bytes(file, name);
  if (!bytes) return fail(bytes.error());
  const auto before = values.size();
  values.resize(before + bytes->size() / sizeof(T));
  std::memcpy(values.data() + before, bytes->data(), bytes->size() / sizeof(T) * sizeof(T));
  return {};
}

}  // namespace

Result<void> check_batch(const BatchRequest& request) {
  if (const auto known = find_forward_method(request.method); !known) return fail(known.error());
  if (request.output.extension() != ".npz")
    return fail(ErrorCode::kUsage, "'{}': a batch is written to FILE.npz", request.output.string());
  return {};
}

Result<std::string> batch_table_text(const BatchRequest& request) {
  return read_text_file(request.table, kMaxTableBytes);
}

std::string inputs_hash(const BatchRequest& request, const std::string& model_sha256,
                        const Shard& shard, const std::string& table) {
  return text_hash(fmt::format("{}\n{}\n{} {} {} {}/{}\n{}", model_sha256,
                               indenter_text(request.indenter), request.method, request.counts,
                               request.seed ? fmt::format("{}", *request.seed) : "exact",
                               shard.number, shard.of, table));
}

BatchOutcome named_files(const BatchRequest& request) {
  BatchOutcome outcome;
  outcome.images = request.output;
  if (const auto& shard = request.shard)
    outcome.images.replace_filename(
        fmt::format("{}-{}-of-{}.npz", request.output.stem().string(), shard->number, shard->of));
  outcome.poses = std::filesystem::path(outcome.images).replace_extension(".csv");
  return outcome;
}

Result<bool> done_before(const BatchOutcome& outcome, const std::string& inputs) {
  std::error_code unknown;
  if (!std::filesystem::exists(outcome.images, unknown)) return false;
  const auto there = npz_bytes(outcome.images, kInputs);
  const bool whole = std::filesystem::exists(outcome.poses, unknown);
  if (there && *there == inputs && whole) return true;
  return fail(ErrorCode::kUsage,
              "'{}' is there already, made of other inputs; --overwrite replaces it",
              outcome.images.string());
}

Result<void> write_columns(const ImageColumns& columns, const SensorArray& array,
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
  if (auto written = write_text_file(outcome.poses, kCsvHeader + columns.csv_rows); !written)
    return written;
  return npz.write(outcome.images);  // last: where it is, all is
}

Result<void> read_columns(const BatchOutcome& outcome, ImageColumns& columns) {
  const auto before = columns.rows.size();
  const auto& file = outcome.images;
  for (auto done :
       {append_array(file, "images", columns.images), append_array(file, "pose", columns.poses),
        append_array(file, "load_N", columns.loads_N),
        append_array(file, "depth_m", columns.depths_m), append_array(file, "row", columns.rows)})
    if (!done) return done;
  const auto csv = read_text_file(outcome.poses, kMaxTableBytes);
  if (!csv) return fail(csv.error());
  const auto added = columns.rows.size() - before;
  const auto lines = static_cast<std::size_t>(std::ranges::count(*csv, '\n'));
  if (!csv->starts_with(kCsvHeader) || lines != added + 1)
    return fail(ErrorCode::kDamaged,
                "'{}' holds {} poses, '{}' {} images; remove both and make the "
                "shard again",
                outcome.poses.string(), lines == 0 ? 0 : lines - 1, file.string(), added);
  columns.csv_rows += csv->substr(kCsvHeader.size());
  return {};
}

}  // namespace tactelier
