#pragma once
// Shares of a rectangle of cells under a Gaussian whose axes are turned against the cells.
//
// Closed at the corners of the cells but for one smooth integral there. With r the correlation,
// h = x/sigma_x and k = y/sigma_y,
//   P(X < x, Y < y) = Phi(h) Phi(k) + T(h, k),
//   T = 1/(2 pi) int_0^asin(r) exp(-(h^2 + k^2 - 2 h k sin t) / (2 cos^2 t)) dt,
// by Gauss-Legendre with 6, 12 or 20 nodes for |r| < 0.3, 0.75, 0.925: good to 1e-15 (Drezner and
// Wesolowsky 1990; Genz, Statistics and Computing 14, 2004, 251). Four cells share a corner, so a
// frame costs a sixth of what share_of_cell() costs cell by cell.

#include <span>

#include "libcalib/models/psf.hpp"

namespace tactelier {

/// Lines between cells along one axis, m from the press, ascending. Cell c lies between the lines
/// `stride` c and `stride` c + 1: 1 for cells that touch, 2 for cells apart.
struct CellLines {
  std::span<const double> at_m;
  std::size_t stride = 1;
  std::size_t cells() const { return at_m.size() / stride - (stride == 1 ? 1 : 0); }
};

/// Beyond it (|r| >= 0.925) the nodes don't suffice: share_of_cell() integrates along the cell.
bool has_correlated_cells(const SpreadCovariance& spread);

/// Adds weight * share_of_cell() of each cell, row by row, x fastest.
void add_correlated_cells(const CellLines& x, const CellLines& y, const SpreadCovariance& spread,
                          double weight, std::span<Share> shares);

}  // namespace tactelier
