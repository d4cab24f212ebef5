#pragma once
// What `doctor` found, and the serial ports of this computer, as tables.

#include <QAbstractTableModel>
#include <vector>

#include "app/workflow/doctor.hpp"
#include "devices/link/serial_ports.hpp"

namespace tactelier::gui {

class CheckModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kWhat, kFound, kRemedy, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void setChecks(SystemChecks checks);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  SystemChecks checks_;
};

class PortModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kPort, kDescription, kUsb, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void setPorts(std::vector<devices::SerialPortInfo> ports);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<devices::SerialPortInfo> ports_;
};

}  // namespace tactelier::gui
