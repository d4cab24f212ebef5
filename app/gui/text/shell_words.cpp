#include "app/gui/text/shell_words.hpp"

#include <algorithm>

namespace tactelier::gui {

QString shellWord(const QString& word) {
  static const auto plain = QStringLiteral("/._-+=:@%,");
  const bool safe = std::all_of(word.begin(), word.end(), [](QChar letter) {
    return letter.isLetterOrNumber() || plain.contains(letter);
  });
  if (safe && !word.isEmpty()) return word;
  return QLatin1Char('\'') + QString(word).replace('\'', QStringLiteral("'\\''")) +
         QLatin1Char('\'');
}

}  // namespace tactelier::gui
