#pragma once
// The force sensor's bias at a slide: from the free air before the indenter was lowered for it.

#include <optional>

#include "fitting/friction/slide_data.hpp"

namespace tactelier {

/// Goes through the slides of a session in order of time.
class SlideAir {
 public:
  SlideAir(const FitContext& context, std::size_t session) : context_(context), session_(session) {}

  /// The bias for this slide: of the free air since the slide before, else the one before's. Fails
  /// with kUnidentifiable when there is no free air at all.
  Result<SlideTare> before(const SlideEvent& slide);
  /// The bias in the free air that follows a slide; empty where none does.
  Result<std::optional<SlideTare>> after(const SlideEvent& slide) const;
  /// Counts how often free air came between slides.
  int contact() const { return contact_; }

 private:
  /// Not just a dip of the load between two slides.
  bool is_air(const SlideTare& found, const SlideEvent& slide) const;

  const FitContext& context_;
  std::size_t session_;
  double seen_until_s_ = 0;
  bool any_ = false;
  SlideTare tare_;
  int contact_ = 0;
};

}  // namespace tactelier
