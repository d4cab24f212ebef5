#pragma once

namespace tactelier {

struct JointFit {
  int runs = 0;
};

}  // namespace tactelier
