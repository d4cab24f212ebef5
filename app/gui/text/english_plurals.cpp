#include "app/gui/text/english_plurals.hpp"

namespace tactelier::gui {

QString EnglishPlurals::translate(const char*, const char* text, const char*, int n) const {
  static constexpr const char* kNouns[][2] = {
      {"%n entries", "%n entry"},
      {"%n events", "%n event"},
      {"%n presses", "%n press"},
      {"%n steps", "%n step"},
      {"%n numbers", "%n number"},
      {"%n samples", "%n sample"},
      {"%n tactels", "%n tactel"},
      {"%n rows", "%n row"},
      {"%n more places", "%n more place"},
      {"%n places", "%n place"},
      {"%n streams", "%n stream"},
      {"%n lines", "%n line"},
      {"%n values were", "%n value was"},
      {"%n values", "%n value"},
      {"%n need", "%n needs"},
      {"%n recordings", "%n recording"},
      {"%n warnings", "%n warning"},
      {"%n readings", "%n reading"},
      {"%n loads", "%n load"},
      {"%n slides", "%n slide"},
      {"%n holds", "%n hold"},
      {"%n branches", "%n branch"},
      {"%n files", "%n file"},
      {"%n images", "%n image"},
      {"%n draws", "%n draw"},
  };
  if (n != 1) return {};  // the text as it is
  auto words = QString::fromUtf8(text);
  for (const auto& [many, one] : kNouns) words.replace(QLatin1String(many), QLatin1String(one));
  return words;
}

}  // namespace tactelier::gui
