#pragma once
// What the Session page is to record next, as the Protocol page chose it; and what other pages want
// to have in a protocol.

#include <QObject>
#include <QString>
#include <optional>
#include <utility>

namespace tactelier::gui {

class ProtocolChoice : public QObject {
  Q_OBJECT
 public:
  struct Choice {
    QString protocol;  // name or file; "" where presses choose themselves
    QString targets;   // then: "gain 2 %, sigma 1 %"
    double minutes = 0;
    QString refresh = {};  // or: model whose sensor is looked at for changes

    bool operator==(const Choice&) const = default;
  };
  using QObject::QObject;

  const std::optional<Choice>& choice() const { return choice_; }
  void choose(const Choice& choice) {
    choice_ = choice;
    emit chosen();
  }

  /// "P5": a number asks for it.
  void want(const QString& protocol) {
    wanted_ = protocol;
    emit wantedMore();
  }
  /// Once.
  QString takeWanted() { return std::exchange(wanted_, {}); }

 signals:
  void chosen();
  void wantedMore();

 private:
  std::optional<Choice> choice_;
  QString wanted_;
};

}  // namespace tactelier::gui
