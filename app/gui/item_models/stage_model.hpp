#pragma once
// The stages of the fit: which to run (check box), how far they are, what they found.

#include <QAbstractTableModel>
#include <optional>
#include <string>

namespace tactelier::gui {

class AppState;

class StageModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kStage, kState, kHoldOut, kColumns };
  static constexpr int kIdRole = Qt::UserRole;

  explicit StageModel(AppState& state, QObject* parent = nullptr);
  int rowOf(const std::string& stage) const;
  /// Whether a stage of the model tells how well it says presses that were kept out of its fit.
  bool anyHoldOut() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  struct View {
    QString lamp;  // icon
    QString words;
    QString why;
    bool look = false;
  };
  View view(const std::string& stage) const;
  View fitted(const std::string& stage) const;
  std::optional<double> holdOut(const std::string& stage) const;
  QVariant holdOutData(const std::string& stage, int role) const;
  void refresh();

  AppState& state_;
};

}  // namespace tactelier::gui
