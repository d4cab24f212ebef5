#pragma once

namespace tactelier {

struct JointFit {
  double k = 0;
};

}  // namespace tactelier
