#include "app/workflow/compare_image_files.hpp"

#include "libcalib/forward/image_file.hpp"
#include "libcalib/forward/tactel_readout.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier {
namespace {

/// Two images of one kind, and what is known of the sensor.
struct ReadPair {
  ImageFile a, b;
  ImageLayout layout;
  ImageScale scale;
};

std::string name_of(const std::filesystem::path& file) { return file.filename().string(); }

Result<void> check_alike(const ImagePairRequest& request, const ReadPair& pair) {
  const auto &a = pair.a.layout.grids[0], &b = pair.b.layout.grids[0];
  if (a.rows != b.rows || a.columns != b.columns)
    return fail(ErrorCode::kInvalidInput, "{} has {} x {} tactels, {} has {} x {}",
                name_of(request.a), a.rows, a.columns, name_of(request.b), b.rows, b.columns);
  if (!pair.a.unit.empty() && !pair.b.unit.empty() && pair.a.unit != pair.b.unit)
    return fail(ErrorCode::kInvalidInput, "{} is in {}, {} in {}", name_of(request.a), pair.a.unit,
                name_of(request.b), pair.b.unit);
  return {};
}

/// Layout from the model; of counts full scale, contact and rest, too. Newtons have no rest.
Result<void> use_model(const SensorModel& model, ReadPair& pair) {
  const TactelReadout readout(model);
  if (readout.tactels() != pair.a.values.size())
    return fail(ErrorCode::kInvalidInput, "the images have {} tactels, the model has {}",
                pair.a.values.size(), readout.tactels());
  pair.layout = ImageLayout::of(model.sensor);
  if (pair.a.unit == "N" || pair.b.unit == "N") return {};
  pair.scale = {readout.full_scale(), readout.contact_levels()};
  for (auto* image : {&pair.a, &pair.b})
    for (std::size_t i = 0; i < image->values.size(); ++i)
      image->values[i] = readout.above_rest_of(i, image->values[i]);
  return {};
}

Result<ReadPair> read_pair(const ImagePairRequest& request) {
  auto a = read_image(request.a);
  if (!a) return fail(a.error());
  auto b = read_image(request.b);
  if (!b) return fail(b.error());
  auto layout = a->layout.pitch_m > 0 ? a->layout : b->layout;
  ReadPair pair{std::move(*a), std::move(*b), std::move(layout), {}};
  if (auto alike = check_alike(request, pair); !alike) return fail(alike.error());
  if (!request.model.empty()) {
    const auto model = read_model(request.model);
    if (!model) return fail(model.error());
    if (auto used = use_model(*model, pair); !used) return fail(used.error());
  }
  const auto& grid = pair.a.layout.grids[0];
  if (request.pitch_m)
    pair.layout = ImageLayout::of_grid(grid.rows, grid.columns, *request.pitch_m, *request.pitch_m);
  if (request.full_scale) pair.scale.full_scale = request.full_scale;
  return pair;
}

}  // namespace

Result<ImagePair> compare_image_files(const ImagePairRequest& request) {
  const auto read = read_pair(request);
  if (!read) return fail(read.error());
  ImagePair pair{compare_images(read->layout, read->scale, read->a.values, read->b.values), {}};
  if (!(read->layout.pitch_m > 0))
    pair.warnings.push_back({"NO-PITCH", "without --pitch or --model no metric is a length", ""});
  if (!read->scale.full_scale)
    pair.warnings.push_back(
        {"NO-FULL-SCALE", "without --full-scale or --model no metric refers to full scale", ""});
  return pair;
}

}  // namespace tactelier
