#include "reports/document/paper_sources.hpp"

#include <algorithm>
#include <array>

namespace tactelier {
namespace {

constexpr std::array<PaperSource, 8> kSources{{
    {"jcgm100",
     "@techreport{jcgm100,\n"
     "  title = {Evaluation of measurement data -- Guide to the expression of uncertainty in "
     "measurement},\n"
     "  number = {JCGM 100:2008},\n"
     "  institution = {Joint Committee for Guides in Metrology},\n"
     "  year = {2008}\n}\n"},
    {"ceres",
     "@misc{ceres,\n"
     "  author = {Agarwal, Sameer and Mierle, Keir and {The Ceres Solver Team}},\n"
     "  title = {{Ceres} {S}olver},\n"
     "  note = {\\url{http://ceres-solver.org}}\n}\n"},
    {"canudas1995",
     "@article{canudas1995,\n"
     "  author = {Canudas de Wit, C. and Olsson, H. and {\\AA}str{\\\"o}m, K. J. and Lischinsky, "
     "P.},\n"
     "  title = {A new model for control of systems with friction},\n"
     "  journal = {IEEE Transactions on Automatic Control},\n"
     "  volume = {40}, number = {3}, pages = {419--425}, year = {1995}\n}\n"},
    {"hunt1975",
     "@article{hunt1975,\n"
     "  author = {Hunt, K. H. and Crossley, F. R. E.},\n"
     "  title = {Coefficient of restitution interpreted as damping in vibroimpact},\n"
     "  journal = {Journal of Applied Mechanics},\n"
     "  volume = {42}, number = {2}, pages = {440--445}, year = {1975}\n}\n"},
    {"hayes1972",
     "@article{hayes1972,\n"
     "  author = {Hayes, W. C. and Keer, L. M. and Herrmann, G. and Mockros, L. F.},\n"
     "  title = {A mathematical analysis for indentation tests of articular cartilage},\n"
     "  journal = {Journal of Biomechanics},\n"
     "  volume = {5}, number = {5}, pages = {541--551}, year = {1972}\n}\n"},
    {"elandt2019",
     "@inproceedings{elandt2019,\n"
     "  author = {Elandt, Ryan and Drumwright, Evan and Sherman, Michael and Ruina, Andy},\n"
     "  title = {A pressure field model for fast, robust approximation of net contact force and "
     "moment between nominally rigid objects},\n"
     "  booktitle = {IEEE/RSJ International Conference on Intelligent Robots and Systems},\n"
     "  pages = {8238--8245}, year = {2019}\n}\n"},
    {"fritsch1984",
     "@article{fritsch1984,\n"
     "  author = {Fritsch, F. N. and Butland, J.},\n"
     "  title = {A method for constructing local monotone piecewise cubic interpolants},\n"
     "  journal = {SIAM Journal on Scientific and Statistical Computing},\n"
     "  volume = {5}, number = {2}, pages = {300--304}, year = {1984}\n}\n"},
    {"bell2002",
     "@article{bell2002,\n"
     "  author = {Bell, R. M. and McCaffrey, D. F.},\n"
     "  title = {Bias reduction in standard errors for linear regression with multi-stage "
     "samples},\n"
     "  journal = {Survey Methodology},\n"
     "  volume = {28}, number = {2}, pages = {169--181}, year = {2002}\n}\n"},
}};

const std::vector<StageMethod>& methods() {
  static const std::vector<StageMethod> kMethods{
      {"time",
       "The clocks of force sensor, stage and array were brought to one time base from arrival "
       "times, and the latency of the readings against the force was taken out.",
       {}},
      {"response",
       "For each tactel the readings were fitted against the force on the indenter over its centre "
       "by offset, threshold, gain and saturation, or by a monotone curve~\\cite{fritsch1984} "
       "where "
       "the evidence asked for one.",
       {"fritsch1984"}},
      {"psf",
       "The point spread was fitted as a Gaussian integrated over each tactel, together with the "
       "tactels' own gains.",
       {}},
      {"array", "The force on the whole array was read by a weighted sum of its readings.", {}},
      {"stiffness", "Stiffness was fitted to the loading branches of force over depth.", {}},
      {"relaxation",
       "Relaxation was fitted to holds at constant depth as a sum of exponentials, the loading "
       "history before each hold included.",
       {}},
      {"damping",
       "Damping was fitted to presses at several speeds; of Kelvin--Voigt and "
       "Hunt--Crossley~\\cite{hunt1975} damping the data chose.",
       {"hunt1975"}},
      {"friction",
       "Friction was fitted to whole slides, reversals included, by the LuGre "
       "model~\\cite{canudas1995}; its intervals allow for slides that differ from each "
       "other~\\cite{bell2002}.",
       {"canudas1995", "bell2002"}},
      {"hydroelastic",
       "The pad was also described as a pressure field~\\cite{elandt2019}: force is the foundation "
       "modulus times the overlap volume.",
       {"elandt2019"}},
      {"layer",
       "Young's modulus follows from the stiffness under a flat punch on a bonded layer by Hayes "
       "et "
       "al.~\\cite{hayes1972}.",
       {"hayes1972"}},
  };
  return kMethods;
}

}  // namespace

const PaperSource* paper_source(std::string_view key) {
  const auto found = std::ranges::find(kSources, key, &PaperSource::key);
  return found == kSources.end() ? nullptr : &*found;
}

const StageMethod* stage_method(std::string_view stage) {
  const auto found = std::ranges::find(methods(), stage, &StageMethod::stage);
  return found == methods().end() ? nullptr : &*found;
}

}  // namespace tactelier
