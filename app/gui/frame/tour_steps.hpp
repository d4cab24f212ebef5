#pragma once
// The steps of the tour, on the window's own parts.

#include <vector>

#include "app/gui/frame/tour.hpp"

namespace tactelier::gui {

class Actions;
class AppState;
class BenchDevices;
class RigLink;

struct TourContext {
  AppState& state;
  RigLink& rig;
  BenchDevices& bench;
  Actions& actions;
};

/// All outlive the steps.
std::vector<TourStep> tourSteps(const TourContext& context, TourRecordings& recordings);

}  // namespace tactelier::gui
