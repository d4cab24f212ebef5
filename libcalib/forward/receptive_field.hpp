#pragma once
// What a tactel sees of a pressure field around it: a mean weighted by 1 - (r/r_c)^2 over samples
// within the receptive radius r_c of its centre; what is not pressed counts as no pressure
// (docs/theory/pressure-field.md 5). Samples lie in the cells of the array only, so that a tactel
// at the border averages over fewer.
//
// Frame: S. Valid for flat arrays whose cells are rectangles that touch. Source: Leins, Patzelt,
// Haschke: HydroelasticTouch, Algorithm 1.

#include <vector>

#include "libcalib/forward/foundation_contact.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// Samples along a cell of the largest pitch, `most` at most: as far apart as hydroelastic.spacing
/// says, else a quarter of the receptive radius, which the model has to have.
int field_samples(const Hydroelastic& field, const SensorDescription& sensor, int most);

class ReceptiveField {
 public:
  ReceptiveField(const SensorDescription& sensor, double radius_m, int samples_per_cell);

  int samples_per_cell() const { return per_cell_; }
  /// By tactel, Pa, of p = modulus (depth - height); `contact` has as many samples per cell.
  std::vector<double> means_Pa(const FoundationContact& contact, double depth_m,
                               double modulus_Pa_per_m) const;

 private:
  struct Part {
    std::size_t sample, tactel;
    double weight;
  };
  std::vector<Part> parts_of(const SensorDescription& sensor, std::size_t tactel,
                             double radius_m) const;
  std::size_t sample(std::size_t tactel, std::size_t column, std::size_t row) const;

  int per_cell_ = 1;
  std::vector<double> sample_m2_;   // area of a sample, by its tactel
  std::vector<std::size_t> begin_;  // of a sample's parts; one more at the end
  std::vector<Part> parts_;         // sample after sample
};

}  // namespace tactelier
