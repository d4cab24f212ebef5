#pragma once
// The columns of a table that is to be imported: what each is, in which unit, its first rows and
// why. What it is and its unit are picked in the table, by mouse or key.

#include <QTableWidget>

#include "libcalib/import/guess/guess_map.hpp"

namespace tactelier::gui {

class ImportColumns : public QTableWidget {
  Q_OBJECT
 public:
  enum Column { kName, kTarget, kUnit, kFirst, kWhy };
  explicit ImportColumns(QWidget* parent = nullptr);
  /// What `map_text` says of the columns; of those that it does not name, what was guessed.
  void show(const GuessedMap& guessed, const std::string& map_text);

 signals:
  /// Somebody picked something else.
  void picked(const QString& column, const QString& target, const QString& unit);

 private:
  void tellPicked(QTableWidgetItem* item);
};

}  // namespace tactelier::gui
