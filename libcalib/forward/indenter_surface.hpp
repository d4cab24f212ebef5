#pragma once
// The underside of a rigid indenter, as a height over its tip: what an elastic foundation feels of
// it (docs/theory/forward.md 1).
//
// Local axes: tip at the origin, z up; at rz = 0 the long side, a lying cylinder's axis or a flat's
// normal lies along +x (docs/session-format.md).

#include <optional>
#include <span>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/sensor/indenter.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

class IndenterSurface {
 public:
  /// Meshes that are not loaded yet are read from the current folder. Fails with kInvalidInput on
  /// a compound without parts, and as read_mesh() does.
  static Result<IndenterSurface> create(const Indenter& indenter);

  /// Height of the underside over the tip at a place of the local axes; infinite beside it.
  double height_m(double x_m, double y_m) const;
  /// The same at many places, faster than one by one; all spans have one size.
  void heights_m(std::span<const double> x_m, std::span<const double> y_m,
                 std::span<double> heights_m) const;
  /// Nothing of it within `radius_m` of a place is lower; infinite where nothing of it is there. Of
  /// shapes other than round ones, wedges and rectangles the lowest anywhere.
  double least_height_m(double x_m, double y_m, double radius_m) const;
  /// Nothing of it that is lower than this is farther from the tip's axis.
  double reach_below_m(double height_m) const;
  /// Where a slanting line, from + t along, meets a body that is one mesh: the largest t in
  /// [0, range] within it, 0 for none. Empty for bodies of other shapes.
  std::optional<double> depth_along_m(const Vector3& from_m, const Vector3& along,
                                      double range_m) const;

  /// Stretches of the outlines of its flat ends, each by its middle; of meshes, whose outlines are
  /// not known, and of plates none.
  struct RimPoint {
    double x_m, y_m, height_m, length_m;
  };
  std::vector<RimPoint> rim() const;

  /// Nothing of it is farther from the tip's axis; infinite for a plate.
  double reach_m() const { return reach_m_; }
  /// The smallest extent that a sampling has to resolve; infinite for a plate.
  double finest_m() const { return finest_m_; }
  /// All faces level with the tip: the contact does not change with depth.
  bool flat() const { return flat_; }
  /// Some part of it ends in a level face with a rim.
  bool has_flat_end() const { return flat_end_; }

 private:
  struct Part {
    Indenter shape;  // no compound
    double x_m, y_m, z_m;
  };
  Result<void> add(const Indenter& indenter, double x_m, double y_m, double z_m);

  std::vector<Part> parts_;
  double reach_m_ = 0, finest_m_ = 0;
  bool flat_ = true, flat_end_ = false;
};

}  // namespace tactelier
