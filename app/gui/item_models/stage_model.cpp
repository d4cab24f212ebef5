#include "app/gui/item_models/stage_model.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/state/app_state.hpp"
#include "app/gui/text/parameter_words.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/icons.hpp"
#include "reports/fit_verdict.hpp"

namespace tactelier::gui {
namespace {

Token lampToken(const QString& lamp) {
  if (lamp == QStringLiteral("lamp-good")) return Token::kOk;
  if (lamp == QStringLiteral("lamp-look")) return Token::kWarn;
  if (lamp == QStringLiteral("lamp-busy")) return Token::kAccent;
  return Token::kText2;
}

}  // namespace

StageModel::StageModel(AppState& state, QObject* parent)
    : QAbstractTableModel(parent), state_(state) {
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &StageModel::refresh);
  connect(&state_.fit(), &FitRunner::started, this, &StageModel::refresh);
  connect(&state_.fit(), &FitRunner::stageEnded, this, &StageModel::refresh);
  connect(&state_.fit(), &FitRunner::finished, this, &StageModel::refresh);
  connect(&state_.fit().choice(), &FitChoice::changed, this, &StageModel::refresh);
  connect(&state_.jobs(), &Jobs::changed, this, [this] {
    if (state_.fit().running()) refresh();
  });
  connect(&theme(), &Theme::changed, this, &StageModel::refresh);
}

void StageModel::refresh() { emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1)); }

int StageModel::rowOf(const std::string& stage) const {
  const auto all = stages();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Stage& s) { return s.id == stage; });
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

int StageModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(stages().size());
}

int StageModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

std::optional<double> StageModel::holdOut(const std::string& stage) const {
  if (state_.model() == nullptr) return std::nullopt;
  const auto& quality = state_.model()->quality;
  const auto found = quality.find(stage);
  return found == quality.end() ? std::nullopt : found->second.holdout_ratio;
}

bool StageModel::anyHoldOut() const {
  return std::ranges::any_of(
      stages(), [this](const Stage& stage) { return holdOut(std::string(stage.id)).has_value(); });
}

StageModel::View StageModel::fitted(const std::string& stage) const {
  if (state_.model() == nullptr) return {QStringLiteral("lamp-off"), tr("not run"), {}, false};
  const auto outcome = stage_outcome(*state_.model(), stage);
  const auto count = outcome.of > 0          ? tr("%1 of %2").arg(outcome.have).arg(outcome.of)
                     : outcome.unmet.empty() ? tr("done")
                                             : tr("in part");
  switch (outcome.kind) {
    case StageOutcome::Kind::kNotRun:
      return {QStringLiteral("lamp-off"), tr("not run"), {}, false};
    case StageOutcome::Kind::kNothing:
      return {QStringLiteral("lamp-off"), tr("no data"), text(outcome.unmet), true};
    case StageOutcome::Kind::kInPart:
      return {QStringLiteral("lamp-look"), count, text(outcome.unmet), true};
    case StageOutcome::Kind::kComplete:
      break;
  }
  for (const auto& ended : state_.fit().stages())
    if (ended.stage == stage)
      return {QStringLiteral("lamp-good"), tr("%1 s").arg(fixed(ended.took_s, 1)), {}, false};
  return {QStringLiteral("lamp-good"), count, {}, false};
}

StageModel::View StageModel::view(const std::string& stage) const {
  if (!state_.fit().running()) return fitted(stage);
  const auto& ended = state_.fit().stages();
  const auto is = [](const std::string& id) {
    return [&id](const auto& s) { return s.stage == id; };
  };
  const auto done = std::find_if(ended.begin(), ended.end(), is(stage));
  if (done != ended.end())
    return {QStringLiteral("lamp-good"), tr("%1 s").arg(fixed(done->took_s, 1)), {}, false};
  if (!state_.fit().choice().runs(stage)) return fitted(stage);
  for (const auto& known : stages()) {
    const std::string id(known.id);
    if (!state_.fit().choice().runs(id) ||
        std::find_if(ended.begin(), ended.end(), is(id)) != ended.end())
      continue;
    if (id != stage) break;  // another one is running
    const auto progress = state_.fit().progress();
    // The work counts stages: what is beyond those that have ended is this one's share.
    const double share = progress ? progress->done - static_cast<double>(ended.size()) : 0;
    return {QStringLiteral("lamp-busy"),
            share > 0 && share <= 1 ? tr("%1 %").arg(std::floor(100 * share)) : tr("running"),
            {},
            false};
  }
  return {QStringLiteral("lamp-waiting"), tr("waiting"), {}, false};
}

QVariant StageModel::holdOutData(const std::string& stage, int role) const {
  const auto ratio = holdOut(stage);
  switch (role) {
    case Qt::DisplayRole:
      return ratio ? QStringLiteral("× %1").arg(fixed(*ratio, 2)) : QString();
    case Qt::ToolTipRole:
      return tr(
          "Residual of the presses kept out of the fit, by that of the fitted ones: near 1 "
          "the model says as much of presses that it has not seen.\ntactelier fit --holdout");
    case Qt::ForegroundRole:
      return theme().color(Token::kText2);
    case Qt::AccessibleTextRole:
      return ratio ? tr("hold-out ratio %1").arg(fixed(*ratio, 2)) : QString();
    default:
      return {};
  }
}

QVariant StageModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& stage = stages()[static_cast<std::size_t>(index.row())];
  const std::string id(stage.id);
  if (role == kIdRole) return text(id);
  if (role == Qt::CheckStateRole && index.column() == kStage)
    return state_.fit().choice().runs(id) ? Qt::Checked : Qt::Unchecked;
  if (role == Qt::DisplayRole && index.column() == kStage)
    return tr("%1 %2").arg(index.row() + 1).arg(stageWords(id));
  if (role == Qt::TextAlignmentRole && index.column() != kStage)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (index.column() == kHoldOut) return holdOutData(id, role);
  const auto now = view(id);
  switch (role) {
    case Qt::DisplayRole:
      return now.words;
    case Qt::DecorationRole:
      if (index.column() != kStage) return {};
      return iconPixmap(now.lamp, theme().px(14), theme().color(lampToken(now.lamp)));
    case Qt::ForegroundRole:
      if (index.column() == kState && now.look) return theme().color(Token::kWarn);
      if (index.column() == kState || state_.modelDocument().outdated())
        return theme().color(Token::kText2);
      return {};
    case Qt::ToolTipRole:
      return tr("%1. Checked: it runs, and what it needs.%2%3\ntactelier fit FILE --stages %4")
          .arg(text(stage.title), now.why.isEmpty() ? QString() : QLatin1Char('\n') + now.why,
               holdOut(id) ? tr("\nHold-out ratio %1.").arg(fixed(*holdOut(id), 2)) : QString(),
               text(id));
    case Qt::AccessibleTextRole:
      return tr("%1: %2").arg(text(stage.title), now.words);
    default:
      return {};
  }
}

bool StageModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !index.isValid() || index.column() != kStage) return false;
  state_.fit().choice().setRuns(std::string(stages()[static_cast<std::size_t>(index.row())].id),
                                value.toInt() == Qt::Checked);
  return true;
}

QVariant StageModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == kStage ? tr("Stage") : section == kState ? tr("State") : tr("Hold-out");
}

Qt::ItemFlags StageModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  auto flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  if (index.column() == kStage) flags |= Qt::ItemIsUserCheckable;
  return flags;
}

}  // namespace tactelier::gui
