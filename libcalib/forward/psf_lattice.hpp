#pragma once
// The shares of a press on one regular array, several times as fast as PsfLayout and without
// derivatives: a Gaussian along the array's axes is a product, so that every sample of the contact
// is spread along its row, and then each row of samples along the columns.
//
// Valid for the form `integrated` (docs/theory/forward.md 3).

#include <optional>
#include <vector>

#include "libcalib/forward/foundation_contact.hpp"
#include "libcalib/models/psf.hpp"

namespace tactelier {

class PsfLattice {
 public:
  /// Empty for several or irregular arrays, for cells narrower than the pitch, and for a spread
  /// that is no product along the axes.
  static std::optional<PsfLattice> create(const SensorDescription& sensor,
                                          const SpreadCovariance& spread, PsfForm form,
                                          PsfEdge edge);

  /// By tactel; they sum to the part of the force that the array reads.
  std::vector<double> shares(const FoundationContact& contact, double depth_m) const;

 private:
  /// Cells along one axis of the array, and the spread along it.
  struct Axis {
    std::size_t cells = 0;
    double pitch_m = 0, variance_m2 = 0;
    /// [sample][cell]: part of what presses there that each cell gets.
    std::vector<double> weights(int samples_per_cell) const;
  };
  struct Weights {
    std::vector<double> x, y;
  };
  Weights weights(int samples_per_cell) const;

  Axis x_, y_;
  Weights usual_;  // of contacts with nothing fine to resolve
  PsfEdge edge_ = PsfEdge::kZero;
};

}  // namespace tactelier
