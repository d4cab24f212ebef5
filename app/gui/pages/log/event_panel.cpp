#include "app/gui/pages/log/event_panel.hpp"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/gui/item_models/event_model.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/workflow/workflow_facts.hpp"
#include "reports/code_book.hpp"

namespace tactelier::gui {
namespace {

QLabel* paragraph(QWidget* parent, const char* name) {
  auto* label = new QLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setWordWrap(true);
  label->setTextFormat(Qt::RichText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

}  // namespace

EventPanel::EventPanel(std::function<QString(const QString&)> title_of, QWidget* parent)
    : Panel(tr("Event"), parent), title_of_(std::move(title_of)) {
  auto* inside = new QWidget(this);
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(8);
  words_ = paragraph(inside, "eventWords");
  code_ = paragraph(inside, "eventCode");
  code_->setProperty("look", "caption");
  column->addWidget(words_);
  column->addWidget(code_);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(inside);
  // The panel's ground, not the window's.
  inside->setAutoFillBackground(false);
  scroll->viewport()->setAutoFillBackground(false);
  const auto size = [scroll] { scroll->setMinimumHeight(theme().px(72)); };
  size();
  connect(&theme(), &Theme::changed, scroll, size);
  setBodyMargins(0);
  body()->addWidget(scroll, 1);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 0, 12, 12);
  row->setSpacing(8);
  file_ = new QPushButton(this);
  file_->setObjectName(QStringLiteral("eventFile"));
  page_ = new QPushButton(this);
  page_->setObjectName(QStringLiteral("eventPage"));
  page_->setToolTip(tr("The page that was in front, or where one deals with it."));
  row->addWidget(file_);
  row->addWidget(page_);
  row->addStretch(1);
  body()->addLayout(row);
  connect(file_, &QPushButton::clicked, this, [this] { emit fileWanted(shown_.about); });
  connect(page_, &QPushButton::clicked, this, [this] { emit pageWanted(shown_.page); });
  show(nullptr);
}

QString EventPanel::meaningOf(const QString& code) {
  if (book_.empty()) book_ = code_book(command_tables());
  const auto wanted = code.toStdString();
  for (const auto& fact : book_)
    if (fact.code == wanted)
      return tr("<b>%1</b>: %2. %3 %4")
          .arg(code.toHtmlEscaped(), text(fact.cause).toHtmlEscaped(),
               text(fact.meaning).toHtmlEscaped(), text(fact.remedy).toHtmlEscaped());
  return {};
}

void EventPanel::show(const LogEvent* event) {
  shown_ = event != nullptr ? event->message : Message{};
  setCaption(event != nullptr ? eventTime(*event) + QStringLiteral(" · ") + levelWords(shown_.level)
                              : QString());
  QStringList lines;
  if (event == nullptr)
    lines << tr("No event is chosen.");
  else
    lines << QStringLiteral("<b>%1</b>").arg(shown_.happened.toHtmlEscaped());
  for (const auto& more : {shown_.safe, shown_.todo, shown_.about})
    if (!more.isEmpty()) lines << more.toHtmlEscaped();
  words_->setText(lines.join(QStringLiteral("<br>")));
  const auto meaning = shown_.code.isEmpty() ? QString() : meaningOf(shown_.code);
  code_->setText(meaning);
  code_->setVisible(!meaning.isEmpty());
  const QFileInfo info(shown_.about);
  file_->setVisible(!shown_.about.isEmpty());
  file_->setText(tr("Open %1").arg(info.fileName()));
  file_->setEnabled(info.exists());
  file_->setToolTip(info.exists() ? shown_.about
                                  : tr("%1 is not there any more.").arg(shown_.about));
  const auto title = shown_.page.isEmpty() ? QString() : title_of_(shown_.page);
  page_->setVisible(!title.isEmpty());
  page_->setText(tr("Go to %1").arg(title));
}

}  // namespace tactelier::gui
