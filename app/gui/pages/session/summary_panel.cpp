#include "app/gui/pages/session/summary_panel.hpp"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/workflow/session_info.hpp"

namespace tactelier::gui {

SummaryPanel::SummaryPanel(QWidget* parent) : Panel(tr("Summary"), parent) {
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("summaryWords"));
  words_->setWordWrap(true);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  body()->addWidget(words_);
  const auto add = [this](const QString& words, const char* name, const QString& tip) {
    auto* made = new QPushButton(words, this);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(tip);
    body()->addWidget(made);
    return made;
  };
  fit_ = add(tr("Open in Fit"), "summaryFit", tr("Opens the recording and goes to the Fit page."));
  fit_->setProperty("look", "primary");
  resume_ = add(tr("Resume"), "summaryResume",
                tr("Goes on in this file after its last whole press: homes, finds surface and "
                   "registration again.\ntactelier record --resume"));
  more_ = add(tr("Record more"), "summaryMore", tr("Back to set-up for another file."));
  body()->addStretch(1);
  connect(fit_, &QPushButton::clicked, this, &SummaryPanel::fitWanted);
  connect(resume_, &QPushButton::clicked, this, &SummaryPanel::resumeWanted);
  connect(more_, &QPushButton::clicked, this, &SummaryPanel::moreWanted);
}

void SummaryPanel::show(const RunEnd& end) {
  const auto& recorded = end.recorded;
  const bool there = QFileInfo::exists(end.file);
  const bool complete = !end.error && recorded.complete;
  QStringList lines;
  if (end.error)
    lines << tr("<b>The recording ended early.</b>") << text(end.error->message).toHtmlEscaped();
  else
    lines << (complete ? tr("<b>The protocol is complete.</b>") : tr("<b>Ended early.</b>"))
          << tr("%1 presses in %2, %3 repeated, %4 withdrawn, %5 aborted")
                 .arg(recorded.presses)
                 .arg(clockTime(recorded.duration_s))
                 .arg(recorded.repeated)
                 .arg(recorded.undone)
                 .arg(recorded.aborted)
          << tr("peak force %1 N").arg(fixed(recorded.peak_force_N, 2));
  if (there)
    lines << tr("%1, %2").arg(QFileInfo(end.file).fileName().toHtmlEscaped(),
                              fileSize(QFileInfo(end.file).size()));
  for (const auto& finding : findings_of(end.file.toStdString()))
    lines << (finding.good ? QStringLiteral("✓ ") : QStringLiteral("▲ ")) +
                 text(finding.text).toHtmlEscaped();
  for (const auto& warning : end.warnings)
    lines << QStringLiteral("▲ ") + text(warning.text).toHtmlEscaped();
  words_->setText(lines.join(QStringLiteral("<br>")));
  fit_->setVisible(there);
  resume_->setVisible(there && !complete);
}

QWidget* SummaryPanel::first() const { return fit_->isVisibleTo(this) ? fit_ : more_; }

}  // namespace tactelier::gui
