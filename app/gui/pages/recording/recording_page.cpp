#include "app/gui/pages/recording/recording_page.hpp"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/pages/recording/force_depth_plot.hpp"
#include "app/gui/pages/recording/force_time_plot.hpp"
#include "app/gui/pages/recording/press_panel.hpp"
#include "app/gui/pages/recording/tactile_panel.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/folding_columns.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "libcalib/protocol/rig_findings.hpp"

namespace tactelier::gui {

RecordingPage::RecordingPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Recording"), parent) {
  choice_ = new QComboBox(this);
  choice_->setAccessibleName(tr("Recording shown"));
  choice_->setToolTip(tr("The open recordings."));
  addHeaderWidget(choice_);
  addHeaderAction(context.actions.undo, QStringLiteral("undo"));
  addHeaderAction(context.actions.excludePress, QStringLiteral("x"));
  addHeaderAction(context.actions.open, QStringLiteral("folder"));
  as_found_ = new QAction(tr("As found"), this);
  as_found_->setToolTip(tr("Puts the contact point back to where the data have it."));
  buildPanels();
  connectViews();
  follow();
}

void RecordingPage::buildPanels() {
  tactile_ = new TactilePanel(state().jobs(), this);
  plots_ = new QSplitter(Qt::Vertical, this);
  plots_->setHandleWidth(12);
  plots_->setChildrenCollapsible(false);
  depth_panel_ = new Panel(tr("Force – depth"), plots_);
  force_depth_ = new ForceDepthPlot(depth_panel_);
  force_depth_->setObjectName(QStringLiteral("forceDepth"));
  depth_panel_->setBodyMargins(6);
  depth_panel_->body()->addWidget(new TableTwin(force_depth_, depth_panel_));
  auto* found = new QToolButton(depth_panel_);
  found->setProperty("look", "small");
  found->setDefaultAction(as_found_);
  depth_panel_->addTool(found);
  auto* time_panel = new Panel(tr("Force – time"), plots_);
  force_time_ = new ForceTimePlot(state().jobs(), time_panel);
  force_time_->setObjectName(QStringLiteral("forceTime"));
  time_panel->setCaption(tr("wheel zooms · drag pans · double-click shows all"));
  time_panel->setBodyMargins(6);
  time_panel->body()->addWidget(new TableTwin(force_time_, time_panel));
  auto* right = new QSplitter(Qt::Vertical, this);
  right->setHandleWidth(12);
  right->setChildrenCollapsible(false);
  presses_ = new PressPanel(state(), right);
  auto* about = new Panel(tr("About"), right);
  facts_ = new QLabel(about);
  facts_->setWordWrap(true);
  facts_->setTextFormat(Qt::RichText);
  facts_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  facts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* scroll = new QScrollArea(about);
  scroll->setWidget(facts_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  facts_->setAutoFillBackground(false);  // the panel shows through
  scroll->viewport()->setAutoFillBackground(false);
  about->body()->addWidget(scroll);
  columns_ = new FoldingColumns(tactile_, plots_, right, tr("Plots"), tr("Presses"), this);
  columns_->setSizes({486, 482, 340}, {3, 3, 2});
  plots_->setSizes({380, 260});
  right->setSizes({460, 200});
  body()->addWidget(columns_, 1);
}

void RecordingPage::connectViews() {
  auto& app = state();
  connect(&app.selection(), &Selection::recordingChanged, this, &RecordingPage::follow);
  connect(&app.recordings(), &Recordings::listChanged, this, &RecordingPage::fillChoice);
  connect(&app.recordings(), &Recordings::damageFound, this, &RecordingPage::showState);
  connect(&app.selection(), &Selection::pressChosen, this, &RecordingPage::choosePress);
  connect(&app.recordings(), &Recordings::pressChanged, this, [this](int press) {
    showState();
    force_time_->showPress(state().selection().press());
    if (press == state().selection().press()) loadCurve();
  });
  const auto model = [this] { tactile_->setModel(state().model()); };
  connect(&app.modelDocument(), &ModelDocument::changed, this, model);
  model();
  connect(choice_, &QComboBox::activated, this, [this](int index) {
    const auto all = state().recordings().all();
    if (index >= 0 && index < static_cast<int>(all.size()))
      state().selection().setRecording(all[static_cast<std::size_t>(index)]);
  });
  connect(&theme(), &Theme::changed, this, &RecordingPage::showFacts);
  connect(tactile_, &TactilePanel::timeChanged, force_time_, &ForceTimePlot::setTime);
  connect(tactile_, &TactilePanel::timeChanged, force_depth_, &ForceDepthPlot::setTime);
  connect(tactile_->map(), &TactileMapView::tactelChosen, &app,
          [&app](int tactel) { app.selection().chooseTactel(tactel); });
  const auto choose = [&app](int press) { app.selection().choosePress(press); };
  connect(force_time_, &ForceTimePlot::pressClicked, &app, choose);
  connect(force_depth_, &ForceDepthPlot::pressClicked, &app, choose);
  connect(force_time_, &ForceTimePlot::timeClicked, this, [this](double time_s) {
    tactile_->setTime(time_s);
    force_time_->setTime(time_s);
    force_depth_->setTime(time_s);
  });
  connect(force_depth_, &ForceDepthPlot::toggleRequested, actions().excludePress,
          &QAction::trigger);
  connect(force_depth_, &ForceDepthPlot::contactMoved, this, [this](double to_s) {
    if (state().recording() != nullptr && state().selection().press())
      state().recording()->setContact(*state().selection().press(), to_s);
  });
  connect(as_found_, &QAction::triggered, this, [this] {
    const auto& curve = force_depth_->curve();
    if (curve && state().recording() != nullptr)
      state().recording()->setContact(curve->press, std::nullopt);
  });
  const auto damaged = [this](const Warnings& damage) {
    if (state().recording() != nullptr) state().recording()->reportDamage(damage);
  };
  connect(tactile_, &TactilePanel::damageMet, this, damaged);
  connect(force_time_, &ForceTimePlot::damageMet, this, damaged);
}

void RecordingPage::follow() {
  ++generation_;
  auto* document = state().recording();
  fillChoice();
  tactile_->setRecording(document != nullptr ? document->recording() : nullptr);
  force_time_->setDocument(document);
  force_depth_->clear(document != nullptr ? tr("No press is chosen.")
                                          : tr("No recording is open."));
  force_depth_->setTraces({});
  showState();
  showFacts();
  if (document == nullptr) return;
  force_time_->setTime(tactile_->time_s());
  loadOverview();
  choosePress();
}

void RecordingPage::fillChoice() {
  choice_->clear();
  const auto all = state().recordings().all();
  for (auto* document : all) choice_->addItem(document->recording()->name());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == state().recording()) choice_->setCurrentIndex(static_cast<int>(i));
  choice_->setVisible(all.size() > 1);
}

void RecordingPage::loadOverview() {
  struct Overview {
    Envelope force;
    std::vector<PressTrace> traces;
  };
  const auto recording = state().recording()->recording();
  state().jobs().run<Overview>(
      tr("Read the overview"), Lane::kQuiet, this,
      [recording, presses = state().recording()->presses()](const Job&) {
        return recording->use([&](const Session& session) -> Result<Overview> {
          auto force = force_envelope(session, recording->clocks());
          if (!force) return fail(force.error());
          const auto travel = travel_envelope(session, recording->clocks());
          Overview overview{std::move(*force), {}};
          if (travel) overview.traces = press_traces(overview.force, *travel, presses);
          return overview;
        });
      },
      [this, generation = generation_](Result<Overview> overview) {
        if (generation != generation_) return;
        if (!overview) {
          state().notifications().notify(Message::Level::kBad, text(overview.error().message),
                                         tr("The recording is open; its plot is not."),
                                         tr("Restore a copy."));
          return;
        }
        force_time_->setEnvelope(overview->force);
        force_depth_->setTraces(std::move(overview->traces));
        loadExtremes();  // after the first plot: many columns take longer
      });
}

void RecordingPage::loadExtremes() {
  const auto recording = state().recording()->recording();
  struct Extremes {
    std::vector<TactelExtremes> tactels;
    Warnings damage;
  };
  state().jobs().run<Extremes>(
      {}, Lane::kQuiet, this,
      [recording](const Job& job) -> Result<Extremes> {
        // A connection of its own: frames and curves must not wait for it.
        const auto file = recording->use([](const Session& session) { return session.file(); });
        const auto session = Session::open(file);
        if (!session) return fail(session.error());
        auto tactels = tactel_extremes(*session, job);
        if (!tactels) return fail(tactels.error());
        return Extremes{std::move(*tactels),
                        damage_warnings(*session, recording->name().toStdString())};
      },
      [this, generation = generation_](Result<Extremes> extremes) {
        if (generation != generation_ || !extremes || state().recording() == nullptr) return;
        tactile_->setExtremes(extremes->tactels);
        state().recording()->reportDamage(extremes->damage);
      });
}

void RecordingPage::choosePress() {
  const auto* document = state().recording();
  const auto number = state().selection().press();
  force_time_->showPress(number);
  const Press* press = document != nullptr && number ? document->press(*number) : nullptr;
  tactile_->setPressed(press != nullptr ? press->tactel : std::nullopt);
  if (press == nullptr) {
    depth_panel_->setCaption({});
    return;
  }
  // The deepest moment says most about a press; its middle is near it.
  const double middle_s = (press->begin_s + press->end_s) / 2;
  tactile_->setTime(middle_s);
  force_time_->setTime(middle_s);
  force_depth_->setTime(middle_s);
  depth_panel_->setCaption(press->tactel
                               ? tr("press %1 · tactel %2").arg(press->number).arg(*press->tactel)
                               : tr("press %1").arg(press->number));
  loadCurve();
}

void RecordingPage::loadCurve() {
  const auto* document = state().recording();
  const auto number = state().selection().press();
  const Press* press = document != nullptr && number ? document->press(*number) : nullptr;
  if (press == nullptr) return;
  struct Loaded {
    std::shared_ptr<const PressCurve> curve;
    Warnings damage;
  };
  state().jobs().run<Loaded>(
      {}, Lane::kQuiet, this,
      [recording = document->recording(), press = *press](const Job& job) {
        return recording->use([&](const Session& session) -> Result<Loaded> {
          auto curve = press_curve(session, recording->clocks(), press, job);
          if (!curve) return fail(curve.error());
          return Loaded{std::make_shared<const PressCurve>(std::move(*curve)),
                        damage_warnings(session, recording->name().toStdString())};
        });
      },
      [this, generation = ++curve_generation_, usable = press->usable()](Result<Loaded> loaded) {
        if (generation != curve_generation_ || state().recording() == nullptr) return;
        as_found_->setEnabled(loaded && loaded->curve->by_hand);
        if (!loaded) {
          force_depth_->clear(text(loaded.error().message));
          return;
        }
        force_depth_->setCurve(loaded->curve, usable);
        state().recording()->reportDamage(loaded->damage);
      });
}

void RecordingPage::showState() {
  const auto* document = state().recording();
  if (document == nullptr) {
    setHeaderState(tr("Open a recording with Ctrl+O, or the example from Help › Welcome."));
    return;
  }
  const auto& recording = *document->recording();
  auto words =
      tr("%1 · %2 · presses: %3")
          .arg(recording.name(), clockTime(recording.duration_s()), document->pressWords());
  if (document->damaged()) words += tr(" · damaged, read-only");
  if (!recording.finished()) words += tr(" · ended without closing");
  setHeaderState(words);
}

void RecordingPage::showFacts() {
  const auto* document = state().recording();
  if (document == nullptr) {
    facts_->clear();
    return;
  }
  const auto& metadata = document->recording()->metadata();
  QString rows;
  const auto add = [&rows](const QString& label, const QString& words) {
    if (words.isEmpty()) return;
    rows +=
        QStringLiteral(
            "<tr><td style=\"padding-right:12px\"><font color=\"%1\">%2</font></td>"
            "<td>%3</td></tr>")
            .arg(theme().color(Token::kText2).name(), label.toHtmlEscaped(), words.toHtmlEscaped());
  };
  add(tr("Sensor"),
      text(metadata.sensor.vendor + " " + metadata.sensor.model + " " + metadata.sensor_serial)
          .simplified());
  add(tr("Indenter"), metadata.indenter ? text(metadata.indenter->describe()) : QString());
  if (metadata.force_sensor)
    add(tr("Force"),
        text(metadata.force_sensor->model + " " + metadata.force_sensor->calibration).simplified());
  for (const auto& stream : document->recording()->streams()) {
    auto words = tr("%n samples", nullptr, static_cast<int>(stream.rows));
    if (const auto rate = stream.rate_hz())
      words += QStringLiteral(" · %1 /s").arg(*rate, 0, 'g', 4);
    add(tr("%1 stream").arg(text(to_string(stream.info.kind))), words);
  }
  if (const auto findings = rig_findings(document->recording()->events()))
    for (const auto& finding : *findings)
      add(finding.what == "spring" ? tr("Leaf spring")
          : finding.good           ? tr("State")
                                   : tr("▲ State"),
          text(finding.text));
  add(tr("Recorded"), text(metadata.created));
  add(tr("Note"), text(metadata.notes));
  facts_->setText(QStringLiteral("<table cellspacing=\"2\">%1</table>").arg(rows));
}

QWidget* RecordingPage::firstFocus() { return presses_->table(); }

QString RecordingPage::asCommand() const {
  const auto* document = state().recording();
  if (document == nullptr) return {};
  const auto number = state().selection().press();
  const Press* press = number ? document->press(*number) : nullptr;
  const auto file = document->recording()->path();
  if (press == nullptr || !press->excluded) return QStringLiteral("tactelier info '%1'").arg(file);
  return QStringLiteral("tactelier edit '%1' --exclude %2").arg(file).arg(press->number);
}

void RecordingPage::saveState(QSettings& settings) const {
  columns_->saveState(settings);
  settings.setValue(QStringLiteral("plots"), plots_->saveState());
}

void RecordingPage::restoreState(QSettings& settings) {
  columns_->restoreState(settings);
  plots_->restoreState(settings.value(QStringLiteral("plots")).toByteArray());
}

QString RecordingPage::helpText() const {
  return tr(
      "<p>What was recorded. The tactile image shows the moment of the slider; row 0 is at "
      "the bottom. Click a press in the force plot or in the list to see its force over "
      "depth.</p><p>A press is left out of fits with <b>X</b>, its check box, or a click on "
      "its curve; the data stay in the file and the decision can be undone. The green line is "
      "the contact point: drag it, or move it with the arrow keys (1 µm; Shift: 10 µm).</p>"
      "<p><b>Space</b> play · <b>X</b> exclude or include · <b>Ctrl+Z</b> undo · wheel and "
      "drag: zoom and pan · double-click: all · <b>Ctrl+Shift+T</b> plot or map as a table</p>");
}

}  // namespace tactelier::gui
