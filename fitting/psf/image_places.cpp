#include "fitting/psf/image_places.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "fitting/statistics/robust.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kLargestShift = 0.5;     // of the pitch: less is the registration's
constexpr double kFollows = 0.2;          // of the press's way, by an image on a small array
constexpr std::size_t kFewest = 3;        // presses
constexpr std::size_t kForDirection = 6;  // presses that show a direction
constexpr double kExtent = 0.5;           // pitches r.m.s. that presses are apart
constexpr const char* kRemedy = "Check the map of tactel numbers and stage_to_sensor.";

/// Image = shift + course * press, by least squares over the ways that presses differ in.
struct Course {
  std::array<bool, 2> known{};
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();
  Eigen::Matrix2d by_press = Eigen::Matrix2d::Identity();

  /// Image of a press moved along `way`, along itself and along the other.
  double along(Eigen::Index way) const { return by_press(way, way); }
  double across(Eigen::Index way) const { return by_press(1 - way, way); }
};

Course course_of(const std::vector<ImagePlace>& images, double pitch_m) {
  Course course;
  const auto n = std::ssize(images);
  Eigen::MatrixXd press(n, 2), image(n, 2);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index way = 0; way < 2; ++way) {
      const auto& one = images[static_cast<std::size_t>(i)];
      press(i, way) = one.press_m[static_cast<std::size_t>(way)];
      image(i, way) = one.image_m[static_cast<std::size_t>(way)];
    }
  const Eigen::RowVector2d middle = press.colwise().mean();
  course.shift = image.colwise().mean().transpose();
  const Eigen::MatrixXd away = press.rowwise() - middle;
  std::vector<Eigen::Index> ways;
  for (Eigen::Index way = 0; way < 2; ++way)
    if (away.col(way).squaredNorm() > static_cast<double>(n) * std::pow(kExtent * pitch_m, 2))
      ways.push_back(way);
  if (!ways.empty() && images.size() >= kForDirection) {
    const Eigen::MatrixXd chosen = away(Eigen::all, ways);
    const Eigen::MatrixXd by = chosen.colPivHouseholderQr().solve(image);  // ways x 2
    for (std::size_t k = 0; k < ways.size(); ++k) {
      course.known[static_cast<std::size_t>(ways[k])] = true;
      course.by_press.col(ways[k]) = by.row(static_cast<Eigen::Index>(k)).transpose();
    }
  }
  course.shift -= course.by_press * middle.transpose();
  return course;
}

/// Which way is turned, in words; empty where the images follow.
std::string turned(const Course& course) {
  constexpr std::array names{"x", "y"};
  std::string against;
  bool lost = false, swapped = course.known[0] && course.known[1];
  for (Eigen::Index way = 0; way < 2; ++way) {
    if (!course.known[static_cast<std::size_t>(way)]) continue;
    const double along = course.along(way), across = std::abs(course.across(way));
    const bool other = across > kFollows && across > std::abs(along);
    swapped = swapped && other;
    if (other || std::abs(along) < kFollows)
      lost = true;
    else if (along < 0)
      against +=
          (against.empty() ? "" : " and ") + std::string(names.at(static_cast<std::size_t>(way)));
  }
  if (swapped)
    return "Images of presses move along x where presses move along y: the columns of places are "
           "swapped, or rows and columns of the array are.";
  if (lost)
    return "Images of presses do not follow the places where they were made: the order of tactels "
           "or the places are wrong.";
  if (!against.empty())
    return fmt::format(
        "Images of presses move against the presses along {0}: {0} counts the other "
        "way, as rows of a picture do.",
        against);
  return {};
}

}  // namespace

std::string places_objection(const std::vector<ImagePlace>& images, double pitch_m) {
  if (images.size() < kFewest) return {};
  std::vector<double> off_m;
  for (const auto& one : images)
    off_m.push_back(std::hypot(one.image_m[0] - one.press_m[0], one.image_m[1] - one.press_m[1]));
  if (!(median(off_m) > kLargestShift * pitch_m)) return {};
  const auto course = course_of(images, pitch_m);
  if (const auto words = turned(course); !words.empty())
    return fmt::format("PS-05 {} {}", words, kRemedy);
  // A small array draws images to its middle: a press off it by the shift has its image there.
  Eigen::Vector2d shift_m = course.shift;
  for (Eigen::Index way = 0; way < 2; ++way) shift_m(way) /= course.along(way);
  if (!(shift_m.cwiseAbs().maxCoeff() > kLargestShift * pitch_m)) return {};
  return fmt::format(
      "PS-05 Array appears shifted by ({:.2g}, {:.2g}) mm: tactel order or origin "
      "is wrong. {}",
      m_to_mm(shift_m(0)), m_to_mm(shift_m(1)), kRemedy);
}

}  // namespace tactelier
