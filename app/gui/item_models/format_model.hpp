#pragma once
// The formats an export can be written in, as in the exporters' registry, with what stands in the
// way of each.

#include <QAbstractListModel>
#include <memory>
#include <vector>

#include "app/workflow/export_model.hpp"

namespace tactelier::gui {

class FormatModel : public QAbstractListModel {
  Q_OBJECT
 public:
  /// kAll: every slot is filled from the data. kMissing: a slot is empty or filled by assumption.
  enum State { kAll, kMissing, kRefused };
  static constexpr int kLineRole = Qt::UserRole;       // what is missing, assumed, or why not
  static constexpr int kStateRole = Qt::UserRole + 1;  // State
  static constexpr int kIdRole = Qt::UserRole + 2;     // "openrave"

  explicit FormatModel(QObject* parent = nullptr);
  void setPreviews(std::shared_ptr<const ExportPreviews> previews);
  const FormatPreview* format(int row) const;
  int rowOf(const QString& id) const;
  int count(State state) const;
  State state(int row) const { return rows_[static_cast<std::size_t>(row)].state; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  struct Row {
    State state{};
    QString line;
  };
  static Row row(const FormatPreview& preview, const SensorModel& model);

  std::shared_ptr<const ExportPreviews> previews_;
  std::vector<Row> rows_;
};

}  // namespace tactelier::gui
