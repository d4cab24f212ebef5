#pragma once
// Forward model `psf`: the image of a press as an indenter's footprint, spread by the fitted kernel
// (docs/theory/forward.md 3). The contact is a rigid shape on an elastic foundation, balanced
// before the spread, which is a read-out and no mechanics.
//
// Valid for flat arrays at rest: no memory, no rate. Frame: S.

#include <memory>

#include "libcalib/forward/forward_method.hpp"
#include "libcalib/forward/psf_lattice.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/models/psf.hpp"

namespace tactelier {

class PsfMethod : public ForwardMethod {
 public:
  /// Fails with kUnidentifiable where the model has no point spread, with its reason, and as
  /// PsfLayout::create() does on curved arrays.
  static Result<PsfMethod> create(const SensorModel& model);

  /// Fails with kInvalidInput on a pose or load that is no number (FW-07), FW-01 where no tactel
  /// lies under the indenter, kUnidentifiable where a round or tilted contact needs the foundation
  /// modulus that the model lacks.
  Result<PressImage> press(const StaticPress& press) const override;

  /// The same without footprint, several times as fast where the spread is a Gaussian along the
  /// axes of one regular array.
  Result<PressImage> image(const StaticPress& press) const override;

  /// The same pad with its foundation modulus and its rims that much stiffer.
  PsfMethod stiffened(double modulus_factor, double rim_factor) const;
  bool knows_modulus() const { return foundation_modulus_Pa_per_m_.has_value(); }

  /// Shares of a press's force with their derivatives by place and spread.
  std::vector<Share> shares(const PressPose& pose, const PressFootprint& footprint) const;

  /// What electronics that read the array line by line add a part of to each: the shares of the
  /// other tactels in its row and column.
  std::vector<double> line_sums(std::span<const Share> shares) const;

 private:
  explicit PsfMethod(PsfLayout layout) : layout_(std::move(layout)) {}
  struct Balance {
    double load_N = 0;
    double level_m = 0;             // where the contact stands, for its geometry
    std::optional<double> depth_m;  // empty: level_m is none
  };
  Result<Balance> balance(const StaticPress& press, const IndenterSurface& surface,
                          const FoundationContact& contact) const;
  /// Balances a press and has its load shared out: share_out(contact, level [m], image) fills in
  /// the forces.
  template <class ShareOut>
  Result<PressImage> balanced(const StaticPress& press, const ShareOut& share_out) const;
  FoundationContact contact_of(const StaticPress& press, const IndenterSurface& surface) const;
  /// FW-14 where a flat end leans whose rim's stiffness is not known.
  void warn_of_rim(const StaticPress& press, const IndenterSurface& surface,
                   Warnings& warnings) const;
  PressFootprint spread_points(const FoundationContact& contact, double level_m) const;

  SensorDescription sensor_;
  PsfLayout layout_;
  std::optional<PsfLattice> lattice_;  // where it serves
  SpreadCovariance spread_;
  PsfForm form_ = PsfForm::kIntegrated;
  PsfEdge edge_ = PsfEdge::kZero;
  double ghosting_ = 0;  // part of the other tactels of row and column in each
  std::optional<double> foundation_modulus_Pa_per_m_;
  std::optional<double> rim_m_;  // rim modulus over foundation modulus; empty: not known
  std::optional<double> punch_stiffness_N_per_m_;
  std::string punch_;  // that it holds for: "cylinder 1 mm"
};

}  // namespace tactelier
