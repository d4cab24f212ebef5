#pragma once
// tactelier simulate: the image that a model predicts of one press (docs/theory/forward.md).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/workflow/image_summary.hpp"
#include "libcalib/forward/forward_method.hpp"
#include "libcalib/forward/image_file.hpp"
#include "libcalib/forward/tactel_readout.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// The `indenter` object itself, or a file that holds it; a mesh that it names is read, from the
/// current folder or the file's.
Result<Indenter> read_indenter(const std::string& json_or_file);

/// What the device would report of these shares; with a seed as one noisy reading, rounded to the
/// device's steps. NaN where a tactel has no response.
std::vector<double> device_readings(const TactelReadout& readout,
                                    const std::vector<double>& force_N,
                                    std::optional<std::uint64_t> seed);

struct SimulateRequest {
  std::filesystem::path model;  // empty with a model that is at hand
  std::string indenter;         // JSON or file
  PressPose pose;
  std::optional<double> force_N, mass_kg, depth_m;  // exactly one
  double approach_m_per_s = 0;                      // of the tip, into the pad
  std::string method = "psf";                       // of forward_methods()
  bool counts = false;                              // what the device would report, else newtons
  std::optional<std::uint64_t> seed;  // counts: as one noisy reading, rounded to the device's steps
  SummaryWish wish{};
};

struct SimulatedImage {
  ImageFile image;
  PressImage press;
  ImageSummary summary;              // of the tactels' forces
  std::optional<double> full_scale;  // counts above rest
  std::size_t clipped = 0;           // tactels at saturation
  Warnings warnings;
};

/// Fails with kUsage unless exactly one load is given, with kInvalidInput on a bad file, else as
/// the method does.
Result<SimulatedImage> simulate_image(const SimulateRequest& request);
/// The same with a model that is at hand.
Result<SimulatedImage> simulate_image(const SensorModel& model, const SimulateRequest& request);

}  // namespace tactelier
