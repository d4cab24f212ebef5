#pragma once
// The force sensor's bias at a slide: from the free air before the indenter was lowered for it.

#include "fitting/friction/slide_data.hpp"

namespace tactelier {

/// Goes through the slides of a session in order of time.
class SlideAir {
 public:
  SlideAir(const FitContext& context, std::size_t session) : context_(context), session_(session) {}

  /// The bias for this slide: of the free air since the slide before, else the one before's. Fails
  /// with kUnidentifiable when there is no free air at all.
  Result<SlideTare> before(const SlideEvent& slide);
  /// Counts how often free air came between slides.
  int contact() const { return contact_; }

 private:
  const FitContext& context_;
  std::size_t session_;
  double seen_until_s_ = 0;
  bool any_ = false;
  SlideTare tare_;
  int contact_ = 0;
};

}  // namespace tactelier
