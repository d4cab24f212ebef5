#include "app/workflow/compare_image_files.hpp"

#include "app/workflow/image_map.hpp"
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

Result<ReadPair> read_pair(const SensorModel* model, const ImagePairRequest& request) {
  auto a = read_image(request.a);
  if (!a) return fail(a.error());
  auto b = read_image(request.b);
  if (!b) return fail(b.error());
  auto layout = a->layout.pitch_m > 0 ? a->layout : b->layout;
  ReadPair pair{std::move(*a), std::move(*b), std::move(layout), {}};
  if (auto alike = check_alike(request, pair); !alike) return fail(alike.error());
  if (model != nullptr)
    if (auto used = use_model(*model, pair); !used) return fail(used.error());
  const auto& grid = pair.a.layout.grids[0];
  if (request.pitch_m)
    pair.layout = ImageLayout::of_grid(grid.rows, grid.columns, *request.pitch_m, *request.pitch_m);
  if (request.full_scale) pair.scale.full_scale = request.full_scale;
  return pair;
}

/// In newtons or in counts above rest.
Result<std::vector<double>> comparable(std::vector<double> values, const ImageUnit& unit,
                                       bool in_newtons, const TactelReadout* readout,
                                       const std::string& name) {
  using Kind = ImageUnit::Kind;
  if (in_newtons || unit.kind == Kind::kAboveRest) return values;
  if (readout == nullptr)
    return fail(ErrorCode::kInvalidInput,
                "{}: {} are compared with counts above rest by a model's {}: give --model", name,
                unit.kind == Kind::kForce ? "newtons" : "counts",
                unit.kind == Kind::kForce ? "response" : "offsets");
  if (unit.kind == Kind::kForce) return readout->above_rest(values);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = readout->above_rest_of(i, values[i]);
  return values;
}

Result<ImageUnit> measured_unit(const ImageMap& map, const ImageFile& image,
                                const std::string& name) {
  if (!image.unit.empty()) return parse_image_unit(image.unit, name);
  if (map.measured_unit) return *map.measured_unit;
  return fail(ErrorCode::kInvalidInput, "{} does not say its unit: say it in {} as measured_unit",
              name, map.where);
}

/// What is known of the sensor, from a model or from the options.
struct KnownSensor {
  std::optional<TactelReadout> readout;
  ImageLayout layout;
  double pitch_x_m = 0, pitch_y_m = 0;
};

Result<KnownSensor> known_sensor(const SensorModel* model, const ImagePairRequest& request,
                                 const ImageFile& measured) {
  const auto& grid = measured.layout.grids[0];
  KnownSensor known{{}, {}, measured.pitch_x_m, measured.pitch_y_m};
  if (request.pitch_m) known.pitch_x_m = known.pitch_y_m = *request.pitch_m;
  known.layout = ImageLayout::of_grid(grid.rows, grid.columns, known.pitch_x_m, known.pitch_y_m);
  if (model == nullptr) return known;
  const auto& arrays = model->sensor.arrays;
  if (arrays.size() != 1 || arrays[0].rows != grid.rows || arrays[0].columns != grid.columns)
    return fail(ErrorCode::kInvalidInput,
                "{} has {} x {} tactels, the model's sensor another "
                "layout",
                name_of(request.b), grid.rows, grid.columns);
  known.readout.emplace(*model);
  known.layout = ImageLayout::of(model->sensor);
  known.pitch_x_m = arrays[0].pitch_x_m;
  known.pitch_y_m = arrays[0].pitch_y_m;
  return known;
}

Result<ReadPair> read_mapped_pair(const SensorModel* model, const ImagePairRequest& request) {
  const auto map = read_image_map(request.map);
  if (!map) return fail(map.error());
  auto a = read_image(request.a);
  if (!a) return fail(a.error());
  auto b = read_image(request.b);
  if (!b) return fail(b.error());
  const auto unit = measured_unit(*map, *b, name_of(request.b));
  if (!unit) return fail(unit.error());
  auto known = known_sensor(model, request, *b);
  if (!known) return fail(known.error());
  auto values = mapped(*map, *a, b->layout.grids[0], known->pitch_x_m, known->pitch_y_m);
  if (!values) return fail(values.error(), name_of(request.a));
  for (auto& value : b->values) value *= unit->to_si;
  const bool in_newtons =
      map->unit.kind == ImageUnit::Kind::kForce && unit->kind == ImageUnit::Kind::kForce;
  const auto* readout = known->readout ? &*known->readout : nullptr;
  auto predicted =
      comparable(std::move(*values), map->unit, in_newtons, readout, name_of(request.a));
  if (!predicted) return fail(predicted.error());
  auto measured = comparable(b->values, *unit, in_newtons, readout, name_of(request.b));
  if (!measured) return fail(measured.error());
  ReadPair pair{std::move(*a), std::move(*b), std::move(known->layout), {}};
  pair.a.values = std::move(*predicted);
  pair.b.values = std::move(*measured);
  if (readout != nullptr && !in_newtons)
    pair.scale = {readout->full_scale(), readout->contact_levels()};
  if (request.full_scale) pair.scale.full_scale = request.full_scale;
  return pair;
}

Result<ImageSummariser> summariser_of(const SensorModel* model, const ImagePairRequest& request,
                                      const ReadPair& read) {
  if (request.wish.fingertip.empty()) return ImageSummariser::of_layout(read.layout, request.wish);
  if (model == nullptr)
    return fail(ErrorCode::kUsage, "--fingertip: say of which sensor, --model MODEL");
  return ImageSummariser::create(model->sensor, request.wish);
}

}  // namespace

Result<ImagePair> compare_image_files(const ImagePairRequest& request) {
  if (request.model.empty()) return compare_image_files(nullptr, request);
  const auto model = read_model(request.model);
  if (!model) return fail(model.error());
  return compare_image_files(&*model, request);
}

Result<ImagePair> compare_image_files(const SensorModel* model, const ImagePairRequest& request) {
  const auto read =
      request.map.empty() ? read_pair(model, request) : read_mapped_pair(model, request);
  if (!read) return fail(read.error());
  const auto summarise = summariser_of(model, request, *read);
  if (!summarise) return fail(summarise.error());
  ImagePair pair{compare_images(read->layout, read->scale, read->a.values, read->b.values),
                 (*summarise)(read->a.values, read->scale.full_scale),
                 (*summarise)(read->b.values, read->scale.full_scale),
                 {}};
  if (!(read->layout.pitch_m > 0))
    pair.warnings.push_back({"NO-PITCH", "without --pitch or --model no metric is a length", ""});
  if (!read->scale.full_scale)
    pair.warnings.push_back(
        {"NO-FULL-SCALE", "without --full-scale or --model no metric refers to full scale", ""});
  return pair;
}

}  // namespace tactelier
