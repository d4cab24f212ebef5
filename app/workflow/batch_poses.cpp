#include "app/workflow/batch_poses.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "app/workflow/drawn_presses.hpp"
#include "app/workflow/simulate_image.hpp"
#include "libcalib/import/csv_reader.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr auto kPoseColumns =
    std::to_array<std::string_view>({"x_mm", "y_mm", "rz_deg", "tilt_x_deg", "tilt_y_deg",
                                     "force_N", "mass_g", "depth_mm", "indenter"});
enum Column : std::size_t { kX, kY, kRz, kTiltX, kTiltY, kForce, kMass, kDepth, kIndenter };

/// Cell of each column, where the table has it.
using PoseColumns = std::array<std::optional<std::size_t>, kPoseColumns.size()>;

Result<PoseColumns> pose_columns(const CsvReader& header, bool indenter_given) {
  PoseColumns columns;
  for (std::size_t cell = 0; cell < header.cells().size(); ++cell) {
    const auto name = header.cells()[cell];
    const auto known = std::find(kPoseColumns.begin(), kPoseColumns.end(), name);
    if (known == kPoseColumns.end())
      return fail(ErrorCode::kInvalidInput, "{}: column '{}': there are {}", header.place(), name,
                  fmt::join(kPoseColumns, ", "));
    auto& column = columns[static_cast<std::size_t>(known - kPoseColumns.begin())];
    if (column)
      return fail(ErrorCode::kInvalidInput, "{}: column '{}' twice", header.place(), name);
    column = cell;
  }
  const int loads = static_cast<int>(columns[kForce].has_value()) +
                    static_cast<int>(columns[kMass].has_value()) +
                    static_cast<int>(columns[kDepth].has_value());
  if (loads != 1)
    return fail(ErrorCode::kInvalidInput,
                "{}: {} columns with a load; one of force_N, mass_g and depth_mm is needed",
                header.place(), loads);
  if (columns[kIndenter].has_value() == indenter_given)
    return fail(ErrorCode::kInvalidInput, "{}: {}", header.place(),
                indenter_given ? "a column 'indenter' and --indenter; give one"
                               : "no column 'indenter', and no --indenter");
  return columns;
}

class PoseReader {
 public:
  PoseReader(CsvReader reader, PoseColumns columns, std::string indenter)
      : reader_(std::move(reader)), columns_(columns), indenter_(std::move(indenter)) {}

  Result<std::vector<BatchPose>> read() {
    std::vector<BatchPose> poses;
    for (;;) {
      const auto more = reader_.next();
      if (!more) return fail(more.error());
      if (!*more) break;
      auto pose = row();
      if (!pose) return fail(pose.error());
      poses.push_back(std::move(*pose));
    }
    if (poses.empty()) return fail(ErrorCode::kInvalidInput, "{}: holds no row", reader_.place());
    return poses;
  }

 private:
  Result<BatchPose> row() {
    const auto indenter = indenter_of_row();
    if (!indenter) return fail(indenter.error());
    std::array<double, kIndenter> values{};
    for (std::size_t column = 0; column < kIndenter; ++column) {
      if (!columns_[column]) continue;
      const auto value = number(column);
      if (!value) return fail(value.error());
      values[column] = *value;
    }
    BatchPose pose{*indenter,
                   {mm_to_m(values[kX]), mm_to_m(values[kY]), deg_to_rad(values[kRz]),
                    deg_to_rad(values[kTiltX]), deg_to_rad(values[kTiltY])},
                   {PressLoad::By::kForce, values[kForce], 0},
                   reader_.line()};
    if (columns_[kMass]) pose.load.force_N = g_to_kg(values[kMass]) * kStandardGravity_m_per_s2;
    if (columns_[kDepth]) pose.load = {PressLoad::By::kDepth, 0, mm_to_m(values[kDepth])};
    return pose;
  }

  Result<std::string_view> cell(std::size_t column) const {
    const auto at = *columns_[column];
    if (at < reader_.cells().size()) return reader_.cells()[at];
    return fail(ErrorCode::kInvalidInput, "{}: '{}' is missing", reader_.place(),
                kPoseColumns[column]);
  }

  Result<double> number(std::size_t column) const {
    const auto text = cell(column);
    if (!text) return fail(text.error());
    double value = 0;
    const auto* const end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, value);
    if (error == std::errc{} && stop == end) return value;
    return fail(ErrorCode::kInvalidInput, "{}: {}: '{}' is no number", reader_.place(),
                kPoseColumns[column], *text);
  }

  Result<std::shared_ptr<const Indenter>> indenter_of_row() {
    std::string text = indenter_;
    if (columns_[kIndenter]) {
      const auto own = cell(kIndenter);
      if (!own) return fail(own.error());
      text = *own;
    }
    auto& known = indenters_[text];
    if (known) return known;
    auto read = read_indenter(text);
    if (!read) return fail(read.error(), reader_.place());
    known = std::make_shared<const Indenter>(std::move(*read));
    return known;
  }

  CsvReader reader_;
  PoseColumns columns_;
  std::string indenter_;
  std::map<std::string, std::shared_ptr<const Indenter>> indenters_;  // by text
};

}  // namespace

Result<std::vector<BatchPose>> read_batch_poses(const std::filesystem::path& table,
                                                const std::string& indenter) {
  if (holds_ranges(table)) return drawn_poses(table, indenter);
  auto lines = LineBlocks::open(table, table.filename().string(), nullptr);
  if (!lines) return fail(lines.error());
  CsvReader reader(std::move(*lines), ',');
  const auto header = reader.next();
  if (!header) return fail(header.error());
  if (!*header) return fail(ErrorCode::kInvalidInput, "{}: is empty", table.filename().string());
  const auto columns = pose_columns(reader, !indenter.empty());
  if (!columns) return fail(columns.error());
  return PoseReader(std::move(reader), *columns, indenter).read();
}

}  // namespace tactelier
