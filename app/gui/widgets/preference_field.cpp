#include "app/gui/widgets/preference_field.hpp"

#include <QLineEdit>

#include "app/gui/state/preferences.hpp"

namespace tactelier::gui {

void bindField(QLineEdit* field, Preferences& preferences, QString (Preferences::*get)() const,
               void (Preferences::*set)(const QString&)) {
  const auto show = [field, &preferences, get] {
    const auto wanted = (preferences.*get)();
    if (field->text().trimmed() != wanted) field->setText(wanted);  // not while one types a blank
  };
  show();
  QObject::connect(field, &QLineEdit::textChanged, &preferences, set);
  QObject::connect(&preferences, &Preferences::changed, field, show);
}

}  // namespace tactelier::gui
