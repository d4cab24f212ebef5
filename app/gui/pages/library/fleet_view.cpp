#include "app/gui/pages/library/fleet_view.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <cmath>

#include "app/gui/item_models/fleet_model.hpp"
#include "app/gui/text/shell_words.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {
namespace {

constexpr int kOutliersTold = 12;
constexpr int kLeastPlot_px = 130;

/// The plot with its table. What the labels beside it need in height must not make the page taller
/// than its window: the plot gives way.
QWidget* yielding(PlotView* plot, QWidget* parent) {
  auto* twin = new TableTwin(plot, parent);
  twin->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
  twin->setMinimumHeight(kLeastPlot_px);
  return twin;
}

/// Numbers of one parameter that say something of the fleet, in order of recording.
Result<std::vector<CatalogueRow>> countedRows(const std::string& file, const std::string& path) {
  const auto catalogue = Catalogue::read(file);
  if (!catalogue) return fail(catalogue.error());
  CatalogueFilter filter;
  filter.paths = {path};
  auto rows = query_catalogue(*catalogue, filter);
  if (rows) std::erase_if(*rows, [](const CatalogueRow& row) { return !counts_in_fleet(row); });
  return rows;
}

QString outlierWords(const FleetChoice& choice) {
  const auto& parameter = choice.parameter;
  if (!parameter.outlier_limit)
    return FleetView::tr("%n sensors; limits take 8.", nullptr, static_cast<int>(parameter.count));
  QStringList words;
  for (const auto& odd : parameter.outliers) {
    if (words.size() == kOutliersTold) {
      words << FleetView::tr("%n more", nullptr,
                             static_cast<int>(parameter.outliers.size()) - kOutliersTold);
      break;
    }
    words << FleetView::tr("%1 (%2 sigma %3)")
                 .arg(text(odd.serial), fixed(std::abs(odd.z), 1),
                      odd.z > 0 ? FleetView::tr("above") : FleetView::tr("below"));
  }
  return words.isEmpty() ? FleetView::tr("No outlier.")
                         : FleetView::tr("Outliers: %1").arg(words.join(QStringLiteral(", ")));
}

}  // namespace

FleetView::FleetView(AppState& state, QWidget* parent)
    : QWidget(parent), state_(state), model_(new FleetModel(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 4, 0, 0);
  row->setSpacing(12);
  row->addWidget(buildSide(), 1);
  row->addWidget(buildPlots(), 1);
  clear(
      tr("No catalogue yet. Fit selected recordings, or choose one that 'batch run' or the "
         "station has filled."));
}

QWidget* FleetView::buildSide() {
  auto* panel = new Panel(tr("Parameters"), this);
  panel->setBodyMargins(0);
  auto* choose = new QPushButton(tr("Catalogue…"), panel);
  choose->setObjectName(QStringLiteral("chooseCatalogue"));
  choose->setToolTip(
      tr("Chooses the catalogue (.sqlite) whose fleet is shown.\n"
         "tactelier catalogue report FILE"));
  setThemedIcon(choose, QStringLiteral("folder"));
  connect(choose, &QPushButton::clicked, this, &FleetView::askCatalogue);
  panel->addTool(choose);
  file_ = new QLabel(panel);
  file_->setObjectName(QStringLiteral("fleetFacts"));
  file_->setProperty("look", "caption");
  file_->setTextFormat(Qt::PlainText);
  file_->setWordWrap(true);
  file_->setContentsMargins(12, 8, 12, 0);
  panel->body()->addWidget(file_);
  table_ = new QTableView(panel);
  table_->setObjectName(QStringLiteral("fleetTable"));
  table_->setAccessibleName(tr("Parameters of the fleet"));
  table_->setModel(model_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(FleetModel::kParameter, QHeaderView::Stretch);
  table_->horizontalHeader()->setHighlightSections(false);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &FleetView::showChosen);
  panel->body()->addWidget(table_, 1);
  return panel;
}

QWidget* FleetView::buildPlots() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  auto* distribution_panel = new Panel(tr("Distribution"), box);
  distribution_panel->setCaption(tr("median, and dashed: control limits"));
  distribution_ = new FleetDistributionPlot(distribution_panel);
  distribution_panel->body()->addWidget(yielding(distribution_, distribution_panel), 1);
  outliers_ = new QLabel(distribution_panel);
  outliers_->setObjectName(QStringLiteral("fleetOutliers"));
  outliers_->setTextFormat(Qt::PlainText);
  outliers_->setWordWrap(true);
  outliers_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  distribution_panel->body()->addWidget(outliers_);
  column->addWidget(distribution_panel, 1);
  trend_panel_ = new Panel(tr("Over time"), box);
  trend_ = new FleetTrendPlot(trend_panel_);
  trend_panel_->body()->addWidget(yielding(trend_, trend_panel_), 1);
  column->addWidget(trend_panel_, 1);
  return box;
}

void FleetView::askCatalogue() {
  const auto file = QFileDialog::getOpenFileName(
      this, tr("Catalogue of a fleet"),
      catalogue_.isEmpty() ? state_.files().libraryFolder() : catalogue_,
      tr("Catalogues (*.sqlite);;All files (*)"));
  if (!file.isEmpty()) open(file);
}

void FleetView::refresh() {
  if (!catalogue_.isEmpty()) open(catalogue_);
}

void FleetView::open(const QString& catalogue) {
  catalogue_ = catalogue;
  if (reading_ != 0) state_.jobs().cancel(reading_);
  auto id = std::make_shared<int>(0);
  *id = state_.jobs().run<FleetReport>(
      tr("Read %1").arg(QFileInfo(catalogue).fileName()), Lane::kWork, this,
      [file = catalogue.toStdString()](const Job&) -> Result<FleetReport> {
        const auto opened = Catalogue::read(file);
        if (!opened) return fail(opened.error());
        return report_fleet(*opened, {});
      },
      [this, id](Result<FleetReport> report) {
        if (reading_ != *id) return;  // a newer one is on its way
        reading_ = 0;
        if (report)
          fill(*report);
        else
          clear(text(report.error().message));
      });
  reading_ = *id;
}

void FleetView::fill(const FleetReport& report) {
  const int before = table_->currentIndex().row();
  const auto path = before >= 0 ? model_->parameter(before).path : std::string();
  model_->setParameters(report.parameters);
  file_->setText(tr("%1 · %2 sensors, %3 fits%4")
                     .arg(QFileInfo(catalogue_).fileName())
                     .arg(report.sensors)
                     .arg(report.fits)
                     .arg(report.failed > 0 ? tr(", %1 failed").arg(report.failed) : QString()));
  for (int column = FleetModel::kSensors; column < FleetModel::kColumns; ++column)
    table_->resizeColumnToContents(column);
  if (model_->rowCount() == 0)
    return clear(tr("No sensor of it has a number that was identified."));
  table_->selectRow(std::max(0, model_->rowOf(path)));
}

void FleetView::clear(const QString& why) {
  model_->setParameters({});
  file_->setText(why);
  outliers_->clear();
  trend_panel_->setCaption({});
  distribution_->clear(tr("Nothing to show."));
  trend_->clear(tr("Nothing to show."));
}

void FleetView::showChosen() {
  const auto rows = table_->selectionModel()->selectedRows();
  if (rows.isEmpty()) return;
  const auto parameter = model_->parameter(rows.first().row());
  auto id = std::make_shared<int>(0);
  *id = state_.jobs().run<std::vector<CatalogueRow>>(
      tr("Read %1").arg(text(parameter.path)), Lane::kQuiet, this,
      [file = catalogue_.toStdString(), path = parameter.path](const Job&) {
        return countedRows(file, path);
      },
      [this, id, parameter](Result<std::vector<CatalogueRow>> found) {
        if (choosing_ != *id) return;
        if (found)
          showChoice(fleetChoice(parameter, std::move(*found)));
        else
          distribution_->clear(text(found.error().message));
      });
  choosing_ = *id;
}

void FleetView::showChoice(const FleetChoice& choice) {
  distribution_->show(choice);
  trend_->show(choice);
  outliers_->setText(outlierWords(choice));
  const auto& drift = choice.parameter.drift;
  trend_panel_->setCaption(choice.parameter.drifts
                               ? tr("drift of %1 per day, p %2")
                                     .arg(choice.shown(drift->per_day), 0, 'g', 3)
                                     .arg(drift->p, 0, 'g', 2)
                           : drift ? tr("no drift seen")
                                   : tr("too few dates for a drift"));
}

QString FleetView::asCommand() const {
  if (catalogue_.isEmpty()) return {};
  const auto rows = table_->selectionModel()->selectedRows();
  const auto of = rows.isEmpty()
                      ? QString()
                      : QStringLiteral(" --parameter %1")
                            .arg(shellWord(text(model_->parameter(rows.first().row()).path)));
  return QStringLiteral("tactelier catalogue report %1%2").arg(shellWord(catalogue_), of);
}

}  // namespace tactelier::gui
