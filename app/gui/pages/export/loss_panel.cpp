#include "app/gui/pages/export/loss_panel.hpp"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include "app/gui/item_models/loss_model.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {

LossPanel::LossPanel(QWidget* parent)
    : Panel(tr("Loss report"), parent),
      model_(new LossModel(this)),
      table_(new QTableView(this)),
      words_(new QLabel(this)) {
  table_->setObjectName(QStringLiteral("lossTable"));
  table_->setAccessibleName(tr("What the format leaves out"));
  table_->setModel(model_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setStretchLastSection(true);
  words_->setObjectName(QStringLiteral("lossWords"));
  words_->setProperty("look", "caption");
  words_->setWordWrap(true);
  words_->setMargin(12);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  setBodyMargins(0);
  body()->addWidget(table_, 1);
  body()->addWidget(words_, 1, Qt::AlignTop);
  sizeTable();
  connect(&theme(), &Theme::changed, this, &LossPanel::sizeTable);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid() && now.data(LossModel::kKindRole).toInt() == LossRow::kMissing)
              emit missingChosen(now.data(LossModel::kPathRole).toString());
          });
}

void LossPanel::sizeTable() {
  table_->setColumnWidth(LossModel::kParameter, theme().px(250));
  table_->setColumnWidth(LossModel::kWhat, theme().px(90));
  table_->verticalHeader()->setDefaultSectionSize(theme().px(26));
  table_->setMinimumHeight(theme().px(80));  // a head and two rows
}

void LossPanel::show(const FormatPreview& preview, const SensorModel& model) {
  if (!preview.exported) {
    model_->setRows({});
    setCaption(tr("this format cannot be written"));
    say(text(preview.exported.error().message));
    return;
  }
  model_->setRows(lossRows(*preview.exported, model));
  QStringList parts;
  const auto add = [&](LossRow::Kind kind, const char* words) {
    if (const int n = model_->count(kind)) parts << tr(words, nullptr, n);
  };
  add(LossRow::kMissing, QT_TR_NOOP("%n missing"));
  add(LossRow::kAssumed, QT_TR_NOOP("%n assumed"));
  add(LossRow::kNoPlace, QT_TR_NOOP("%n not representable in this format"));
  add(LossRow::kMind, QT_TR_NOOP("%n to mind"));
  setCaption(parts.join(QStringLiteral(" · ")));
  say(model_->rowCount() > 0 ? QString() : tr("Nothing is left out and nothing was assumed."));
}

void LossPanel::clear() {
  model_->setRows({});
  setCaption({});
  say({});
}

void LossPanel::say(const QString& words) {
  words_->setText(words);
  words_->setVisible(!words.isEmpty());
  table_->setVisible(words.isEmpty());
}

QStringList LossPanel::missing() const {
  QStringList paths;
  for (int row = 0; row < model_->rowCount(); ++row) {
    const auto index = model_->index(row, 0);
    if (index.data(LossModel::kKindRole).toInt() == LossRow::kMissing)
      paths << index.data(LossModel::kPathRole).toString();
  }
  return paths;
}

}  // namespace tactelier::gui
