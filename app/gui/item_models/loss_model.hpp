#pragma once
// What a format does not get from the data: values missing, assumed, without a place, and what to
// mind when using it.

#include <QAbstractTableModel>
#include <vector>

#include "app/workflow/export_model.hpp"

namespace tactelier::gui {

struct LossRow {
  enum Kind { kMissing, kAssumed, kNoPlace, kMind };
  Kind kind{};
  QString path;  // "friction.mu_s"
  QString how;
};

/// Missing first, then assumed, without a place, warnings.
std::vector<LossRow> lossRows(const Exported& exported, const SensorModel& model);

class LossModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kParameter, kWhat, kHow, kColumns };
  static constexpr int kKindRole = Qt::UserRole;
  static constexpr int kPathRole = Qt::UserRole + 1;

  explicit LossModel(QObject* parent = nullptr);
  void setRows(std::vector<LossRow> rows);
  int count(LossRow::Kind kind) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<LossRow> rows_;
};

}  // namespace tactelier::gui
