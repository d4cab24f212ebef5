#pragma once
// Words of a command line for the clipboard.

#include <QString>

namespace tactelier::gui {

/// As a POSIX shell reads it back: 'it'\''s' where plain letters won't do.
QString shellWord(const QString& word);

}  // namespace tactelier::gui
