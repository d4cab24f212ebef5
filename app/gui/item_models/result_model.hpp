#pragma once
// The numbers of a model as a tree: group, parameter. What is not identified says what to record.

#include <QAbstractItemModel>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/item_models/result_beside.hpp"
#include "reports/fit_results.hpp"

namespace tactelier::gui {

class ResultModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { kParameter, kValue, kStatus, kColumns };
  static constexpr int kPathRole = Qt::UserRole;

  using QAbstractItemModel::QAbstractItemModel;
  void setGroups(std::vector<ResultGroup> groups);
  const std::vector<ResultGroup>& groups() const { return groups_; }
  /// By path, of a simulated pad: shown in the place of the status. Empty: none.
  void setTruth(std::map<std::string, double> truth);
  /// Of another model, under that title in the place of the status. Empty: none.
  void setBeside(const QString& title, ResultsBeside beside);
  /// Numbers of before an edit: dimmed, still readable.
  void setDimmed(bool dimmed);
  /// nullptr for a group.
  const ResultRow* row(const QModelIndex& index) const;
  /// nullptr where no other model is laid beside, or has no word of it.
  const ResultBeside* beside(const ResultRow& row) const;
  QModelIndex indexOf(const QString& path) const;
  /// The first parameter that is not identified; invalid when all are.
  QModelIndex firstMissing() const;
  /// Tab-separated, for the clipboard.
  QString asText() const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QVariant besideData(const ResultBeside& beside, int role) const;
  QVariant groupData(const ResultGroup& group, int column, int role) const;
  QString groupTitle(const ResultGroup& group) const;

  std::vector<ResultGroup> groups_;
  std::map<std::string, double> truth_;
  QString beside_title_;
  ResultsBeside beside_;
  bool dimmed_ = false;
};

/// "417.2 ± 4.1 µN/count", or what to record instead.
QString resultValueWords(const ResultRow& row);
/// "identified", "81 of 84".
QString resultStatusWords(const ResultRow& row);
/// "true 2012 N/m ✓": inside U, or ▲ outside.
QString resultTruthWords(const ResultRow& row, double truth);
bool isTrue(const ResultRow& row, double truth);
/// Rich text on one number: what it is, where it comes from, why it is missing, what helps.
QString resultDetails(const ResultRow& row);

}  // namespace tactelier::gui
