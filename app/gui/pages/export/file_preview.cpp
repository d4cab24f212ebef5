#include "app/gui/pages/export/file_preview.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QToolButton>
#include <algorithm>

#include "app/gui/text/message.hpp"
#include "app/gui/theme/icons.hpp"

namespace tactelier::gui {
namespace {

constexpr qsizetype kLinesShown = 4000;  // laying out more would hold up the window

/// XML tags, JSON keys, quoted text, XML comments (which may run over lines).
class MarkupColors : public QSyntaxHighlighter {
 public:
  using QSyntaxHighlighter::QSyntaxHighlighter;

 protected:
  void highlightBlock(const QString& line) override {
    static const QRegularExpression tag(QStringLiteral("</?[\\w:.-]+|/?>|\"[^\"]*\"(?=\\s*:)"));
    static const QRegularExpression quoted(QStringLiteral("\"[^\"]*\"(?!\\s*:)"));
    color(line, quoted, Token::kOk);
    color(line, tag, Token::kAccent);
    setCurrentBlockState(0);
    qsizetype from = previousBlockState() == 1 ? 0 : line.indexOf(QStringLiteral("<!--"));
    while (from >= 0) {
      const auto end = line.indexOf(QStringLiteral("-->"), from);
      if (end < 0) setCurrentBlockState(1);
      const auto length = end < 0 ? line.size() - from : end + 3 - from;
      setFormat(int(from), int(length), theme().color(Token::kText2));
      from = end < 0 ? -1 : line.indexOf(QStringLiteral("<!--"), end);
    }
  }

 private:
  void color(const QString& line, const QRegularExpression& what, Token token) {
    for (auto match = what.globalMatch(line); match.hasNext();) {
      const auto found = match.next();
      setFormat(int(found.capturedStart()), int(found.capturedLength()), theme().color(token));
    }
  }
};

}  // namespace

FilePreview::FilePreview(QWidget* parent)
    : Panel(tr("Preview"), parent),
      view_(new QPlainTextEdit(this)),
      files_list_(new QComboBox(this)),
      copy_(new QToolButton(this)) {
  view_->setObjectName(QStringLiteral("filePreview"));
  view_->setAccessibleName(tr("Text of the file"));
  view_->setProperty("look", "plain");
  view_->setReadOnly(true);
  view_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setLineWrapMode(QPlainTextEdit::NoWrap);
  copy_->setProperty("look", "small");
  copy_->setObjectName(QStringLiteral("copyText"));
  copy_->setAccessibleName(tr("Copy the text"));
  copy_->setToolTip(tr("Copies the whole text of the file to the clipboard."));
  setThemedIcon(copy_, QStringLiteral("copy"));
  connect(copy_, &QToolButton::clicked, this, [this] {
    QGuiApplication::clipboard()->setText(whole_);
    emit copied();
  });
  files_list_->setObjectName(QStringLiteral("previewFile"));
  files_list_->setAccessibleName(tr("File to look at"));
  files_list_->setToolTip(tr("This format writes several files into one folder."));
  connect(files_list_, &QComboBox::activated, this, &FilePreview::showFile);
  addTool(files_list_);
  addTool(copy_);
  setBodyMargins(1);
  body()->addWidget(view_);
  auto* colors = new MarkupColors(view_->document());
  const auto restyle = [this, colors] {
    view_->setFont(theme().font(Type::kMono));
    view_->setMinimumHeight(theme().px(90));
    colors->rehighlight();
  };
  restyle();
  connect(&theme(), &Theme::changed, this, restyle);
  showFiles({});
}

void FilePreview::showFiles(std::vector<PreviewedFile> files) {
  files_ = std::move(files);
  const int chosen = files_list_->currentIndex();
  files_list_->clear();
  for (const auto& file : files_) files_list_->addItem(file.name);
  files_list_->setCurrentIndex(std::clamp(chosen, 0, std::max(files_list_->count() - 1, 0)));
  files_list_->setVisible(files_.size() > 1);
  showFile();
}

void FilePreview::choose(const QString& name) {
  const int row = files_list_->findText(name);
  if (row < 0) return;
  files_list_->setCurrentIndex(row);
  showFile();
}

void FilePreview::showFile() {
  const int chosen = files_list_->currentIndex();
  const auto file = chosen < 0 ? PreviewedFile{} : files_[static_cast<std::size_t>(chosen)];
  whole_ = file.text;
  setTitle(file.name.isEmpty() ? tr("Preview") : file.name);
  copy_->setEnabled(!whole_.isEmpty());
  const auto lines = whole_.count(QLatin1Char('\n'));
  qsizetype end = -1;
  for (qsizetype line = 0; line < kLinesShown && lines > kLinesShown; ++line)
    end = whole_.indexOf(QLatin1Char('\n'), end + 1);
  const auto shown = end < 0 ? whole_ : whole_.left(end + 1);
  if (whole_.isEmpty())
    setCaption(QString());
  else if (end < 0)
    setCaption(tr("%n lines", nullptr, int(lines)));
  else
    setCaption(tr("first %1 of %2 lines").arg(kLinesShown).arg(lines));
  if (view_->toPlainText() != shown) view_->setPlainText(shown);
}

}  // namespace tactelier::gui
