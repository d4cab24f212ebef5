// The painted parts of the safety bar.

#include <QAccessible>
#include <QPainter>
#include <algorithm>

#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

QString lampIcon(Lamp lamp) {
  switch (lamp) {
    case Lamp::kOff:
      return QStringLiteral("lamp-off");
    case Lamp::kGood:
      return QStringLiteral("lamp-good");
    case Lamp::kLook:
      return QStringLiteral("lamp-look");
    case Lamp::kBad:
      return QStringLiteral("lamp-bad");
  }
  return {};
}

Token lampToken(Lamp lamp) {
  switch (lamp) {
    case Lamp::kOff:
      return Token::kText2;
    case Lamp::kGood:
      return Token::kOk;
    case Lamp::kLook:
      return Token::kWarn;
    case Lamp::kBad:
      return Token::kBad;
  }
  return Token::kText2;
}

/// Text with its baseline at y; returns where it ends.
double draw(QPainter& painter, double x, double y, Type type, Token token, const QString& text) {
  painter.setFont(theme().font(type));
  painter.setPen(theme().color(token));
  painter.drawText(QPointF(x, y), text);
  return x + painter.fontMetrics().horizontalAdvance(text);
}

}  // namespace

ModeBanner::ModeBanner(QWidget* parent) : QWidget(parent) {
  connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize ModeBanner::sizeHint() const { return {theme().px(280), theme().px(84)}; }

void ModeBanner::show(const RigSnapshot& snapshot) {
  const bool changed = snapshot.mode != mode_;
  mode_ = snapshot.mode;
  detail_ = snapshot.detail.isEmpty() ? tr("No devices connected") : snapshot.detail;
  setAccessibleName(tr("Mode %1. %2").arg(modeLook(mode_).word, detail_));
  setToolTip(
      tr("Mode. What the rig may do now. The rig itself decides it; this banner mirrors it."));
  if (changed) {
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
  }
  update();
}

void ModeBanner::paintEvent(QPaintEvent*) {
  const auto look = modeLook(mode_);
  const auto px = [](double length) { return theme().px(length); };
  const double times = this->times();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), QColor::fromRgb(look.fill));
  const auto ink = QColor::fromRgb(look.ink);
  if (look.framed) {
    painter.setPen(QPen(ink, 5));
    painter.drawRect(rect().adjusted(2, 2, -3, -3));
  }
  const int size = px(36 * times);
  painter.drawPixmap(px(16), (height() - size) / 2, iconPixmap(look.icon, size, ink));
  const auto lines = detailLines();
  const double up = lines.size() > 1 ? px(10 * times) : 0;
  auto word = theme().font(Type::kMode);
  word.setPixelSize(px(36 * times));
  painter.setFont(word);
  painter.setPen(ink);
  painter.drawText(QPointF(left(), height() / 2.0 + px(4 * times) - up), look.word);
  painter.setFont(detailFont());
  double y = height() / 2.0 + px(24 * times) - up;
  for (const auto& line : lines) {
    painter.drawText(QPointF(left(), y), line);
    y += px(16 * times);
  }
}

double ModeBanner::times() const { return property("large").toBool() ? 2 : 1; }

double ModeBanner::left() const {
  return theme().px(20) + theme().px(36 * times()) + theme().px(10);
}

QFont ModeBanner::detailFont() const {
  auto font = theme().font(Type::kText);
  font.setPixelSize(theme().px(13 * times()));
  return font;
}

QStringList ModeBanner::detailLines() const {
  const QFontMetrics metrics(detailFont());
  const int room = width() - static_cast<int>(left()) - 8;
  QString first;
  QStringList rest = detail_.split(QLatin1Char(' '));
  while (!rest.isEmpty()) {
    const auto longer = first.isEmpty() ? rest.first() : first + QLatin1Char(' ') + rest.first();
    if (metrics.horizontalAdvance(longer) > room) break;
    first = longer;
    rest.removeFirst();
  }
  const auto second = rest.join(QLatin1Char(' '));
  if (first.isEmpty() || second.isEmpty())
    return {metrics.elidedText(detail_, Qt::ElideRight, room)};
  return {first, metrics.elidedText(second, Qt::ElideRight, room)};
}

ForceBar::ForceBar(QWidget* parent) : QWidget(parent) {
  connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize ForceBar::sizeHint() const { return {theme().px(372), theme().px(84)}; }

void ForceBar::show(const RigSnapshot& snapshot) {
  snapshot_ = snapshot;
  const auto newtons = [](double force_N) { return fixed(force_N, 2); };
  const bool event = snapshot.mode == Mode::kFault || snapshot.mode == Mode::kStopped;
  const bool sensor = snapshot.streams[0].lamp != Lamp::kOff;
  state_ = snapshot.mode == Mode::kUnknown ? tr("unknown")
           : snapshot.force_limit_N        ? tr("limit %1 N").arg(newtons(*snapshot.force_limit_N))
           : sensor                        ? tr("no limit set")
                                           : tr("no force sensor");
  if (event && snapshot.force_peak_N)
    state_ += tr(" · peak %1 N").arg(newtons(*snapshot.force_peak_N));
  setAccessibleName(snapshot.force_N
                        ? tr("Force %1 newtons, %2").arg(newtons(*snapshot.force_N), state_)
                        : tr("Force unknown, %1").arg(state_));
  auto tip = tr("Force |F|. Length of the force vector at the tip, N.");
  if (snapshot.force_limit_N) tip += tr(" Dashed: the stage slows down. Solid: the stage stops.");
  if (!sensor) tip += tr(" No force sensor is connected.");
  setToolTip(tip);
  update();
}

void ForceBar::paintEvent(QPaintEvent*) {
  const auto px = [](double length) { return theme().px(length); };
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double baseline = px(34);
  const bool named = width() > px(300);
  double x = px(17);
  if (named) x = draw(painter, x, baseline, Type::kText, Token::kText2, tr("Force |F|")) + px(9);
  const auto value = snapshot_.force_N ? fixed(*snapshot_.force_N, 2) : QStringLiteral("—");
  x = draw(painter, x, baseline, Type::kForce, Token::kText, tr("%1 N").arg(value)) + px(9);
  painter.setFont(theme().font(Type::kText));
  const QRectF bar(px(17), px(40), width() - px(34), px(14));
  const auto state =
      painter.fontMetrics().elidedText(state_, Qt::ElideRight, static_cast<int>(bar.right() - x));
  draw(painter, bar.right() - painter.fontMetrics().horizontalAdvance(state), baseline, Type::kText,
       Token::kText2, state);
  painter.fillRect(bar, theme().color(Token::kAlt));
  if (snapshot_.force_limit_N) paintScale(painter, bar, *snapshot_.force_limit_N);
}

void ForceBar::paintScale(QPainter& painter, const QRectF& bar, double limit_N) const {
  const double full_N = 1.2 * limit_N;
  const auto at = [&](double force_N) {
    return bar.left() + bar.width() * std::clamp(force_N / full_N, 0.0, 1.0);
  };
  const double limit = at(limit_N);
  const double slow = at(snapshot_.force_slow_N.value_or(limit_N));
  painter.fillRect(QRectF(slow, bar.top(), limit - slow, bar.height()),
                   theme().color(Token::kWarnSoft));
  painter.fillRect(QRectF(limit, bar.top(), bar.right() - limit, bar.height()),
                   theme().color(Token::kBadSoft));
  if (snapshot_.force_N)
    painter.fillRect(
        QRectF(bar.left(), bar.top(), at(*snapshot_.force_N) - bar.left(), bar.height()),
        theme().color(Token::kLine1));
  if (snapshot_.force_slow_N) {
    painter.setPen(QPen(theme().color(Token::kWarn), 1.5, Qt::DashLine));
    painter.drawLine(QPointF(slow, bar.top()), QPointF(slow, bar.bottom()));
  }
  painter.setPen(QPen(theme().color(Token::kBad), 2.5));
  painter.drawLine(QPointF(limit, bar.top() - 1), QPointF(limit, bar.bottom() + 1));
  if (snapshot_.force_peak_N) {
    painter.setPen(QPen(theme().color(Token::kText), 2));
    const double peak = at(*snapshot_.force_peak_N);
    painter.drawLine(QPointF(peak, bar.top()), QPointF(peak, bar.bottom()));
  }
  paintTicks(painter, bar, full_N);
}

void ForceBar::paintTicks(QPainter& painter, const QRectF& bar, double full_N) const {
  painter.setFont(theme().font(Type::kTick));
  painter.setPen(theme().color(Token::kText2));
  const int steps = width() > theme().px(300) ? 6 : 3;
  for (int i = 0; i <= steps; ++i) {
    auto label = QString::number(full_N * i / steps, 'g', 3);
    if (i == steps) label += QStringLiteral(" N");
    const double width = painter.fontMetrics().horizontalAdvance(label);
    const double x = i == 0       ? bar.left()
                     : i == steps ? bar.right() - width
                                  : bar.left() + bar.width() * i / steps - width / 2;
    painter.drawText(QPointF(x, bar.bottom() + theme().px(14)), label);
  }
}

StreamLamp::StreamLamp(const QString& name, QWidget* parent) : QWidget(parent), name_(name) {
  connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize StreamLamp::sizeHint() const { return {theme().px(130), theme().px(84)}; }

void StreamLamp::show(const StreamState& state) {
  state_ = state;
  if (state_.line.isEmpty()) state_.line = tr("not connected");
  setAccessibleName(tr("%1 stream: %2").arg(name_, state_.line));
  setToolTip(tr("%1 stream: rate, age of the newest sample, gaps, saturation.\n%2\n%3")
                 .arg(name_, state_.line, state_.detail)
                 .trimmed());
  update();
}

void StreamLamp::paintEvent(QPaintEvent*) {
  const auto px = [](double length) { return theme().px(length); };
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const int size = px(12);
  painter.drawPixmap(
      0, px(14), iconPixmap(lampIcon(state_.lamp), size, theme().color(lampToken(state_.lamp))));
  draw(painter, size + px(6), px(25), Type::kBold, Token::kText, name_);
  const QFontMetrics text(theme().font(Type::kText));
  if (text.horizontalAdvance(state_.line) <= width() - px(8))
    draw(painter, 0, px(43), Type::kText, Token::kText2, state_.line);
  if (text.horizontalAdvance(state_.detail) <= width() - px(8))
    draw(painter, 0, px(60), Type::kText, Token::kText2, state_.detail);
}

RecordClock::RecordClock(QWidget* parent) : QWidget(parent) {
  connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize RecordClock::sizeHint() const { return {theme().px(192), theme().px(84)}; }

void RecordClock::show(const RigSnapshot& snapshot) {
  recording_ = snapshot.recording.has_value();
  headline_ = snapshot.recording.value_or(tr("Not recording"));
  detail_ = snapshot.recording_detail;
  setAccessibleName(recording_ ? tr("Recording, %1").arg(headline_) : headline_);
  update();
  setToolTip(tr("Recording: time, file size, age of the last commit, free disk."));
  update();
}

void RecordClock::paintEvent(QPaintEvent*) {
  const auto px = [](double length) { return theme().px(length); };
  QPainter painter(this);
  auto font = theme().font(Type::kTitle);
  font.setPixelSize(px(17));
  painter.setFont(font);
  double left = px(16);
  if (recording_) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(Token::kBad));
    painter.drawEllipse(QPointF(left + px(6), px(20)), px(6), px(6));
    left += px(18);
  }
  painter.setPen(theme().color(recording_ ? Token::kText : Token::kText2));
  painter.drawText(QPointF(left, px(26)), headline_);
  double baseline = px(45);
  for (const auto& line : detail_.split(QLatin1Char('\n'))) {
    draw(painter, px(16), baseline, Type::kText, Token::kText2, line);
    baseline += px(17);
  }
}

StopButton::StopButton(QWidget* parent) : QPushButton(parent) {
  setAccessibleName(tr("STOP"));
  setFocusPolicy(Qt::TabFocus);
  connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize StopButton::sizeHint() const { return {theme().px(176), theme().px(64)}; }

void StopButton::show(const RigSnapshot& snapshot) {
  possible_ = snapshot.motion_possible;
  stop_p99_ms_ = snapshot.stop_p99_ms;
  silent_ = snapshot.stop_silent;
  refresh();
  auto tip =
      tr("STOP. Stops the stage at once. It is software on a host, not an emergency stop. "
         "Keys: Esc, F12, Pause.");
  if (!snapshot.motion_possible) tip += tr(" No stage is connected.");
  if (stop_p99_ms_)
    tip += tr(" Of the last requests on its own connection, one a second, 99 % were answered by "
              "the rig process within %1 ms.")
               .arg(*stop_p99_ms_, 0, 'f', 1);
  if (silent_) tip += tr(" Nobody answers there: use the emergency stop.");
  setToolTip(tip);
}

/// Keys reach the window only while it is active.
void StopButton::changeEvent(QEvent* event) {
  if (event->type() == QEvent::ActivationChange) refresh();
  QPushButton::changeEvent(event);
}

void StopButton::refresh() {
  second_line_ = !possible_          ? tr("no motion possible")
                 : !isActiveWindow() ? tr("click: keys go elsewhere")
                 : silent_           ? tr("no answer")
                 : stop_p99_ms_      ? tr("Esc · p99 %1 ms").arg(*stop_p99_ms_, 0, 'f', 1)
                                     : tr("Esc");
  setAccessibleDescription(second_line_);
  update();
}

void StopButton::paintEvent(QPaintEvent*) {
  const auto px = [](double length) { return theme().px(length); };
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().color(Token::kStop));
  painter.drawRoundedRect(rect(), 4, 4);
  painter.setPen(Qt::white);
  painter.setFont(theme().font(Type::kForce));
  const double middle = height() / 2.0;
  painter.drawText(QRectF(0, middle - px(27), width(), px(34)), Qt::AlignCenter, tr("STOP"));
  painter.setFont(theme().font(Type::kText));
  painter.drawText(QRectF(0, middle + px(6), width(), px(18)), Qt::AlignCenter, second_line_);
  if (hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Qt::white, 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(3, 3, -3, -3), 3, 3);
  }
}

}  // namespace tactelier::gui
