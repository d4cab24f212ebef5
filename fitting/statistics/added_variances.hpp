#pragma once
// How well the sum of two variances is known, where one of them comes from a few repeats.

namespace tactelier {

/// Degrees of freedom of a + b, with which t(dof)² (a + b) = t(dof_a)² a + t(dof_b)² b: the
/// intervals that each would give alone, added in quadrature. Welch and Satterthwaite weigh
/// variances as they were seen: three presses that happen to agree count for little beside what
/// else is known, and the sum passes for as well known as ten presses make it. A variance of 0
/// takes no part; never better known than the better of the two, nor worse than the worse.
/// Source: Ballico, Metrologia 37 (2000) 61, on where Welch and Satterthwaite's intervals are
/// short.
double dof_of_added(double a, double dof_a, double b, double dof_b);

}  // namespace tactelier
