#pragma once
// Slides over a pad on bristles (reports/export/mujoco_bristles.hpp): which ones, and whether what
// came out is LuGre's friction as our own model has it, sticking and sliding. The exported loop is
// for Python, so data/verify/slide_on_bristles.py does the sliding; here are its request and the
// judgement of its answer.

#include <string>
#include <string_view>
#include <vector>

#include "reports/verify/verification.hpp"

namespace tactelier {

struct BristleSlide {
  double speed_m_per_s = 0;
  std::vector<double> distances_m;  // since it began, rising
  bool from_rest = false;           // judged as presliding, all others at their end as steady
};

/// A plate over the whole pad, pressed under one load, slides; in this order.
struct BristleVisit {
  double load_N = 0;   // on each tactel
  double depth_m = 0;  // at which the written spring carries it
  std::vector<BristleSlide> slides;
};

/// Loads of 10, 50 and 90 % of the range. From rest to half, once and twice the length at which
/// bristles let go; then at a tenth of the fastest speed (faster, where that would take long) and
/// at that, until they carry all they can. The pad is level and has bristles.
std::vector<BristleVisit> bristle_visits(const MujocoPad& pad, const PressList& list);

/// For data/verify/slide_on_bristles.py; `npm`: the folder of @mujoco/mujoco.
std::string bristle_request(const MujocoPad& pad, const std::vector<BristleVisit>& visits,
                            const std::string& npm);

/// Steady friction, presliding, and the force on each tactel while the plate slides. Fails with
/// kInvalidInput when the answer is not one to this request.
Result<std::vector<VerifiedQuantity>> judge_slides(const MujocoPad& pad,
                                                   const std::vector<BristleVisit>& visits,
                                                   std::string_view answer);

}  // namespace tactelier
