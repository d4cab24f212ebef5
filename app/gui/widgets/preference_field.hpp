#pragma once
// A text field that shows and changes a preference, the same wherever it stands.

#include <QString>

class QLineEdit;

namespace tactelier::gui {

class Preferences;

/// `preferences` outlives the field.
void bindField(QLineEdit* field, Preferences& preferences, QString (Preferences::*get)() const,
               void (Preferences::*set)(const QString&));

}  // namespace tactelier::gui
