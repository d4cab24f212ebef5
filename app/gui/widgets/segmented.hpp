#pragma once
// One of a few: exclusive buttons side by side.

#include <QButtonGroup>
#include <QStringList>
#include <QWidget>

namespace tactelier::gui {

class Segmented : public QWidget {
  Q_OBJECT
 public:
  Segmented(const QString& accessible_name, const QStringList& choices, QWidget* parent = nullptr);
  int current() const { return group_.checkedId(); }
  void setCurrent(int index);
  void setChoiceText(int index, const QString& text);
  void setChoiceEnabled(int index, bool enabled, const QString& why = {});

 signals:
  void chosen(int index);

 private:
  QButtonGroup group_;
};

}  // namespace tactelier::gui
