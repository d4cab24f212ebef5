#include "app/workflow/simulate_image.hpp"

#include <cmath>

#include "fitting/statistics/random.hpp"
#include "libcalib/forward/mesh_body.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxBytes = 1U << 20U;
constexpr double kManyClip = 0.1;  // of the tactels that read something

Result<PressLoad> load_of(const SimulateRequest& request) {
  const int given = static_cast<int>(request.force_N.has_value()) +
                    static_cast<int>(request.mass_kg.has_value()) +
                    static_cast<int>(request.depth_m.has_value());
  if (given != 1)
    return fail(ErrorCode::kUsage, "give one of --force, --mass and --depth, not {} of them",
                given);
  if (request.depth_m)
    return PressLoad{PressLoad::By::kDepth, 0, *request.depth_m, request.approach_m_per_s};
  const double force_N =
      request.force_N ? *request.force_N : *request.mass_kg * kStandardGravity_m_per_s2;
  return PressLoad{PressLoad::By::kForce, force_N, 0, request.approach_m_per_s};
}

/// One reading instead of the mean of many.
double noisy(const TactelReadout& readout, std::size_t tactel, double above_rest,
             RandomSource& random) {
  const double step = readout.resolution();
  const double reading =
      readout.recorded(tactel, above_rest + readout.noise(tactel) * random.normal());
  return step > 0 ? step * std::round(reading / step) : reading;
}

void judge_readings(const TactelReadout& readout, SimulatedImage& result) {
  std::size_t lit = 0, unknown = 0;
  for (std::size_t i = 0; i < result.press.force_N.size(); ++i) {
    const double share_N = result.press.force_N[i];
    unknown += !readout.known(i);
    lit += readout.above_rest(i, share_N) > 0;
    result.clipped += readout.clips(i, share_N);
  }
  if (static_cast<double>(result.clipped) > kManyClip * static_cast<double>(lit))
    result.warnings.push_back(
        {"FW-04",
         fmt::format("{} of {} tactels that read something clip at full scale", result.clipped,
                     lit),
         ""});
  if (unknown > 0)
    result.warnings.push_back(
        {"UNCALIBRATED",
         fmt::format("{} of {} tactels have no response in the model and no counts in the image",
                     unknown, result.press.force_N.size()),
         ""});
}

}  // namespace

std::vector<double> device_readings(const TactelReadout& readout,
                                    const std::vector<double>& force_N,
                                    std::optional<std::uint64_t> seed) {
  RandomSource random(seed.value_or(0));
  std::vector<double> counts;
  for (std::size_t i = 0; i < force_N.size(); ++i) {
    const double above_rest = readout.above_rest(i, force_N[i]);
    counts.push_back(seed ? noisy(readout, i, above_rest, random)
                          : readout.recorded(i, above_rest));
  }
  return counts;
}

Result<Indenter> read_indenter(const std::string& json_or_file) {
  const bool is_json = json_or_file.find('{') != std::string::npos;
  const auto text =
      is_json ? Result<std::string>(json_or_file) : read_text_file(json_or_file, kMaxBytes);
  if (!text) return fail(text.error());
  auto indenter = parse_indenter(*text, is_json ? "--indenter" : json_or_file);
  if (!indenter) return indenter;
  MeshFiles meshes(is_json ? std::filesystem::path()
                           : std::filesystem::path(json_or_file).parent_path());
  if (auto loaded = meshes.load(*indenter); !loaded) return fail(loaded.error());
  return indenter;
}

Result<SimulatedImage> simulate_image(const SimulateRequest& request) {
  if (const auto info = find_forward_method(request.method); !info) return fail(info.error());
  if (const auto load = load_of(request); !load) return fail(load.error());
  const auto model = read_model(request.model);
  if (!model) return fail(model.error());
  return simulate_image(*model, request);
}

Result<SimulatedImage> simulate_image(const SensorModel& model, const SimulateRequest& request) {
  const auto info = find_forward_method(request.method);
  if (!info) return fail(info.error());
  const auto load = load_of(request);
  if (!load) return fail(load.error());
  auto indenter = read_indenter(request.indenter);
  if (!indenter) return fail(indenter.error());
  const auto method = (*info)->create(model);
  if (!method) return fail(method.error(), request.model.filename().string());
  const auto summarise = ImageSummariser::create(model.sensor, request.wish);
  if (!summarise) return fail(summarise.error());
  auto press = (*method)->press({std::move(*indenter), request.pose, *load});
  if (!press) return fail(press.error());
  const TactelReadout readout(model);
  SimulatedImage result{{}, std::move(*press), {}, readout.full_scale(), 0, {}};
  result.warnings = result.press.warnings;
  result.summary = (*summarise)(result.press.force_N, {});
  if (request.counts) judge_readings(readout, result);
  auto image =
      image_of(model.sensor,
               request.counts ? device_readings(readout, result.press.force_N, request.seed)
                              : result.press.force_N,
               request.counts ? "counts" : "N");
  if (!image) return fail(image.error());
  result.image = std::move(*image);
  return result;
}

}  // namespace tactelier
