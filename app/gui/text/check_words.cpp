#include "app/gui/text/check_words.hpp"

#include <QCoreApplication>
#include <algorithm>

#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

QString tr(const char* words, int n = -1) {
  return QCoreApplication::translate("Check", words, nullptr, n);
}

constexpr std::size_t kPlacesNamed = 4;

QString wholePresses(int whole, int presses) {
  return tr("%1 of %2 presses are whole").arg(whole).arg(presses);
}

}  // namespace

QString checkWords(const SessionReport& report) {
  if (report.whole()) {
    std::uint64_t samples = 0;
    for (const auto& stream : report.streams) samples += stream.rows;
    auto words = tr("Every checksum holds: %1, %2 samples, %3.")
                     .arg(tr("%n streams", static_cast<int>(report.streams.size())),
                          fixed(static_cast<double>(samples), 0), tr("%n presses", report.presses));
    if (!report.finished)
      words += tr(" The recording was cut off; what was stored until then is whole.");
    return words;
  }
  auto words = tr("Damaged in %n places. ", static_cast<int>(report.damage.size())) +
               wholePresses(report.presses_whole, report.presses) + QLatin1Char('.');
  for (std::size_t i = 0; i < std::min(report.damage.size(), kPlacesNamed); ++i)
    words += QStringLiteral("\n• ") + text(report.damage[i].describe());
  if (report.damage.size() > kPlacesNamed)
    words += QLatin1Char('\n') +
             tr("and %n more", static_cast<int>(report.damage.size() - kPlacesNamed));
  return words;
}

Message damageMessage(const QString& name, const DamageReport& check, const QString& path) {
  const auto places = static_cast<int>(check.damage.size());
  auto happened = tr("%1 is damaged: %2").arg(name, text(check.damage.front().describe()));
  if (places > 1) happened += tr(" (and %n more places)", places - 1);
  return {Message::Level::kBad, happened,
          tr("It is open read-only, nothing in the file is changed; %1.")
              .arg(wholePresses(check.presses_whole(), check.presses)),
          tr("Go on with these: fits leave the damaged intervals out. Or restore a copy."), path};
}

}  // namespace tactelier::gui
