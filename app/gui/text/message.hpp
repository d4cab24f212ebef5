#pragma once
// What the message bar says: what happened, what is safe now, what to do (docs/desktop-app.md 5).

#include <QString>

#include "libcalib/result.hpp"

namespace tactelier::gui {

struct Message {
  enum class Level { kInfo, kLook, kBad };
  Level level = Level::kBad;
  QString happened;
  QString safe;
  QString todo;
  QString about{};   // a file: a newer message about it takes the place of the older one
  QString code{};    // "CV-06" of docs/codes.md, or the limit that acted: "pad force"
  QString page{};    // where one deals with it; "" for the page in front
  QString matter{};  // what may be over by itself (Notifications::settled); "" for none

  bool operator==(const Message&) const = default;
};

inline QString text(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

}  // namespace tactelier::gui
