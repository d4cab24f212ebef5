#pragma once
// "1 press", "2 presses": the texts in the code are plural; with n = 1 the noun changes. Other
// languages bring their own translation file.

#include <QTranslator>

namespace tactelier::gui {

class EnglishPlurals : public QTranslator {
  Q_OBJECT
 public:
  using QTranslator::QTranslator;
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* text, const char* disambiguation,
                    int n) const override;
};

}  // namespace tactelier::gui
