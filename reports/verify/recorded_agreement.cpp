#include "reports/verify/recorded_agreement.hpp"

#include <algorithm>
#include <limits>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

double median_of(const std::vector<RecordedAgreement::Image>& images,
                 double RecordedAgreement::Image::*error) {
  std::vector<double> errors;
  for (const auto& image : images) errors.push_back(image.*error);
  return median(errors);
}

}  // namespace

double RecordedAgreement::ours_percent() const { return median_of(images, &Image::ours_percent); }

double RecordedAgreement::target_percent() const {
  return median_of(images, &Image::target_percent);
}

double RecordedAgreement::apart_percent() const { return median_of(images, &Image::apart_percent); }

double RecordedAgreement::worst_apart_percent() const {
  const auto by_apart = [](const Image& a, const Image& b) {
    return a.apart_percent < b.apart_percent;
  };
  return std::max_element(images.begin(), images.end(), by_apart)->apart_percent;
}

double RecordedAgreement::ratio() const {
  const double ours = ours_percent(), target = target_percent();
  if (ours > 0) return target / ours;
  return target > 0 ? std::numeric_limits<double>::infinity() : 1;
}

}  // namespace tactelier
