#include "app/gui/frame/help_dialog.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextList>
#include <QTextTable>
#include <QVBoxLayout>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {

QString manualFolder() {
  QDir folder(QCoreApplication::applicationDirPath());
  if (const auto packaged = folder.filePath(QStringLiteral("../share/doc/tactelier/docs"));
      QDir(packaged).exists())
    return QDir::cleanPath(packaged);
  do {
    if (folder.exists(QStringLiteral("docs/codes.md")))
      return folder.filePath(QStringLiteral("docs"));
  } while (folder.cdUp());
  return {};
}

namespace {

bool isCode(const QTextBlock& block) {
  return block.isValid() && block.blockFormat().hasProperty(QTextFormat::BlockCodeFence);
}

/// Commands and what they print are fences of their own, told apart by the language they state.
bool sameFence(const QTextBlock& a, const QTextBlock& b) {
  return isCode(a) && isCode(b) &&
         a.blockFormat().stringProperty(QTextFormat::BlockCodeLanguage) ==
             b.blockFormat().stringProperty(QTextFormat::BlockCodeLanguage);
}

void spaceTable(QTextTable& table) {
  auto format = table.format();
  format.setBorder(1);
  format.setBorderCollapse(true);
  format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
  format.setBorderBrush(theme().color(Token::kBorder));
  format.setCellSpacing(0);
  format.setCellPadding(theme().px(5));
  format.setBottomMargin(theme().px(12));
  table.setFormat(format);
}

}  // namespace

ManualView::ManualView(QWidget* parent) : QTextBrowser(parent) {
  document()->setDocumentMargin(theme().px(16));
  connect(&theme(), &Theme::changed, this, &ManualView::typeset);
}

void ManualView::doSetSource(const QUrl& name, QTextDocument::ResourceType type) {
  QTextBrowser::doSetSource(name, type);
  typeset();
}

void ManualView::typeset() {
  QTextCursor cursor(document());
  cursor.beginEditBlock();
  for (auto block = document()->begin(); block.isValid(); block = block.next()) {
    cursor.setPosition(block.position());
    if (cursor.currentTable() != nullptr) continue;
    auto format = block.blockFormat();
    if (isCode(block)) {
      format.setBackground(theme().color(Token::kSunken));
      format.setLeftMargin(theme().px(8));
      format.setTopMargin(sameFence(block.previous(), block) ? 0 : theme().px(8));
      format.setBottomMargin(sameFence(block, block.next()) ? 0 : theme().px(8));
    } else if (format.headingLevel() > 0) {
      format.setTopMargin(block.blockNumber() == 0 ? 0 : theme().px(18));
      format.setBottomMargin(theme().px(6));
    } else {
      format.setBottomMargin(theme().px(block.textList() != nullptr ? 3 : 8));
    }
    cursor.setBlockFormat(format);
  }
  for (auto* frame : document()->rootFrame()->childFrames())
    if (auto* table = qobject_cast<QTextTable*>(frame)) spaceTable(*table);
  cursor.endEditBlock();
  document()->clearUndoRedoStacks();
}

QVariant ManualView::loadResource(int type, const QUrl& name) {
  const auto resource = QTextBrowser::loadResource(type, name);
  if (type != QTextDocument::ImageResource) return resource;
  auto picture = resource.value<QImage>();
  if (picture.isNull()) picture.loadFromData(resource.toByteArray());
  const int widest = window()->width() - theme().px(80);  // the view may not be laid out yet
  return picture.width() <= widest ? picture
                                   : picture.scaledToWidth(widest, Qt::SmoothTransformation);
}

HelpDialog::HelpDialog(const QString& title, const QString& words, const QString& page,
                       QWidget* parent)
    : QDialog(parent) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Help: %1").arg(title));
  const int width = theme().px(920);
  resize(width, theme().px(720));
  auto* column = new QVBoxLayout(this);
  auto* paragraph = new QTextBrowser(this);
  paragraph->setObjectName(QStringLiteral("helpWords"));
  paragraph->setAccessibleName(tr("About this page"));
  paragraph->setHtml(words);
  paragraph->document()->setTextWidth(width - theme().px(32));
  const int words_height =
      qRound(paragraph->document()->size().height()) + 2 * paragraph->frameWidth();
  paragraph->setFixedHeight(qMin(words_height, theme().px(220)));
  column->addWidget(paragraph);
  auto* foot = new QHBoxLayout;
  const QDir manual(manualFolder());
  if (manualFolder().isEmpty() || !manual.exists(page)) {
    foot->addWidget(new QLabel(tr("The manual is not installed."), this), 1);
  } else {
    auto* view = new ManualView(this);
    view->setObjectName(QStringLiteral("manual"));
    view->setAccessibleName(tr("Manual"));
    view->setOpenExternalLinks(true);
    column->addWidget(view, 1);
    auto* back = new QPushButton(tr("Back"), this);
    back->setEnabled(false);
    connect(view, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(back, &QPushButton::clicked, view, &QTextBrowser::backward);
    auto* contents = new QPushButton(tr("Contents"), this);
    connect(contents, &QPushButton::clicked, view, [view, manual] {
      view->setSource(QUrl::fromLocalFile(manual.filePath(QStringLiteral("README.md"))));
    });
    foot->addWidget(back);
    foot->addWidget(contents);
    foot->addStretch(1);
    view->setSource(QUrl::fromLocalFile(manual.filePath(page)));
  }
  auto* close = new QPushButton(tr("Close"), this);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  foot->addWidget(close);
  column->addLayout(foot);
}

}  // namespace tactelier::gui
