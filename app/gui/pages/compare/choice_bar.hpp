#pragma once
// What the Compare page computes and how it shows it: methods, marks over the images, scale, unit.
// On as many lines as the window's width asks for.

#include <QStringList>
#include <QWidget>
#include <vector>

#include "app/gui/pages/compare/contact_lines.hpp"

class QCheckBox;

namespace tactelier::gui {

class NewtonSwitch;
class Segmented;

class ChoiceBar : public QWidget {
  Q_OBJECT
 public:
  /// `methods`: those that are ticked at first.
  explicit ChoiceBar(const QStringList& methods, QWidget* parent = nullptr);

  QStringList methods() const;
  void setMethods(const QStringList& methods);
  bool registered() const;
  void setRegistered(bool registered);
  Outline outline() const;
  /// Centre of force and direction are marked.
  bool centres() const;
  /// The bars are those of all images instead of the one that is shown.
  bool scaleOfAll() const;
  NewtonSwitch* unit() const { return unit_; }

 signals:
  void methodsChanged();
  /// The same images have to be shown otherwise.
  void looksChanged();

 private:
  QWidget* addGroup(const QString& title);
  Segmented* addSegments(QWidget* group, const char* name, const QString& says,
                         const QStringList& choices);
  void addMarks();
  QCheckBox* addBox(QWidget* group, const QString& name, const QString& words, const QString& tip);

  std::vector<QCheckBox*> methods_;
  QCheckBox* registered_ = nullptr;
  QCheckBox* contours_ = nullptr;
  Segmented* level_ = nullptr;
  QCheckBox* centres_ = nullptr;
  Segmented* scale_ = nullptr;
  NewtonSwitch* unit_ = nullptr;
};

}  // namespace tactelier::gui
