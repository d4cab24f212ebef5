// The plots of the stages.

#include "app/gui/pages/fit/contact_plot.hpp"
#include "app/gui/pages/fit/damping_plot.hpp"
#include "app/gui/pages/fit/friction_plot.hpp"
#include "app/gui/pages/fit/hydro_plot.hpp"
#include "app/gui/pages/fit/joint_view.hpp"
#include "app/gui/pages/fit/psf_plot.hpp"
#include "app/gui/pages/fit/relaxation_plot.hpp"
#include "app/gui/pages/fit/response_plot.hpp"
#include "app/gui/pages/fit/stage_figures.hpp"
#include "app/gui/pages/fit/stage_plot.hpp"
#include "app/gui/pages/fit/stiffness_plot.hpp"

namespace tactelier::gui {
namespace {

template <class T>
StagePlot* make(AppState& state, QWidget* parent) {
  return new T(state, parent);
}

}  // namespace

const std::vector<StagePlotInfo>& stagePlots() {
  static const std::vector<StagePlotInfo> kPlots{
      {"contact", make<ContactPlot>},
      {"response", make<ResponsePlot>},
      {"stiffness", make<StiffnessPlot>},
      {"relaxation", make<RelaxationPlot>},
      {"damping", make<DampingPlot>},
      {"friction", make<FrictionPlot>},
      {"psf", make<PsfPlot>},
      {"hydroelastic", make<HydroPlot>},
      {"joint", make<JointView>},
  };
  return kPlots;
}

StagePlot* makeStagePlot(const std::string& stage, AppState& state, QWidget* parent) {
  for (const auto& info : stagePlots())
    if (info.stage == stage) return info.create(state, parent);
  return new StageFigures(stage, state, parent);
}

}  // namespace tactelier::gui
