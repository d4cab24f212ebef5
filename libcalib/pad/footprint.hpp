#pragma once
// Where and how deep an indenter presses: overlap volume with the undeformed layer, its growth with
// depth, and the pressure over the contact. The layer is an elastic foundation (pressure goes with
// the local depth), so these decide force and readings of every shape.
//
// Frames: the tip frame is the sensor frame moved to the indenter's tip. An attitude is a turn
// about +z, then small right-handed tilts about x and y, which add the plane tan(tilt_x) y -
// tan(tilt_y) x to the height of the indenter's underside.

#include <span>
#include <vector>

#include "libcalib/pad/polygon.hpp"
#include "libcalib/pad/round_body.hpp"
#include "libcalib/result.hpp"
#include "libcalib/sensor/indenter.hpp"

namespace tactelier::pad {

struct Attitude {
  double rz_rad = 0;
  double tilt_x_rad = 0;
  double tilt_y_rad = 0;

  bool operator==(const Attitude&) const = default;
};

/// A point of the contact with its share of the force; the shares of a contact sum to one.
struct PressurePoint {
  double x_m = 0;  // tip frame
  double y_m = 0;
  double weight = 0;
};

class Footprint {
 public:
  /// Fails with kInvalidInput on 'mesh indenters: not simulated' and on empty compounds.
  /// `plate`: the outline that a plate covers, in the sensor frame.
  static Result<Footprint> create(const Indenter& indenter, const Attitude& attitude,
                                  double max_depth_m, std::span<const Polygon> plate);

  struct Law {
    double volume_m3 = 0;  // of overlap
    double area_m2 = 0;    // d volume / d depth
    double rim_m2 = 0;     // depth integrated along the rims of flat faces
    double rim_m = 0;      // d rim / d depth
  };
  /// At a depth of the tip; a tilted face touches at depths below zero. Beyond the largest depth of
  /// create() it goes on linearly.
  Law law(double depth_m) const;
  double touch_depth_m() const { return touch_m_; }

  /// Cubature points of the pressure, finer than `resolution_m` where the pressure varies.
  void pressure(double depth_m, double resolution_m, std::vector<PressurePoint>& points) const;
  /// Whether pressure() changes shape with depth.
  bool grows() const { return grows_; }
  /// A plate covers the array wherever the stage is: its points are in the sensor frame.
  bool fixed_to_sensor() const { return plate_; }

 private:
  struct Part {
    Polygon face;         // tip frame; empty for round bodies
    double radius_m = 0;  // of a round face
    bool rim = true;      // a plate has none
    TiltedBody body;
    Point centre;         // tip frame
    double height_m = 0;  // of the part's own origin, tilt included
    double rz_rad = 0;
  };
  struct Knot {
    double depth_m;
    Law law;
  };

  Result<void> add(const Indenter& indenter, const Attitude& attitude, Point at, double height_m,
                   std::span<const Polygon> plate, int nesting);
  Law part_law(const Part& part, double depth_m) const;
  void tabulate(double max_depth_m);
  LinearDepth face_depth(const Part& part, double depth_m) const;
  double touch_of(const Part& part) const;
  void face_pressure(const Part& part, double depth_m, double resolution_m,
                     std::vector<PressurePoint>& points) const;
  void body_pressure(const Part& part, double depth_m, double resolution_m,
                     std::vector<PressurePoint>& points) const;

  std::vector<Part> parts_;
  double slope_x_ = 0;  // of the underside
  double slope_y_ = 0;
  std::vector<Knot> knots_;  // depth - touch goes with the square of the index
  double touch_m_ = 0;
  double span_m_ = 0;
  bool grows_ = false;
  bool plate_ = false;
};

}  // namespace tactelier::pad
