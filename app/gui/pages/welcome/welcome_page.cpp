#include "app/gui/pages/welcome/welcome_page.hpp"
#include "app/gui/widgets/action_button.hpp"

#include <QCheckBox>
#include <QDateTime>
#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/gui/item_models/library_entry.hpp"
#include "app/gui/pages/welcome/cut_off_notice.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/widgets/action_card.hpp"
#include "app/gui/widgets/delegates.hpp"
#include "app/gui/widgets/panel.hpp"

namespace tactelier::gui {
namespace {

constexpr int kRecentShown = 6;
constexpr int kPictureWidth = 76;  // of a file's array, at 100 %

QWidget* headline(QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 12);
  row->setSpacing(24);
  auto* picture = new QLabel(box);
  picture->setPixmap(iconPixmap(QStringLiteral("tactelier"), theme().px(80), Qt::black));
  picture->setAccessibleName(WelcomePage::tr("Tactelier"));
  row->addWidget(picture);
  auto* words = new QVBoxLayout;
  auto* name = new QLabel(WelcomePage::tr("Tactelier"), box);
  auto* line = new QLabel(
      WelcomePage::tr("Calibrate a tactile array, and know how far to trust the number."), box);
  const auto size = [name, line] {
    auto big = theme().font(Type::kMode);
    big.setPixelSize(theme().px(32));
    name->setFont(big);
    auto lead = theme().font(Type::kLead);
    lead.setBold(false);
    line->setFont(lead);
  };
  size();
  QObject::connect(&theme(), &Theme::changed, box, size);
  line->setProperty("look", "caption");
  words->setSpacing(2);
  name->setAlignment(Qt::AlignLeft | Qt::AlignBottom);
  line->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  words->addWidget(name, 3);
  words->addWidget(line, 2);
  row->addLayout(words, 1);
  return box;
}

QString whenWords(const QDateTime& time) {
  if (!time.isValid()) return {};
  if (time.date() == QDate::currentDate())
    return WelcomePage::tr("today %1").arg(time.toString(QStringLiteral("HH:mm")));
  return time.toString(QStringLiteral("yyyy-MM-dd"));
}

}  // namespace

WelcomePage::WelcomePage(const PageContext& context, QWidget* parent) : Page(context, {}, parent) {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(44, 32, 40, 0);
  row->setSpacing(76);
  row->addWidget(buildLeft(), 10);
  recent_ = new Panel(tr("Recent"), this);
  auto* library = new QLabel(recent_);
  const auto link = [library] {
    library->clear();  // a link keeps the colour of the theme in which it was set
    library->setText(tr("<a href=\"library\">Library</a>"));
  };
  link();
  connect(&theme(), &Theme::changed, library, link);
  connect(library, &QLabel::linkActivated, this, [this](const QString& id) { goTo(id); });
  recent_->addTool(library);
  recent_->setBodyMargins(0);
  recent_->body()->setSpacing(0);
  auto* right = new QVBoxLayout;
  right->addWidget(recent_);
  right->addStretch(1);
  row->addLayout(right, 9);
  body()->addLayout(row, 1);
  fillRecent();
  connect(&state().files(), &FileHistory::recentChanged, this, &WelcomePage::fillRecent);
  connect(&theme(), &Theme::changed, this, &WelcomePage::fillRecent);
}

QWidget* WelcomePage::buildLeft() {
  auto* left = new QWidget(this);
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  column->addWidget(headline(left));
  notices_ = new QVBoxLayout;
  notices_->setSpacing(12);
  column->addLayout(notices_);
  column->addWidget(buildCards(left));
  column->addWidget(buildLinks(left));
  column->addStretch(1);
  return left;
}

QWidget* WelcomePage::buildCards(QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  auto* bench = actions().virtualBench;
  const auto start = bench->text();
  const auto headline = tr("Try the virtual bench");
  auto* virtual_bench =
      new ActionCard(bench, QStringLiteral("play"), headline,
                     tr("No hardware: three emulated devices over a simulated pad."), true, box);
  virtual_bench->setObjectName(QStringLiteral("tryVirtualBench"));
  connect(bench, &QAction::changed, virtual_bench, [=] {
    virtual_bench->setText(bench->text() == start ? headline : bench->text().remove('&'));
  });
  try_ = virtual_bench;
  column->addWidget(virtual_bench);
  auto* tour =
      new ActionCard(actions().tour, QStringLiteral("right"), tr("Take the tour"),
                     tr("From the virtual bench to a report, in under five minutes."), false, box);
  tour->setObjectName(QStringLiteral("takeTour"));
  column->addWidget(tour);
  column->addWidget(
      new ActionCard(actions().connectAll, QStringLiteral("link"), tr("Connect devices"),
                     tr("Stage, force sensor, tactile array. Nothing moves."), false, box));
  column->addWidget(new ActionCard(actions().open, QStringLiteral("folder"), tr("Open a recording"),
                                   tr("A .tact file, or a sensor model."), false, box));
  return box;
}

QWidget* WelcomePage::buildLinks(QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  at_start_ = new QCheckBox(tr("Show this page at start"), box);
  auto& preferences = state().preferences();
  at_start_->setChecked(preferences.welcomeAtStart());
  connect(at_start_, &QCheckBox::toggled, &preferences, &Preferences::setWelcomeAtStart);
  connect(&preferences, &Preferences::changed, at_start_,
          [this] { at_start_->setChecked(state().preferences().welcomeAtStart()); });
  row->addWidget(at_start_);
  row->addSpacing(8);
  auto* example = new ActionButton(actions().openExample, {}, false, box);
  example->setObjectName(QStringLiteral("openExample"));
  auto* table = new ActionButton(actions().importTable, {}, false, box);
  row->addWidget(example);
  row->addWidget(table);
  row->addStretch(1);
  return box;
}

void WelcomePage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  lookForCutOff();
}

void WelcomePage::lookForCutOff() {
  const auto files = state().files().recent();
  state().jobs().run<std::vector<CutOff>>(
      tr("Look for recordings that were cut off"), Lane::kQuiet, this,
      [files](const Job& job) { return cutOffAmong(files, job); },
      [this](Result<std::vector<CutOff>> found) {
        if (found) showCutOff(*found);
      });
}

/// The newest alone: the others come one by one.
void WelcomePage::showCutOff(const std::vector<CutOff>& found) {
  while (auto* item = notices_->takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
  const auto newest = std::find_if(
      found.begin(), found.end(), [this](const CutOff& cut) { return !later_.contains(cut.file); });
  if (newest == found.end()) return;
  auto* notice = new CutOffNotice(*newest, this);
  notices_->addWidget(notice);
  connect(notice, &CutOffNotice::resumeWanted, this, [this](const QString& file) {
    goTo(QStringLiteral("session"));
    state().recordings().resume(file);
  });
  connect(notice, &CutOffNotice::openWanted, this,
          [this](const QString& file) { state().open(file); });
  connect(notice, &CutOffNotice::later, this, [this, found](const QString& file) {
    later_.insert(file);
    showCutOff(found);
  });
}

void WelcomePage::fillRecent() {
  auto* list = recent_->body();
  while (auto* item = list->takeAt(0)) {
    if (item->widget() != nullptr) {
      item->widget()->hide();  // it may be the one that was clicked: it goes later
      item->widget()->deleteLater();
    }
    delete item;
  }
  const auto files = state().files().recent();
  QHash<QString, QLabel*> pictures;
  int shown = 0;
  for (const auto& path : files) {
    const QFileInfo info(path);
    if (!info.exists() || shown == kRecentShown) continue;
    ++shown;
    auto* entry = new QPushButton(recent_);
    entry->setProperty("look", "listRow");
    entry->setToolTip(path);
    entry->setAccessibleName(tr("Open %1").arg(info.fileName()));
    auto* row = new QHBoxLayout(entry);
    row->setContentsMargins(12, 0, 12, 0);
    auto* picture = new QLabel(entry);
    picture->setObjectName(QStringLiteral("recentPicture"));
    picture->setFixedWidth(theme().px(kPictureWidth));
    picture->setAlignment(Qt::AlignCenter);
    pictures.insert(path, picture);
    const bool model = info.suffix() == QStringLiteral("json");
    picture->setPixmap(iconPixmap(model ? QStringLiteral("fit") : QStringLiteral("session"),
                                  theme().px(22), theme().color(Token::kText2)));
    auto* name = new QLabel(info.fileName(), entry);
    name->setFont(theme().font(Type::kBold));
    auto* when = new QLabel(whenWords(info.lastModified()), entry);
    when->setProperty("look", "caption");
    row->addWidget(picture);
    row->addSpacing(8);
    row->addWidget(name, 1);
    row->addWidget(when);
    connect(entry, &QPushButton::clicked, this, [this, path] { state().open(path); });
    list->addWidget(entry);
  }
  if (shown == 0) {
    auto* none = new QLabel(tr("Nothing yet. Open the example, or drop a file anywhere in this "
                               "window."),
                            recent_);
    none->setWordWrap(true);
    none->setProperty("look", "caption");
    none->setMargin(12);
    list->addWidget(none);
  }
  readPictures(pictures);
}

/// As the Library has them; where there is none the icon stays.
void WelcomePage::readPictures(const QHash<QString, QLabel*>& labels) {
  using Pictures = QHash<QString, QImage>;
  QHash<QString, QPointer<QLabel>> wanted;
  for (auto it = labels.begin(); it != labels.end(); ++it) wanted.insert(it.key(), it.value());
  if (wanted.isEmpty()) return;
  state().jobs().run<Pictures>(
      {}, Lane::kQuiet, this,
      [paths = wanted.keys()](const Job& job) -> Result<Pictures> {
        Pictures pictures;
        for (const auto& path : paths) {
          if (job.stopped()) return Job::cancelled();
          if (const auto entry = knownLibraryEntry(path, job)) pictures[path] = entry->thumbnail;
        }
        return pictures;
      },
      [wanted](Result<Pictures> pictures) {
        if (!pictures) return;
        for (auto it = wanted.begin(); it != wanted.end(); ++it) {
          const auto image = pictures->value(it.key());
          if (image.isNull() || it.value().isNull()) continue;
          const double dense = it.value()->devicePixelRatioF();
          const QSize size(theme().px(kPictureWidth), theme().px(40));
          QPixmap drawn(size * dense);
          drawn.setDevicePixelRatio(dense);
          drawn.fill(Qt::transparent);
          QPainter painter(&drawn);
          paintThumbnail(painter, image, QRectF(QPointF(), size));
          it.value()->setPixmap(drawn);
        }
      });
}

QString WelcomePage::helpText() const {
  return tr(
      "<p>The virtual bench shows how it goes without hardware; the example is a real recording. "
      "Files can be dropped anywhere in the window.</p>"
      "<p><b>Ctrl+T</b> virtual bench · <b>Ctrl+K</b> connect · <b>Ctrl+O</b> open · "
      "<b>Ctrl+1…</b> pages · <b>Ctrl+Shift+D</b> light or dark</p>");
}

}  // namespace tactelier::gui
