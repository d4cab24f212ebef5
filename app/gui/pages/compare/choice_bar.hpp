#pragma once
// What the Compare page computes and how it shows it: methods, outlines, scale. On as many lines as
// the window's width asks for.

#include <QStringList>
#include <QWidget>
#include <vector>

class QCheckBox;

namespace tactelier::gui {

class Segmented;

class ChoiceBar : public QWidget {
  Q_OBJECT
 public:
  /// `methods`: those that are ticked at first.
  explicit ChoiceBar(const QStringList& methods, QWidget* parent = nullptr);

  QStringList methods() const;
  void setMethods(const QStringList& methods);
  bool contours() const;
  /// The bars are those of all images instead of the one that is shown.
  bool scaleOfAll() const;

 signals:
  void methodsChanged();
  /// The same images have to be shown otherwise.
  void looksChanged();

 private:
  QWidget* addGroup(const QString& title);
  QCheckBox* addBox(QWidget* group, const QString& name, const QString& words, const QString& tip);

  std::vector<QCheckBox*> methods_;
  QCheckBox* contours_ = nullptr;
  Segmented* scale_ = nullptr;
};

}  // namespace tactelier::gui
