#include <array>

#include "fitting/array/array.hpp"
#include "fitting/contact/contact.hpp"
#include "fitting/damping/damping.hpp"
#include "fitting/engine/stage.hpp"
#include "fitting/friction/friction.hpp"
#include "fitting/hydroelastic/hydroelastic.hpp"
#include "fitting/joint/joint.hpp"
#include "fitting/layer/layer_modulus.hpp"
#include "fitting/psf/psf.hpp"
#include "fitting/relaxation/relaxation.hpp"
#include "fitting/response/response.hpp"
#include "fitting/rotary/rotary.hpp"
#include "fitting/stiffness/stiffness.hpp"
#include "fitting/time/time.hpp"
#include "fitting/wrench/wrench.hpp"

namespace tactelier {

std::span<const Stage> stages() {
  static const std::array kStages{
      Stage{"time", "Clocks and latencies", {}, run_time},
      Stage{"wrench", "Bias and drift of the force", {"time"}, run_wrench},
      Stage{"contact", "Contact points and the rig's compliance", {"time", "wrench"}, run_contact},
      Stage{"response", "Response of each tactel", {"contact"}, run_response},
      Stage{"psf", "Point spread and own response", {"contact", "response"}, run_psf},
      Stage{"array", "Force on the whole array", {"contact"}, run_array},
      Stage{"stiffness", "Stiffness of the pad", {"contact"}, run_stiffness, "joint"},
      Stage{"relaxation", "Relaxation and creep", {"contact", "response"}, run_relaxation},
      Stage{"damping", "Damping of the pad", {"contact", "stiffness", "relaxation"}, run_damping},
      Stage{"joint",
            "What stiffness, damping and relaxation share",
            {"stiffness", "relaxation", "damping"},
            run_joint},
      Stage{"friction", "Friction of the pad", {"time"}, run_friction},
      Stage{"hydroelastic",
            "The pad as a pressure field",
            {"psf", "joint", "friction"},
            run_hydroelastic},
      Stage{"layer", "Young's modulus of the layer", {"joint", "hydroelastic"}, run_layer},
      Stage{"rotary", "Friction of joints", {}, run_rotary},
  };
  return kStages;
}

}  // namespace tactelier
