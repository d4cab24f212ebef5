// The Import page: what a preview says, put where it is shown.

#include <QAction>
#include <QFileInfo>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTableWidget>
#include <cmath>

#include "app/gui/pages/import/import_page.hpp"
#include "app/gui/pages/import/import_plot.hpp"
#include "app/gui/pages/import/question_panel.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/panel.hpp"

namespace tactelier::gui {
namespace {

QString firstWords(const std::vector<double>& values) {
  QStringList words;
  for (const double value : values)
    words << (std::isfinite(value) ? QString::number(value, 'g', 6) : QStringLiteral("–"));
  return words.join(QStringLiteral("  "));
}

}  // namespace

void ImportPage::show(const ImportPreview& preview) {
  guessed_ = preview.guessed;
  if (!own_map_) {
    const QSignalBlocker quiet(map_);
    map_->setPlainText(text(guessed_.text));
  }
  importable_ = !preview.refused;
  import_->setEnabled(importable_);
  setHeaderState(importable_ ? tr("%1 · %2 rows, %3 tactels, %4")
                                   .arg(QFileInfo(source_).fileName())
                                   .arg(preview.report.rows)
                                   .arg(preview.tactels)
                                   .arg(spanWords(preview.spans))
                             : tr("%1 · can't be imported so").arg(QFileInfo(source_).fileName()));
  showColumns();
  showPlots(preview);
  questions_->ask(guessed_.questions);
  QStringList sentences;
  for (const auto& sentence : guessed_.understood) sentences << text(sentence);
  understood_->setText(sentences.isEmpty() ? tr("Nothing besides the columns.")
                                           : sentences.join(QChar('\n')));
  showMessages(&preview, {});
}

void ImportPage::showColumns() {
  columns_->setRowCount(static_cast<int>(guessed_.columns.size()));
  for (int row = 0; row < columns_->rowCount(); ++row) {
    const auto& column = guessed_.columns[static_cast<std::size_t>(row)];
    const QString cells[] = {text(column.name), text(column.target), text(column.unit),
                             firstWords(column.first), text(column.why)};
    for (int i = 0; i <= kWhy; ++i) {
      auto* item = new QTableWidgetItem(cells[i]);
      item->setToolTip(cells[i]);
      if (column.target == "ignore") item->setForeground(theme().color(Token::kText2));
      columns_->setItem(row, i, item);
    }
  }
  const int widths[] = {110, 110, 54, 190};
  for (int i = 0; i < kWhy; ++i) columns_->setColumnWidth(i, theme().px(widths[i]));
}

void ImportPage::showPlots(const ImportPreview& preview) {
  spans_ = preview.spans;
  legend_->setText(spanLegend(spans_));
  const auto shown = static_cast<int>(preview.readings.size());
  found_->setCaption(
      shown < preview.tactels
          ? tr("readings: the %1 of %2 tactels that move most").arg(shown).arg(preview.tactels)
          : QString());
  const auto none = preview.refused ? tr("Nothing to draw before the map is right.") : QString();
  force_->show({preview.force}, preview.spans, tr("Force F [N]"), 1,
               none.isEmpty() ? tr("The table holds no force.") : none);
  readings_->show(preview.readings, preview.spans, tr("Readings"), 1,
                  none.isEmpty() ? tr("The table holds no readings.") : none);
}

void ImportPage::showMessages(const ImportPreview* preview, const QString& trouble) {
  QStringList lines;
  if (!trouble.isEmpty()) lines << QStringLiteral("■ ") + trouble;
  if (preview != nullptr && preview->refused)
    lines << QStringLiteral("■ ") + text(preview->refused->message)
          << tr("Answer what is asked, or edit the map (Columns, Map): each change is tried at "
                "once.");
  if (preview != nullptr)
    for (const auto& warning : preview->report.warnings)
      lines << QStringLiteral("▲ %1%2").arg(
          warning.where.empty() ? QString() : text(warning.where) + QStringLiteral(": "),
          text(warning.text));
  messages_->setText(lines.isEmpty() ? tr("● Nothing is wrong with it.") : lines.join(QChar('\n')));
  import_->setEnabled(importable_);
}

}  // namespace tactelier::gui
