#pragma once
// "A recording ended without closing": what is whole of it, and the ways on.

#include <QFrame>

#include "app/gui/state/cut_off.hpp"

namespace tactelier::gui {

class CutOffNotice : public QFrame {
  Q_OBJECT
 public:
  explicit CutOffNotice(const CutOff& cut, QWidget* parent = nullptr);

 signals:
  void resumeWanted(const QString& file);
  void openWanted(const QString& file);
  void later(const QString& file);
};

}  // namespace tactelier::gui
