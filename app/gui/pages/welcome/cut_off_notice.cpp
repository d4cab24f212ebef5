#include "app/gui/pages/welcome/cut_off_notice.hpp"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {

CutOffNotice::CutOffNotice(const CutOff& cut, QWidget* parent) : QFrame(parent) {
  setProperty("look", "notice");
  setObjectName(QStringLiteral("cutOffNotice"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(4);
  auto* top = new QHBoxLayout;
  auto* head = new QLabel(tr("A recording ended without closing"), this);
  head->setFont(theme().font(Type::kBold));
  auto* name = new QLabel(QFileInfo(cut.file).fileName(), this);
  name->setToolTip(cut.file);
  name->setProperty("look", "caption");
  top->addWidget(head, 1);
  top->addWidget(name);
  column->addLayout(top);
  auto* words =
      new QLabel(tr("%n presses are whole; the file is good up to %1, at most 0.25 s is missing. "
                    "Resuming homes the stage first, and nothing moves until you say so.",
                    nullptr, cut.presses)
                     .arg(clockTime(cut.length_s)),
                 this);
  words->setWordWrap(true);
  column->addWidget(words);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  const auto add = [&](const QString& text, const char* id, const QString& tip) {
    auto* made = new QPushButton(text, this);
    made->setObjectName(QLatin1String(id));
    made->setToolTip(tip);
    row->addWidget(made);
    return made;
  };
  const auto file = cut.file;
  connect(add(tr("Resume…"), "cutOffResume",
              tr("Goes to the Session page with this file chosen.\ntactelier record --resume")),
          &QPushButton::clicked, this, [this, file] { emit resumeWanted(file); });
  connect(add(tr("Open as it is"), "cutOffOpen", tr("Shows what was recorded.")),
          &QPushButton::clicked, this, [this, file] { emit openWanted(file); });
  connect(add(tr("Later"), "cutOffLater",
              tr("Away until the program starts again. The Library shows it as unfinished.")),
          &QPushButton::clicked, this, [this, file] { emit later(file); });
  row->addStretch(1);
  column->addLayout(row);
  setAccessibleName(head->text() + QStringLiteral(": ") + name->text() + QStringLiteral(". ") +
                    words->text());
}

}  // namespace tactelier::gui
