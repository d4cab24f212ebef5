#include "app/gui/item_models/result_model.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/text/message.hpp"
#include "app/gui/text/parameter_words.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "fitting/engine/facts.hpp"

namespace tactelier::gui {
namespace {

constexpr quintptr kGroupId = 0;  // of a group; a row holds its group's number + 1

QString withUnit(double value, const std::string& unit) {
  Parameter plain;
  plain.value = value;
  plain.unit = unit;
  return valueWithUncertainty(plain);
}

}  // namespace

QString resultValueWords(const ResultRow& row) {
  const bool assumed = row.parameter.status == Status::kAssumed;  // its column says so
  if (row.parameter.usable() && (assumed || expandedUncertainty(row.parameter)))
    return valueWithUncertainty(row.parameter);
  if (row.parameter.usable())
    return ResultModel::tr("%1 ± ?").arg(valueWithUncertainty(row.parameter));
  return text(advice_for(row.parameter.reason, row.path).action());
}

QString resultStatusWords(const ResultRow& row) {
  if (row.is_spread() && row.parameter.usable() && row.spread.have < row.spread.of)
    return ResultModel::tr("%1 of %2").arg(row.spread.have).arg(row.spread.of);
  return statusWords(row.parameter.status);
}

bool isTrue(const ResultRow& row, double truth) {
  const auto half = expandedUncertainty(row.parameter);
  return row.parameter.value && half && std::abs(*row.parameter.value - truth) <= *half;
}

QString resultTruthWords(const ResultRow& row, double truth) {
  Parameter shown = row.parameter;  // to the digits of the fitted value
  const auto half = expandedUncertainty(row.parameter);
  shown.value = truth;
  const auto words = valueWithUncertainty(shown);
  const auto plain = half ? words.section(QStringLiteral(" ± "), 0, 0) : words;
  return ResultModel::tr("%1 %2").arg(
      plain, isTrue(row, truth) ? QStringLiteral("✓") : QStringLiteral("▲"));
}

QString resultDetails(const ResultRow& row) {
  const auto words = parameterWords(row.path);
  const auto advice = advice_for(row.parameter.reason, row.path);
  const auto code = text(advice.code);
  QString html;
  if (row.parameter.usable()) {
    html = QStringLiteral("<b>%1</b> = %2. %3")
               .arg(words.name.toHtmlEscaped(), valueWithUncertainty(row.parameter).toHtmlEscaped(),
                    words.meaning.toHtmlEscaped());
    if (row.is_spread())
      html += QStringLiteral("<br>") +
              ResultModel::tr(
                  "Mean over %1 of %2 tactels, ± a tactel's own U; median %3, "
                  "from %4 to %5.")
                  .arg(row.spread.have)
                  .arg(row.spread.of)
                  .arg(withUnit(row.spread.median, row.parameter.unit).toHtmlEscaped(),
                       withUnit(row.spread.least, row.parameter.unit).toHtmlEscaped(),
                       withUnit(row.spread.greatest, row.parameter.unit).toHtmlEscaped());
    if (!expandedUncertainty(row.parameter))
      html += QStringLiteral("<br>") +
              ResultModel::tr("Nothing was repeated from which its uncertainty could be told.");
    if (row.parameter.std)
      html += QStringLiteral("<br>") + ResultModel::tr("Standard error %1.")
                                           .arg(withUnit(*row.parameter.std, row.parameter.unit));
    if (!row.parameter.from.empty())
      html += QStringLiteral(" ") +
              ResultModel::tr("From: %1.").arg(text(row.parameter.from).toHtmlEscaped());
    if (!row.is_spread() || row.parameter.reason.empty()) return html;
    return html + QStringLiteral("<br>") +
           ResultModel::tr("Of the others most say: %1 %2")
               .arg(code, text(advice.words).toHtmlEscaped());
  }
  html = ResultModel::tr("<b>%1 is not identified.</b> %2 %3")
             .arg(words.name.toHtmlEscaped(), text(advice.words).toHtmlEscaped(),
                  code.isEmpty() ? QString() : QStringLiteral("(%1)").arg(code));
  const auto protocol = protocolWords(advice.protocol);
  if (!protocol.isEmpty())
    html +=
        QStringLiteral("<br>") + ResultModel::tr("<b>Record %1.</b>").arg(protocol.toHtmlEscaped());
  for (const auto& more : {advice.meaning, advice.remedy})
    if (!more.empty()) html += QStringLiteral("<br>") + text(more).toHtmlEscaped();
  html += QStringLiteral("<br>") + words.meaning.toHtmlEscaped();
  return html;
}

void ResultModel::setGroups(std::vector<ResultGroup> groups) {
  beginResetModel();
  groups_ = std::move(groups);
  endResetModel();
}

void ResultModel::setTruth(std::map<std::string, double> truth) {
  beginResetModel();
  truth_ = std::move(truth);
  endResetModel();
}

void ResultModel::setBeside(const QString& title, ResultsBeside beside) {
  beginResetModel();
  beside_title_ = title;
  beside_ = std::move(beside);
  endResetModel();
}

void ResultModel::setDimmed(bool dimmed) {
  if (dimmed == dimmed_) return;
  dimmed_ = dimmed;
  for (int i = 0; i < rowCount(); ++i) {
    const auto group = index(i, 0);
    if (rowCount(group) > 0)
      emit dataChanged(index(0, 0, group), index(rowCount(group) - 1, kColumns - 1, group));
  }
}

const ResultRow* ResultModel::row(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kGroupId) return nullptr;
  const auto& group = groups_[static_cast<std::size_t>(index.internalId() - 1)];
  return &group.rows[static_cast<std::size_t>(index.row())];
}

const ResultBeside* ResultModel::beside(const ResultRow& row) const {
  const auto found = beside_.find(row.path);
  return found == beside_.end() ? nullptr : &found->second;
}

QModelIndex ResultModel::indexOf(const QString& path) const {
  for (int g = 0; g < rowCount(); ++g) {
    const auto group = index(g, 0);
    for (int r = 0; r < rowCount(group); ++r)
      if (index(r, 0, group).data(kPathRole) == path) return index(r, 0, group);
  }
  return {};
}

QModelIndex ResultModel::firstMissing() const {
  for (int g = 0; g < rowCount(); ++g) {
    const auto group = index(g, 0);
    for (int r = 0; r < rowCount(group); ++r)
      if (!row(index(r, 0, group))->parameter.usable()) return index(r, 0, group);
  }
  return {};
}

QString ResultModel::asText() const {
  QString all = tr("Parameter\tValue ± U (95 %)\tStatus\n");
  for (const auto& group : groups_) {
    all += groupTitle(group) + QStringLiteral("\t\t\n");
    for (const auto& row : group.rows)
      all += parameterWords(row.path).name + QLatin1Char('\t') + resultValueWords(row) +
             QLatin1Char('\t') + resultStatusWords(row) + QLatin1Char('\n');
  }
  return all;
}

QModelIndex ResultModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column,
                     parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : kGroupId);
}

QModelIndex ResultModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kGroupId) return {};
  return createIndex(static_cast<int>(index.internalId()) - 1, 0, kGroupId);
}

int ResultModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(groups_.size());
  if (parent.internalId() != kGroupId || parent.column() > 0) return 0;
  return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].rows.size());
}

int ResultModel::columnCount(const QModelIndex&) const { return kColumns; }

QString ResultModel::groupTitle(const ResultGroup& group) const {
  int most = 0;
  for (const auto& row : group.rows) {
    if (!row.is_spread()) return groupWords(group.id);
    most = std::max(most, row.spread.have);
  }
  const auto name = groupWords(group.id);
  return most > 0 ? tr("%1, mean of %n tactels", nullptr, most).arg(name) : name;
}

QVariant ResultModel::groupData(const ResultGroup& group, int column, int role) const {
  switch (role) {
    case Qt::DisplayRole:
      return column == 0 ? groupTitle(group) : QVariant();
    case Qt::FontRole:
      return theme().font(Type::kBold);
    case Qt::BackgroundRole:
      return theme().color(Token::kAlt);
    default:
      return {};
  }
}

QVariant ResultModel::besideData(const ResultBeside& beside, int role) const {
  using Verdict = ResultBeside::Verdict;
  if (role == Qt::DisplayRole) return beside.words;
  if (role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole) return beside.tip;
  if (role == Qt::ForegroundRole && (dimmed_ || beside.verdict == Verdict::kNone))
    return theme().color(Token::kText2);
  if (role == Qt::ForegroundRole)
    return theme().color(beside.verdict == Verdict::kAgrees ? Token::kOk : Token::kWarn);
  return {};
}

QVariant ResultModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto* found = row(index);
  if (found == nullptr)
    return groupData(groups_[static_cast<std::size_t>(index.row())], index.column(), role);
  const bool known = found->parameter.usable();
  const auto truth = truth_.find(found->path);
  if (truth != truth_.end() && index.column() == kStatus) {
    if (role == Qt::DisplayRole) return resultTruthWords(*found, truth->second);
    if (role == Qt::ForegroundRole && !dimmed_)
      return theme().color(isTrue(*found, truth->second) ? Token::kOk : Token::kWarn);
    if (role == Qt::AccessibleTextRole)
      return isTrue(*found, truth->second) ? tr("true value, inside the interval")
                                           : tr("true value, outside the interval");
  }
  if (!beside_title_.isEmpty() && index.column() == kStatus && role != kPathRole) {
    const auto* other = beside(*found);
    return other != nullptr ? besideData(*other, role) : QVariant();
  }
  switch (role) {
    case kPathRole:
      return QString::fromStdString(found->path);
    case Qt::DisplayRole:
      return index.column() == kParameter ? parameterWords(found->path).name
             : index.column() == kValue   ? resultValueWords(*found)
                                          : resultStatusWords(*found);
    case Qt::ForegroundRole:
      if (dimmed_) return theme().color(Token::kText2);
      if (!known && index.column() != kParameter) return theme().color(Token::kWarn);
      if (index.column() == kStatus && found->parameter.identified())
        return theme().color(found->is_spread() && found->spread.have < found->spread.of
                                 ? Token::kWarn
                                 : Token::kOk);
      return {};
    case Qt::ToolTipRole:
      return tr("%1\n%2").arg(parameterWords(found->path).meaning,
                              QString::fromStdString(found->path));
    default:
      return {};
  }
}

QVariant ResultModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const QString names[] = {tr("Parameter"), tr("Value ± U (95 %)"),
                           !beside_title_.isEmpty() ? beside_title_
                           : truth_.empty()         ? tr("Status")
                                                    : tr("Truth")};
  return names[section];
}

}  // namespace tactelier::gui
