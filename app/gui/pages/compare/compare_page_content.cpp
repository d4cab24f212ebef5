// What the Compare page shows of its comparison.

#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "app/gui/pages/compare/choice_bar.hpp"
#include "app/gui/pages/compare/compare_exports.hpp"
#include "app/gui/pages/compare/compare_page.hpp"
#include "app/gui/pages/compare/figure_panel.hpp"
#include "app/gui/pages/compare/image_panel.hpp"
#include "app/gui/pages/compare/nudge_bar.hpp"
#include "app/gui/pages/compare/press_bar.hpp"
#include "app/gui/pages/compare/profile_panel.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/widgets/newton_switch.hpp"
#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

constexpr std::size_t kNamedWarnings = 2;  // the tip has the rest

QString warningWords(const Warnings& warnings) {
  QStringList lines;
  for (const auto& warning : warnings)
    lines << text(warning.code + " " + warning.where + ": " + warning.text);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

void ComparePage::fillRecordings() {
  const auto all = state().recordings().all();
  recordings_->clear();
  for (auto* document : all) recordings_->addItem(document->recording()->name());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == state().recording()) recordings_->setCurrentIndex(static_cast<int>(i));
  recordings_->setVisible(all.size() > 1);
}

/// Compares what is chosen where nobody has tried it yet.
void ComparePage::follow() {
  fillRecordings();
  const bool open = state().model() != nullptr && state().recording() != nullptr;
  stack_->setCurrentWidget(open ? panels_ : empty_);
  if (isVisible() && runner_->ready() && runner_->outdated() && !runner_->tried()) {
    runner_->run();  // comes back here
    return;
  }
  run_->setText(runner_->running() ? tr("Cancel") : tr("Compare"));
  run_->setToolTip(runner_->running()
                       ? tr("Ends the comparison; what was shown before stays.")
                       : tr("Predicts the image presses again.\ntactelier compare --model MODEL "
                            "RECORDING --method METHODS"));
  run_->setEnabled(runner_->ready());
  showHeader();
  showVerdict();
  showResult();
}

void ComparePage::showHeader() {
  if (!runner_->ready()) {
    setHeaderState(state().model() == nullptr       ? tr("no model")
                   : state().recording() == nullptr ? tr("no recording")
                                                    : tr("no method is chosen"));
    return;
  }
  const auto file = QFileInfo(state().modelDocument().file()).fileName();
  setHeaderState(tr("%1 with %2")
                     .arg(file.isEmpty() ? tr("model not saved yet") : file,
                          state().recording()->recording()->name()));
}

void ComparePage::showVerdict() {
  const char* look = "noticeInfo";
  QString words, notes, tip;
  if (runner_->running()) {
    const auto progress = runner_->progress();
    words = progress && progress->fraction >= 0 ? tr("Comparing: %1 %. The window stays usable.")
                                                      .arg(fixed(100 * progress->fraction, 0))
                                                : tr("Comparing. The window stays usable.");
  } else if (!runner_->problem().isEmpty()) {
    look = "notice";
    words = runner_->problem();
    if (runner_->result()) notes = tr("Shown below: an earlier comparison.");
  } else if (!runner_->ready()) {
    words = tr("Choose a method.");
  } else if (runner_->outdated()) {
    words = tr("Not compared yet.");
  } else {
    const auto& comparison = *runner_->result();
    QStringList lines;
    for (const auto& line : comparison.content.headlines) lines << text(line);
    words = lines.join(QLatin1Char('\n'));
    const auto& warnings = comparison.report.warnings;
    const auto first = warnings.begin();
    const auto named = std::min(warnings.size(), kNamedWarnings);
    notes = warningWords({first, first + static_cast<std::ptrdiff_t>(named)});
    if (warnings.size() > named)
      notes += tr("\nand %1 more").arg(static_cast<int>(warnings.size() - named));
    tip = warningWords(warnings);
    if (!warnings.empty()) look = "notice";
  }
  headline_->setText(words);
  headline_->setAccessibleName(words);
  notes_->setText(notes);
  notes_->setToolTip(tip);
  notes_->setVisible(!notes.isEmpty());
  if (verdict_->property("look").toString() == QLatin1String(look)) return;
  verdict_->setProperty("look", look);
  verdict_->style()->unpolish(verdict_);
  verdict_->style()->polish(verdict_);
}

QString ComparePage::method() const { return shown_method_->currentText(); }

void ComparePage::showResult() {
  const bool news = comparison_ != runner_->result();
  comparison_ = runner_->result();
  if (news) {
    const auto before = method();
    shown_method_->clear();
    if (comparison_ != nullptr) {
      for (const auto& [name, table] : comparison_->content.methods)
        shown_method_->addItem(text(name));
      shown_method_->setCurrentIndex(std::max(0, shown_method_->findText(before)));
      shown_.reset();
      units_.emplace(*comparison_->model);
      lines_.emplace(*comparison_->model);
      choices_->unit()->setReadings(comparison_->sensor, "");
      choices_->unit()->setModel(comparison_->model);
      triptych_->setSensor(comparison_->sensor);
      triptych_->setCursor(state().selection().tactel());
    }
    shown_method_->setVisible(shown_method_->count() > 1);
  }
  const auto listed =
      comparison_ != nullptr ? comparison_->imagesOf(method()) : std::vector<std::size_t>();
  if (news || listed != listed_) {
    listed_ = listed;
    images_->setImages(comparison_.get(), listed_);
    bar_->setCount(static_cast<int>(listed_.size()));
    place_ = std::clamp(place_, 0, std::max(0, static_cast<int>(listed_.size()) - 1));
  }
  figures_->show(comparison_, method());
  showImage(place_);
}

const ComparedImage* ComparePage::shownImage() const {
  if (place_ < 0 || place_ >= static_cast<int>(listed_.size())) return nullptr;
  return &comparison_->report.images[listed_[static_cast<std::size_t>(place_)]];
}

TriptychContent ComparePage::contentOf(const ComparedImage& image) const {
  return choices_->unit()->newtons() ? units_->newtons(image) : units_->counts(image);
}

ImageScales ComparePage::scalesFor(const ComparedImage& image) const {
  std::vector<TriptychContent> scaled{contentOf(image)};
  if (choices_->scaleOfAll())
    for (const auto& other : comparison_->report.images) scaled.push_back(contentOf(other));
  return scalesOf(scaled);
}

void ComparePage::showLooks() {
  exports_->setShown(comparison_, pictureLines());
  if (!shown_) {
    triptych_->clear();
    return;
  }
  triptych_->show(contentOf(*shown_), scalesFor(*shown_));
  triptych_->setLines(lines_->over(*shown_, choices_->outline(), choices_->centres()));
  triptych_->setNote(choices_->centres() ? lines_->centreWords(*shown_) : QString());
}

void ComparePage::showImage(int place) {
  place_ = place;
  const auto* image = shownImage();
  nudge_->setEnabled(image != nullptr);
  nudge_->setShift(image != nullptr ? image->shift.value_or(PoseShift{}) : PoseShift{});
  nudge_->setWords({});
  shown_ = image != nullptr ? std::optional(*image) : std::nullopt;
  showLooks();
  if (image == nullptr) return;
  bar_->setPlace(place, imageWords(*image, place));
  images_->choose(place);
}

void ComparePage::showProfile() {
  profile_->show(comparison_ != nullptr ? comparison_->sensor : SensorDescription{},
                 triptych_->content(), triptych_->map(kReal)->cursorTactel());
}

const ImagePredictor* ComparePage::predictor() {
  const auto model = comparison_->model;
  // A registered method is the same method elsewhere.
  const auto name = method().section(u' ', 0, 0);
  if (predictor_ && predictor_of_ == name && predictor_model_ == model) return &*predictor_;
  auto made = ImagePredictor::create(*model, name.toStdString());
  if (!made) {
    nudge_->setWords(text(made.error().message));
    return nullptr;
  }
  predictor_model_ = model;
  predictor_of_ = name;
  predictor_.emplace(std::move(*made));
  return &*predictor_;
}

void ComparePage::showNudged() {
  const auto* image = shownImage();
  const auto* again = image != nullptr ? predictor() : nullptr;
  if (again == nullptr) return;
  const auto moved = predict_moved(*again, *image, nudge_->shift());
  if (!moved) {
    nudge_->setWords(text(moved.error().message));
    return;
  }
  shown_ = *moved;
  showLooks();
  const auto& info = *find_image_metric("rel_l1");
  nudge_->setWords(
      (image->shift ? tr("error %1 %, as registered %2 %") : tr("error %1 %, as recorded %2 %"))
          .arg(text(metric_number(info, at(moved->metrics, info.metric))),
               text(metric_number(info, at(image->metrics, info.metric)))));
}

void ComparePage::fitPlace() {
  const auto* image = shownImage();
  const auto* again = image != nullptr ? predictor() : nullptr;
  if (again == nullptr) return;
  const auto best = register_pose(*again, *image);
  if (!best) {
    nudge_->setWords(text(best.error().message));
    return;
  }
  nudge_->setShift(*best);
  showNudged();
}

QStringList ComparePage::pictureLines() const {
  if (!shown_) return {};
  auto words = imageWords(*shown_, place_) + QStringLiteral(" · ") + method();
  if (const auto& shift = shown_->shift)
    words += tr(" · indenter moved by x %1 y %2 mm, %3°")
                 .arg(fixed(m_to_mm(shift->x_m), 2), fixed(m_to_mm(shift->y_m), 2),
                      fixed(rad_to_deg(shift->rz_rad), 1));
  const auto file = QFileInfo(state().modelDocument().file()).fileName();
  return {tr("%1 with %2")
              .arg(file.isEmpty() ? tr("model not saved yet") : file, text(shown_->session)),
          words};
}

QString ComparePage::imageWords(const ComparedImage& image, int place) const {
  const auto& pose = image.pose;
  auto words = tr("Image %1 of %2 · %3, %4°, %5, at x %6 y %7 mm")
                   .arg(place + 1)
                   .arg(static_cast<int>(listed_.size()))
                   .arg(text(image.indenter), fixed(rad_to_deg(pose.rz_rad), 0), text(image.load),
                        fixed(m_to_mm(pose.x_m), 1), fixed(m_to_mm(pose.y_m), 1));
  if (!pose.level())
    words += tr(", tilted %1°, %2°")
                 .arg(fixed(rad_to_deg(pose.tilt_x_rad), 1), fixed(rad_to_deg(pose.tilt_y_rad), 1));
  return words;
}

}  // namespace tactelier::gui
