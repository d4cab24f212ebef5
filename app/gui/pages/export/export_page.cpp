#include "app/gui/pages/export/export_page.hpp"

#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedLayout>

#include "app/gui/item_models/format_model.hpp"
#include "app/gui/pages/export/assume_panel.hpp"
#include "app/gui/pages/export/draw_choice.hpp"
#include "app/gui/pages/export/export_draft.hpp"
#include "app/gui/pages/export/export_proof.hpp"
#include "app/gui/pages/export/file_preview.hpp"
#include "app/gui/pages/export/format_delegate.hpp"
#include "app/gui/pages/export/loss_panel.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/widgets/empty_panel.hpp"
#include "app/gui/widgets/room_box.hpp"

namespace tactelier::gui {

ExportPage::ExportPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Export"), parent),
      draft_(new ExportDraft(context.state, this)),
      proof_(new ExportProof(context.state, this)),
      formats_(new FormatModel(this)) {
  addHeaderAction(context.actions.openModel, QStringLiteral("folder"));
  addHeaderAction(context.actions.saveModel, QStringLiteral("save"));
  auto* box = new RoomBox(this);
  stack_ = new QStackedLayout(box);
  empty_ = buildEmpty();
  panels_ = buildPanels();
  stack_->addWidget(empty_);
  stack_->addWidget(panels_);
  body()->addWidget(box, 1);
  connect(draft_, &ExportDraft::changed, this, &ExportPage::follow);
  connect(proof_, &ExportProof::changed, this, &ExportPage::showFormat);
  connect(proof_, &ExportProof::found, this, [this](const QString& name) {
    showFormat();
    preview_->choose(name);
  });
  connect(&theme(), &Theme::changed, this, &ExportPage::sizeParts);
  sizeParts();
  follow();
}

QWidget* ExportPage::buildEmpty() {
  return emptyPanel(tr("Nothing to export yet"),
                    tr("Here a sensor model becomes a file that a simulator reads.\n"
                       "Fit a recording, or open a sensor model."),
                    QStringLiteral("exportEmpty"),
                    {{actions().openModel, QStringLiteral("folder")},
                     {actions().openExample, QStringLiteral("play")}},
                    this);
}

QWidget* ExportPage::buildPanels() {
  auto* panels = new QWidget(this);
  auto* row = new QHBoxLayout(panels);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(12);
  left_ = buildLeft();
  row->addWidget(left_);
  row->addWidget(buildRight(), 1);
  return panels;
}

QWidget* ExportPage::buildLeft() {
  auto* left = new QWidget(this);
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  formats_panel_ = new Panel(tr("Formats"), left);
  formats_panel_->setBodyMargins(0);
  list_ = new QListView(formats_panel_);
  list_->setObjectName(QStringLiteral("formatList"));
  list_->setAccessibleName(tr("Formats"));
  list_->setModel(formats_);
  list_->setItemDelegate(new FormatDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  formats_panel_->body()->addWidget(list_);
  column->addWidget(formats_panel_, 1);
  auto* box = new QFrame(left);
  box->setProperty("look", "panel");
  auto* inside = new QVBoxLayout(box);
  inside->setContentsMargins(12, 12, 12, 12);
  inside->setSpacing(8);
  export_ = new QPushButton(tr("Export…"), box);
  export_->setObjectName(QStringLiteral("exportButton"));
  export_->setProperty("look", "large");
  setThemedIcon(export_, QStringLiteral("export"), Token::kAccentText);
  connect(export_, &QPushButton::clicked, this, &ExportPage::askSave);
  verify_ = new QPushButton(box);
  verify_->setObjectName(QStringLiteral("verifyButton"));
  connect(verify_, &QPushButton::clicked, this, [this] {
    if (const auto* preview = chosen()) proof_->start(*preview);
  });
  count_ = new QLabel(box);
  count_->setObjectName(QStringLiteral("exportCount"));
  count_->setProperty("look", "caption");
  count_->setWordWrap(true);
  draws_ = new DrawChoice(box);
  connect(draws_, &DrawChoice::changed, this, &ExportPage::showFormat);
  inside->addWidget(draws_);
  inside->addWidget(export_);
  inside->addWidget(verify_);
  inside->addWidget(count_);
  column->addWidget(box);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& now) {
            if (!now.isValid()) return;
            wanted_ = now.data(FormatModel::kIdRole).toString();
            showFormat();
          });
  return left;
}

QWidget* ExportPage::buildRight() {
  auto* right = new QWidget(this);
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  split_ = new QSplitter(Qt::Vertical, right);
  split_->setChildrenCollapsible(false);
  split_->setHandleWidth(12);
  preview_ = new FilePreview(split_);
  connect(preview_, &FilePreview::copied, this,
          [this] { state().notifications().status(tr("Copied the whole text.")); });
  loss_ = new LossPanel(split_);
  split_->addWidget(preview_);
  split_->addWidget(loss_);
  split_->setStretchFactor(0, 3);
  split_->setStretchFactor(1, 2);
  assume_ = new AssumePanel(*draft_, right);
  column->addWidget(split_, 1);
  column->addWidget(assume_);
  connect(loss_, &LossPanel::missingChosen, assume_, &AssumePanel::propose);
  return right;
}

void ExportPage::sizeParts() { left_->setFixedWidth(theme().px(328)); }

QWidget* ExportPage::firstFocus() {
  if (stack_->currentWidget() == empty_) return this;
  return list_;
}

void ExportPage::saveState(QSettings& settings) const {
  settings.setValue(QStringLiteral("format"), wanted_);
  settings.setValue(QStringLiteral("split"), split_->saveState());
}

void ExportPage::restoreState(QSettings& settings) {
  wanted_ = settings.value(QStringLiteral("format")).toString();
  split_->restoreState(settings.value(QStringLiteral("split")).toByteArray());
  follow();
}

QString ExportPage::helpText() const {
  return tr(
      "<p>The open sensor model as a file for a simulator. Choose a format: ● is complete, ▲ lacks "
      "values or holds assumed ones, ○ cannot be written, and says why.</p>"
      "<p>The preview is what will be written, byte for byte. The loss report names what the "
      "format leaves out: <i>missing</i> values may be assumed below, and the file says who "
      "assumed them; for others the format has <i>no place</i>. Nothing is filled in by "
      "itself.</p>"
      "<p><b>Verify</b> presses the exported pad again, here in MuJoCo, and adds the verification "
      "record to the files; for simulators that are not here it adds a script that does so "
      "there. Export writes them beside the rest.</p>"
      "<p><b>Random draws</b>: so many files instead of one, each of a model drawn from the fit's "
      "covariance, to train or test against any pad that the data allow.</p>"
      "<p><b>Ctrl+E</b> export · <b>Enter</b> in the value: assume · <b>Delete</b> in the list: "
      "take back · Edit › Copy as command gives the same as a command line.</p>");
}

}  // namespace tactelier::gui
