#include "libcalib/forward/image_transport.hpp"

#include <lemon/network_simplex.h>
#include <lemon/static_graph.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tactelier {
namespace {

// The simplex is exact on whole numbers: a billionth of the image, a nanometre.
constexpr double kUnits = 1e9, kPerMetre = 1e9;

struct Source {
  std::size_t tactel;
  std::int64_t amount;
};

/// Whole numbers in proportion to the readings, sum kUnits: what rounding leaves goes to the
/// largest.
std::vector<Source> shared_out(std::span<const double> image, double sum) {
  std::vector<Source> sources;
  std::int64_t left = static_cast<std::int64_t>(kUnits);
  for (std::size_t i = 0; i < image.size(); ++i) {
    const auto amount = static_cast<std::int64_t>(std::llround(image[i] / sum * kUnits));
    if (amount <= 0) continue;
    sources.push_back({i, amount});
    left -= amount;
  }
  std::max_element(sources.begin(), sources.end(), [](const auto& a, const auto& b) {
    return a.amount < b.amount;
  })->amount += left;
  return sources;
}

/// An arc from each source to each sink, in the order that StaticDigraph wants.
std::vector<std::pair<int, int>> arcs_between(std::size_t sources, std::size_t sinks) {
  std::vector<std::pair<int, int>> arcs;
  for (std::size_t i = 0; i < sources; ++i)
    for (std::size_t k = 0; k < sinks; ++k)
      arcs.emplace_back(static_cast<int>(i), static_cast<int>(sources + k));
  return arcs;
}

std::int64_t distance_nm(const ImageLayout& layout, std::size_t a, std::size_t b) {
  return std::llround(kPerMetre *
                      std::hypot(layout.x_m[a] - layout.x_m[b], layout.y_m[a] - layout.y_m[b]));
}

double carried_m(const ImageLayout& layout, const std::vector<Source>& from,
                 const std::vector<Source>& to) {
  const auto arcs = arcs_between(from.size(), to.size());
  lemon::StaticDigraph graph;
  graph.build(static_cast<int>(from.size() + to.size()), arcs.begin(), arcs.end());
  lemon::StaticDigraph::NodeMap<std::int64_t> supply(graph);
  for (std::size_t i = 0; i < from.size(); ++i)
    supply[graph.node(static_cast<int>(i))] = from[i].amount;
  for (std::size_t k = 0; k < to.size(); ++k)
    supply[graph.node(static_cast<int>(from.size() + k))] = -to[k].amount;
  lemon::StaticDigraph::ArcMap<std::int64_t> cost(graph);
  for (std::size_t arc = 0; arc < arcs.size(); ++arc)
    cost[graph.arc(static_cast<int>(arc))] =
        distance_nm(layout, from[arc / to.size()].tactel, to[arc % to.size()].tactel);
  lemon::NetworkSimplex<lemon::StaticDigraph, std::int64_t, std::int64_t> simplex(graph);
  simplex.supplyMap(supply).costMap(cost).run();
  return simplex.totalCost<double>() / (kUnits * kPerMetre);
}

}  // namespace

std::optional<double> transport_distance_m(const ImageLayout& layout, std::span<const double> a,
                                           std::span<const double> b) {
  std::vector<double> from(a.size(), 0.0), to(b.size(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) || std::isnan(b[i])) continue;
    from[i] = std::max(0.0, a[i]);
    to[i] = std::max(0.0, b[i]);
  }
  const double sum_a = std::accumulate(from.begin(), from.end(), 0.0);
  const double sum_b = std::accumulate(to.begin(), to.end(), 0.0);
  if (sum_a <= 0 || sum_b <= 0) return {};
  return carried_m(layout, shared_out(from, sum_a), shared_out(to, sum_b));
}

}  // namespace tactelier
