#pragma once
// tactelier compare --images A B: two images, wherever they come from (docs/theory/forward.md 6).

#include <filesystem>
#include <optional>

#include "app/workflow/image_summary.hpp"
#include "libcalib/forward/image_metrics.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct ImagePairRequest {
  std::filesystem::path a, b;                 // predicted and measured, .csv or .json
  std::filesystem::path model;                // layout, full scale, rest; empty: none
  std::optional<double> pitch_m, full_scale;  // instead of a model's
  std::filesystem::path map;                  // how `a` lies on the sensor (image_map.hpp)
  SummaryWish wish{};
};

struct ImagePair {
  ImageMetricValues metrics;
  ImageSummary a, b;
  Warnings warnings;
};

/// Two images by themselves, as they are: with a model and counts their rest is taken off. With a
/// map `a` is put in order first; newtons against counts take the model's response.
Result<ImagePair> compare_image_files(const ImagePairRequest& request);
/// The same with a model that is at hand; none: nullptr.
Result<ImagePair> compare_image_files(const SensorModel* model, const ImagePairRequest& request);

}  // namespace tactelier
