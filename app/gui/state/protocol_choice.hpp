#pragma once
// What the Session page is to record next, as the Protocol page chose it.

#include <QObject>
#include <QString>
#include <optional>

namespace tactelier::gui {

class ProtocolChoice : public QObject {
  Q_OBJECT
 public:
  struct Choice {
    QString protocol;  // name or file; "" where presses choose themselves
    QString targets;   // then: "gain 2 %, sigma 1 %"
    double minutes = 0;

    bool operator==(const Choice&) const = default;
  };
  using QObject::QObject;

  const std::optional<Choice>& choice() const { return choice_; }
  void choose(const Choice& choice) {
    choice_ = choice;
    emit chosen();
  }

 signals:
  void chosen();

 private:
  std::optional<Choice> choice_;
};

}  // namespace tactelier::gui
