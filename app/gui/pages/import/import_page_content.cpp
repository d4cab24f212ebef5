// The Import page: what a preview says, put where it is shown, and what the page says of itself.

#include <QAction>
#include <QCheckBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "app/gui/pages/import/import_columns.hpp"
#include "app/gui/pages/import/import_page.hpp"
#include "app/gui/pages/import/import_plot.hpp"
#include "app/gui/pages/import/question_panel.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/text/shell_words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/panel.hpp"

namespace tactelier::gui {
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

void ImportPage::showColumns() { columns_->show(guessed_, map_->toPlainText().toStdString()); }

void ImportPage::showPlots(const ImportPreview& preview) {
  spans_ = preview.spans;
  legend_->setText(spanLegend(spans_));
  const auto shown = static_cast<int>(preview.readings.size());
  found_->setCaption(
      shown < preview.tactels
          ? tr("readings: the %1 of %2 tactels that move most").arg(shown).arg(preview.tactels)
          : QString());
  const auto none = preview.refused ? tr("Nothing to draw before the map is right.") : QString();
  const auto across = preview.at_rest ? tr("Row at rest, the first is 0") : tr("Time t [s]");
  force_->show({preview.force}, preview.spans, across, tr("Force F [N]"),
               none.isEmpty() ? tr("The table holds no force.") : none);
  readings_->show(preview.readings, preview.spans, across, tr("Readings"),
                  none.isEmpty() ? tr("The table holds no readings.") : none);
}

void ImportPage::showMessages(const ImportPreview* preview, const QString& trouble) {
  QStringList lines;
  if (!trouble.isEmpty()) lines << QStringLiteral("■ ") + trouble;
  if (preview != nullptr && preview->refused)
    lines << QStringLiteral("■ ") + text(preview->refused->message)
          << tr("Answer what is asked, pick what a column is, or edit the map (Columns, Map): each "
                "change is tried at "
                "once.");
  if (preview != nullptr)
    for (const auto& warning : preview->report.warnings)
      lines << QStringLiteral("▲ %1%2").arg(
          warning.where.empty() ? QString() : text(warning.where) + QStringLiteral(": "),
          text(warning.text));
  messages_->setText(lines.isEmpty() ? tr("● Nothing is wrong with it.") : lines.join(QChar('\n')));
  import_->setEnabled(importable_);
}

QString ImportPage::asCommand() const {
  if (source_.isEmpty()) return {};
  const auto import =
      QStringLiteral("tactelier import %1 --map %2 -o %3%4")
          .arg(shellWord(source_), shellWord(map_file_->text()), shellWord(target_->text()),
               replace_->isChecked() ? QStringLiteral(" --force") : QString());
  if (own_map_) return import;
  const auto options = questions_->options();
  return QStringLiteral("tactelier import %1 --guess%2 --map %3 --import -o %4%5")
      .arg(shellWord(source_), options.isEmpty() ? QString() : QChar(' ') + options,
           shellWord(map_file_->text()), shellWord(target_->text()),
           replace_->isChecked() ? QStringLiteral(" --force") : QString());
}

QString ImportPage::whyNoCommand() const { return tr("Choose a table first."); }

QString ImportPage::helpText() const {
  return tr(
      "<p>A table from elsewhere: what each column is taken for and why, and the presses, holds "
      "and rests that the import finds with that, shaded. The picture is read back from a trial "
      "import; nothing is written before <i>Import and fit</i>.</p>"
      "<p><i>Not in the table</i> asks what no table says; leave open what you don't know. Where "
      "the guess is wrong, pick another <i>Is</i> or <i>Unit</i> in the table (click, or Enter), "
      "or "
      "edit the <i>Map</i>: each change is tried at once. It is written beside "
      "the table, so that the same import can be made again, by the command line too.</p>");
}

}  // namespace tactelier::gui
