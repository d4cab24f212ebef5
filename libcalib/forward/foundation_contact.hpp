#pragma once
// A rigid indenter on an elastic foundation, p = K_f (depth - height) where that is positive: how
// deep it goes under a force, and where the pressure is (docs/theory/forward.md 2). The cells of
// the array are sampled at midpoints, so that what lies beside the array carries nothing.
//
// Frame: S, metres. Valid for flat arrays.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "libcalib/forward/indenter_surface.hpp"
#include "libcalib/models/psf_footprint.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

/// How an indenter stands: its tip in S, turned about +z, then tilted by small right-handed angles
/// about x and y, which add tan(tilt_x) y - tan(tilt_y) x to the height of its underside.
struct PressPose {
  double x_m = 0, y_m = 0;
  double rz_rad = 0;
  double tilt_x_rad = 0, tilt_y_rad = 0;

  bool level() const { return tilt_x_rad == 0 && tilt_y_rad == 0; }
  bool finite() const;
};

constexpr int kLeastSamplesPerCell = 20;
/// Midpoints per side of a cell that resolve the indenter, at least so many.
int samples_per_cell(const SensorDescription& sensor, const IndenterSurface& surface);

/// How much of a sample counts that an edge of the indenter cuts: all of it where its middle is
/// inside, as oracle 11 has it, or the part of its area that is (4 x 4 points of it looked at). A
/// bar 4 mm wide is up to 4 % too wide or narrow by midpoints.
enum class EdgeSamples { kMidpoint, kByArea };

class FoundationContact {
 public:
  /// `below_m`: what of the underside is higher over the tip is left out, as it will not be asked
  /// for. `rim_m`: what the rim of a flat end carries beside the area under it, in N/m for each
  /// metre of it, over the foundation modulus: it counts as a strip so wide.
  FoundationContact(const SensorDescription& sensor, const IndenterSurface& surface,
                    const PressPose& pose, int samples_per_cell,
                    EdgeSamples edges = EdgeSamples::kMidpoint,
                    double below_m = std::numeric_limits<double>::infinity(), double rim_m = 0);
  /// For depths up to that in which as much is carried: of a ball or roller the rest of the
  /// underside, most of it, is never looked at.
  static FoundationContact with_volume(const SensorDescription& sensor,
                                       const IndenterSurface& surface, const PressPose& pose,
                                       int samples_per_cell, EdgeSamples edges, double volume_m3,
                                       double rim_m = 0);

  /// Nothing of the indenter stands over a cell.
  bool empty() const { return samples_.empty(); }
  /// Of the tip, in whose depth `carried_m3` becomes this; contact needs more than 0.
  double depth_at_m(double carried_m3) const;
  /// Overlap with the undeformed surface.
  double volume_m3(double depth_m) const;
  /// The same with what the rims add: force over foundation modulus.
  double carried_m3(double depth_m) const;
  /// Part of the contact area that lies beside the cells, 0 for a plate.
  double beside(double depth_m) const;

  int samples_per_cell() const { return per_cell_; }
  /// What one sample carries; column and row of it within its tactel's cell. One that an edge cuts
  /// has its middle beside the sample's, by parts of a sample.
  struct Loaded {
    std::size_t tactel, column, row;
    double volume_m3, beside_columns, beside_rows;
  };
  template <class Visit>
  void for_each_loaded(double depth_m, const Visit& visit) const {
    for (const auto& s : samples_)
      if (s.height_m < depth_m)
        visit(Loaded{s.tactel, s.column, s.row, s.area_m2 * (depth_m - s.height_m),
                     s.beside_columns, s.beside_rows});
  }

  /// Overlap volume under each tactel.
  std::vector<double> cell_volumes_m3(double depth_m) const;
  /// The pressure as points with weights that sum to one, `points_per_cell` squared for each cell,
  /// each in its own centroid; the footprint's moments hold what they leave out.
  PressFootprint footprint(double depth_m, int points_per_cell) const;

 private:
  struct Sample {
    double height_m;  // over the tip, tilt included
    double area_m2;   // under the indenter
    std::uint32_t tactel;
    std::uint16_t column, row;  // place among the samples of its cell
    double beside_columns = 0, beside_rows = 0;
  };
  /// A height, and over what area it counts.
  struct Column {
    double height_m, area_m2;
  };
  class Raster;
  struct Places;  // of samples of one cell
  void add_rim(double rim_m);
  double height_m(double x_m, double y_m) const;
  /// Turns the places from S to the indenter's axes on the way.
  void find_heights(Places& places) const;
  /// Within that distance nothing is lower.
  double least_height_m(double x_m, double y_m, double radius_m) const;
  void add_cell(const Raster& raster, std::size_t tactel, EdgeSamples edges, Places& places);
  /// Of the part of one sample's square that the indenter stands over, if any. `along_columns`: an
  /// edge crosses from one column to the next, else from one row to the next.
  void add_cut(const Raster& raster, int column, int row, bool along_columns, std::size_t tactel);

  const SensorDescription& sensor_;
  const IndenterSurface& surface_;
  PressPose pose_;
  double cos_rz_, sin_rz_, slope_x_, slope_y_;
  int per_cell_;
  double below_m_;
  std::optional<std::array<double, 2>> solved_;  // a volume and its depth
  std::vector<Sample> samples_;                  // that the indenter stands over, cell after cell
  std::vector<Column> rim_;                      // over cells
};

}  // namespace tactelier
