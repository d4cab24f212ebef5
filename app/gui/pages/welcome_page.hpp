#pragma once
// The start: open a recording, open the example, recent files.

#include "app/gui/frame/page.hpp"

class QCheckBox;

namespace tactelier::gui {

class Panel;

class WelcomePage : public Page {
  Q_OBJECT
 public:
  explicit WelcomePage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override { return open_; }

 private:
  void fillRecent();
  QWidget* buildLeft();

  QWidget* open_ = nullptr;
  QCheckBox* at_start_ = nullptr;
  Panel* recent_ = nullptr;
};

}  // namespace tactelier::gui
