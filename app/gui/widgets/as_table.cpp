#include "app/gui/widgets/as_table.hpp"

namespace tactelier::gui {
namespace {

QString line(const QStringList& cells) {
  QStringList quoted;
  for (auto cell : cells) {
    if (cell.contains(QLatin1Char(',')) || cell.contains(QLatin1Char('"')))
      cell = QLatin1Char('"') + cell.replace(QStringLiteral("\""), QStringLiteral("\"\"")) +
             QLatin1Char('"');
    quoted << cell;
  }
  return quoted.join(QLatin1Char(',')) + QLatin1Char('\n');
}

}  // namespace

QString TableContent::toCsv() const {
  auto text = line(columns);
  for (const auto& row : rows) text += line(row);
  return text;
}

}  // namespace tactelier::gui
