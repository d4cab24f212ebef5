#pragma once
// What came of the last sensor, to be read from three metres.

#include <QFrame>

#include "app/gui/pages/station/verdict_words.hpp"

class QLabel;

namespace tactelier::gui {

class VerdictCard : public QFrame {
  Q_OBJECT
 public:
  explicit VerdictCard(QWidget* parent = nullptr);
  void show(const StationLabel& label);
  void showNotMeasured(const QString& serial, const QString& why);
  void clear();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void put(const QString& serial, const VerdictLook& look, const QStringList& reasons);
  void restyle();

  std::optional<VerdictLook> look_;
  QLabel* shape_;
  QLabel* word_;
  QLabel* serial_;
  QLabel* reasons_;
  QLabel* todo_;
};

}  // namespace tactelier::gui
