#pragma once
// The start: try it without hardware, connect, open; recordings that were cut off; recent files.

#include <QHash>
#include <QSet>

#include "app/gui/state/cut_off.hpp"
#include "app/gui/widgets/page.hpp"

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace tactelier::gui {

class Panel;

class WelcomePage : public Page {
  Q_OBJECT
 public:
  explicit WelcomePage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override { return try_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void fillRecent();
  void readPictures(const QHash<QString, QLabel*>& labels);
  QWidget* buildLeft();
  QWidget* buildCards(QWidget* parent);
  QWidget* buildLinks(QWidget* parent);
  void lookForCutOff();
  void showCutOff(const std::vector<CutOff>& found);

  QWidget* try_ = nullptr;
  QVBoxLayout* notices_ = nullptr;
  QSet<QString> later_;
  QCheckBox* at_start_ = nullptr;
  Panel* recent_ = nullptr;
};

}  // namespace tactelier::gui
