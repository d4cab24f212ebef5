#pragma once
// What stiffness, damping and relaxation share: how their numbers hang together, and the figures of
// the joint fit.

#include "app/gui/pages/fit/stage_figures.hpp"

class QLabel;

namespace tactelier::gui {

class CorrelationTable;

class JointView : public StageFigures {
  Q_OBJECT
 public:
  explicit JointView(AppState& state, QWidget* parent = nullptr);
  void refresh() override;
  bool wantsMap() const override { return false; }
  CorrelationTable* correlation() const { return correlation_; }

 private:
  QLabel* words_;
  CorrelationTable* correlation_;
};

}  // namespace tactelier::gui
