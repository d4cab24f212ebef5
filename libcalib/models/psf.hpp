#pragma once
// Point spread: how the pressure on the pad is shared out to tactels (docs/theory/point-spread.md).
// A press of force F at p loads tactel i with f_i = w_i(p) F; the share w_i is the indenter's
// footprint, spread by a Gaussian and integrated over the tactel's cell (form `integrated`), read
// at the cell's centre (form `point`), or a discrete kernel over whole cells (form `sampled`).
//
// Frame: S, metres. Valid for flat arrays. A cell narrower than the pitch reads the mean pressure
// over itself and stands for its whole pitch, so that in any form shares away from the border sum
// to one.

#include <array>
#include <span>
#include <vector>

#include "libcalib/models/psf_footprint.hpp"
#include "libcalib/result.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

/// Covariance of a Gaussian spread, m^2.
struct SpreadCovariance {
  double xx = 0, xy = 0, yy = 0;
};

/// Standard deviations along the principal axes (sigma_x the larger unless equal) and the angle of
/// the larger one against +x, in (-pi/2, pi/2].
struct SpreadAxes {
  double sigma_x_m = 0, sigma_y_m = 0, theta_rad = 0;
};
SpreadCovariance spread_covariance(const SpreadAxes& axes);
SpreadAxes spread_axes(const SpreadCovariance& covariance);

/// Sigma = exp([[m + e1, e2], [e2, m - e1]]) with its derivatives: no singularity where the axes
/// are equal and no swap of axes. m = 2 ln(sigma) when e1 = e2 = 0.
struct LogSpread {
  double m = 0, e1 = 0, e2 = 0;
};
SpreadCovariance spread_covariance(const LogSpread& log);
/// [k] = d(Sigma)/d(m, e1, e2).
std::array<SpreadCovariance, 3> spread_gradient(const LogSpread& log);

/// A share and its derivatives with respect to the press's place (1/m) and the spread's covariance
/// (1/m^2; xy counts both off-diagonal entries).
struct Share {
  double value = 0;
  double x = 0, y = 0;
  double xx = 0, xy = 0, yy = 0;
};

/// Part of a Gaussian at the origin that falls into [left, right] x [bottom, top]. The derivatives
/// are closed: by the heat equation dg/dSigma = (second derivatives of g)/2.
Share share_of_cell(double left_m, double right_m, double bottom_m, double top_m,
                    const SpreadCovariance& spread);

/// The Gaussian's density at (x, y), 1/m^2, with its derivatives.
Share density_at(double x_m, double y_m, const SpreadCovariance& spread);

enum class PsfForm { kIntegrated, kSampled, kPoint };
/// kZero: what falls beyond the border is lost to the frame; kRenormalised: a foil that ends at the
/// border, where the shares of every press sum to one.
enum class PsfEdge { kZero, kRenormalised };
std::string_view to_string(PsfForm form);
/// The form of that name; kIntegrated, which nobody has to name, for any other.
PsfForm psf_form(std::string_view name);
std::string_view to_string(PsfEdge edge);

/// Where the cells of a sensor lie, and how wide they are: as its description's area says, else as
/// wide as the pitch.
class PsfLayout {
 public:
  /// Fails with kUnidentifiable on curved arrays and on irregular ones without pitches.
  static Result<PsfLayout> create(const SensorDescription& sensor);

  /// shares[i] of a press whose footprint's centre is at (x, y). For `sampled`, the discrete
  /// kernel's standard deviation in tactels is sqrt(xx)/pitch_x along x and sqrt(yy)/pitch_y along
  /// y, and there are no derivatives by place.
  void shares(double x_m, double y_m, const PressFootprint& footprint,
              const SpreadCovariance& spread, PsfForm form, PsfEdge edge,
              std::span<Share> shares) const;

  std::size_t tactels() const { return tactels_; }
  /// sqrt(pitch_x pitch_y) of the first array.
  double pitch_m() const { return pitch_m_; }
  /// sums[i] = values of the other tactels in i's row and column: what electronics that read a
  /// matrix line by line add a part of (ghosting). Zero for irregular arrays, which have no lines.
  void line_sums(std::span<const double> values, std::span<double> sums) const;
  /// Distance from a place to the nearest border of the array under it; negative outside.
  double to_border_m(double x_m, double y_m) const;

 private:
  struct Grid {
    int rows = 0, columns = 0;
    double pitch_x_m = 0, pitch_y_m = 0;
    double filled = 1;  // width of a cell, in pitches; 0: a point
    double x_m = 0, y_m = 0, cos_yaw = 1, sin_yaw = 0;
    std::size_t first = 0;
    std::vector<std::array<double, 2>> cells;  // centres of irregular arrays, else empty
  };
  void add_point(const Grid& grid, double filled, double x_m, double y_m, double weight,
                 const SpreadCovariance& spread, std::span<Share> shares) const;
  void add_rows_and_columns(const Grid& grid, double filled, double x_m, double y_m, double weight,
                            const SpreadCovariance& spread, std::span<Share> shares) const;
  void add_turned(const Grid& grid, double filled, double x_m, double y_m, double weight,
                  const SpreadCovariance& spread, std::span<Share> shares) const;
  void add_sampled(const Grid& grid, double x_m, double y_m, double weight,
                   const SpreadCovariance& moment, const SpreadCovariance& spread,
                   std::span<Share> shares) const;

  std::vector<Grid> grids_;
  std::size_t tactels_ = 0;
  double pitch_m_ = 0;
};

/// The kernel of image-level simulators: g(a, b) ~ exp(-(a^2 + b^2)/2s^2) at whole steps, half
/// width ceil(3 s), normalised to sum one.
struct DiscreteKernel {
  int half = 0;
  std::vector<double> weights;  // (2 half + 1)^2, row by row
};
DiscreteKernel discrete_kernel(double s_tactels);

/// s of the discrete kernel whose side and centre are in the ratio that a point press on a cell's
/// centre gives in the form `integrated` with this sigma, both in tactels: 0.5 for 0.4016.
double sampled_from_integrated(double sigma_tactels);
/// The inverse.
double integrated_from_sampled(double s_tactels);

}  // namespace tactelier
