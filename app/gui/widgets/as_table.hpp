#pragma once
// The same data as words and numbers: what a plot or a map shows, for screen readers and for
// copying (docs/desktop-app.md 8).

#include <QStringList>
#include <vector>

namespace tactelier::gui {

struct TableContent {
  QStringList columns;
  std::vector<QStringList> rows;  // as many cells as there are columns

  /// With a header line; cells that hold commas or quotes are quoted.
  QString toCsv() const;
};

class TableSource {
 public:
  virtual ~TableSource() = default;
  /// What is visible now.
  virtual TableContent asTable() const = 0;
};

}  // namespace tactelier::gui
