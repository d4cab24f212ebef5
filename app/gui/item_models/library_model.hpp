#pragma once
// The entries of the Library's folder; filtering and sorting are LibraryFilter's.

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <vector>

#include "app/gui/item_models/library_entry.hpp"

namespace tactelier::gui {

class LibraryModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kPicture, kName, kHolds, kSensor, kDate, kLength, kSize, kState, kColumns };
  static constexpr int kSortRole = Qt::UserRole;
  static constexpr int kSearchRole = Qt::UserRole + 1;
  static constexpr int kKindRole = Qt::UserRole + 2;
  static constexpr int kLookRole = Qt::UserRole + 3;

  explicit LibraryModel(QObject* parent = nullptr);
  void setEntries(std::vector<LibraryEntry> entries);
  /// A check said so; shown until the entries are set again.
  void noteCheck(const QString& path, bool whole, int presses_whole, int presses);
  const LibraryEntry& entry(int row) const { return entries_[static_cast<std::size_t>(row)]; }
  const std::vector<LibraryEntry>& entries() const { return entries_; }
  int count(LibraryEntry::Kind kind) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<LibraryEntry> entries_;
};

/// All words searched for must occur; one kind or all.
class LibraryFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  enum class Show { kAll, kRecordings, kModels };
  explicit LibraryFilter(QObject* parent = nullptr);
  void setWords(const QString& words);
  void setShow(Show show);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QStringList words_;
  Show show_ = Show::kAll;
};

}  // namespace tactelier::gui
