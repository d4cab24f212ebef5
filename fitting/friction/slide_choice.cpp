#include "fitting/friction/slide_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tactelier {
namespace {

constexpr double kTellingFor_s = 2;  // of a slide: 25 full steps of 40 um at 0.5 mm/s
constexpr double kSameSpeed = 0.05;  // relative
constexpr double kSameLoads = 1.3;

bool has_speed(const SlideContact& contact, double speed_m_per_s) {
  return std::any_of(contact.slides.begin(), contact.slides.end(), [&](const SlideRows& slide) {
    return std::abs(slide.speed_m_per_s - speed_m_per_s) < kSameSpeed * speed_m_per_s;
  });
}

/// Contacts, the one whose load is nearest to the reference first.
std::vector<std::size_t> by_load(const SlideTracks& tracks) {
  std::vector<std::size_t> order(tracks.contacts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto off = [&](std::size_t c) {
    return std::abs(std::log(tracks.contacts[c].load_N / tracks.reference_N));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return off(a) < off(b); });
  return order;
}

/// A contact tells where it has a speed that none before it had.
std::vector<bool> telling(const SlideTracks& tracks) {
  std::vector<bool> kept(tracks.contacts.size(), false);
  const auto known = [&](const SlideRows& slide) {
    for (std::size_t c = 0; c < kept.size(); ++c)
      if (kept[c] && has_speed(tracks.contacts[c], slide.speed_m_per_s)) return true;
    return false;
  };
  for (const auto c : by_load(tracks)) {
    const auto& slides = tracks.contacts[c].slides;
    kept[c] = !std::all_of(slides.begin(), slides.end(), known);
  }
  return kept;
}

/// Way of a slide's rows, as far as its speed says.
double way_m(const SlideContact& contact, std::size_t begin, std::size_t end, double speed) {
  return end > begin ? speed * (contact.time_s[end - 1] - contact.time_s[begin]) : 0;
}

/// Cut down to what tells, or to nothing. How far it slid in what is left out.
double shorten(SlideContact& contact, bool kept) {
  double left_out_m = 0;
  for (auto& slide : contact.slides) {
    auto end = slide.begin;
    if (kept) {
      const double until_s = contact.time_s[slide.begin] + kTellingFor_s;
      while (end < slide.end && contact.time_s[end] < until_s) ++end;
    }
    left_out_m += way_m(contact, end, slide.end, slide.speed_m_per_s);
    slide.end = end;
  }
  if (!kept) contact.slides.clear();
  return left_out_m;
}

}  // namespace

SlideTracks few_slides(const SlideTracks& tracks) {
  SlideTracks few = tracks;
  const auto kept = telling(tracks);
  double left_out_m = 0;
  for (std::size_t c = 0; c < few.contacts.size(); ++c) {
    few.contacts[c].slid_before_m += left_out_m;
    left_out_m += shorten(few.contacts[c], kept[c]);
  }
  return few;
}

bool one_load(const SlideTracks& tracks) {
  double least_N = HUGE_VAL, most_N = 0;
  for (const auto& contact : tracks.contacts) {
    if (contact.slides.empty()) continue;
    least_N = std::min(least_N, contact.load_N);
    most_N = std::max(most_N, contact.load_N);
  }
  return most_N <= kSameLoads * least_N;
}

}  // namespace tactelier
