#include "app/gui/text/english_plurals.hpp"

namespace tactelier::gui {

QString EnglishPlurals::translate(const char*, const char* text, const char*, int n) const {
  static constexpr const char* kNouns[][2] = {
      {"%n entries", "%n entry"},  {"%n presses", "%n press"}, {"%n samples", "%n sample"},
      {"%n tactels", "%n tactel"}, {"%n rows", "%n row"},      {"%n more places", "%n more place"},
  };
  if (n != 1) return {};  // the text as it is
  auto words = QString::fromUtf8(text);
  for (const auto& [many, one] : kNouns) words.replace(QLatin1String(many), QLatin1String(one));
  return words;
}

}  // namespace tactelier::gui
