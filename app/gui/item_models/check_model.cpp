#include "app/gui/item_models/check_model.hpp"

#include "app/gui/text/message.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

QString mark(CheckState state) {
  if (state == CheckState::kGood) return QStringLiteral("● ");
  return state == CheckState::kLook ? QStringLiteral("▲ ") : QStringLiteral("■ ");
}

Token colour(CheckState state) {
  if (state == CheckState::kGood) return Token::kOk;
  return state == CheckState::kLook ? Token::kWarn : Token::kBad;
}

}  // namespace

void CheckModel::setChecks(SystemChecks checks) {
  beginResetModel();
  checks_ = std::move(checks);
  endResetModel();
}

int CheckModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(checks_.size());
}

int CheckModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant CheckModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto& check = checks_[static_cast<std::size_t>(index.row())];
  if (role == Qt::ForegroundRole && index.column() == kWhat)
    return theme().color(colour(check.state));
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  if (index.column() == kWhat)
    return role == Qt::DisplayRole ? mark(check.state) + text(check.what) : text(check.what);
  return text(index.column() == kFound ? check.words : check.remedy);
}

QVariant CheckModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const QStringList names{tr("Check"), tr("Found"), tr("How to fix it")};
  return names.value(section);
}

void PortModel::setPorts(std::vector<devices::SerialPortInfo> ports) {
  beginResetModel();
  ports_ = std::move(ports);
  endResetModel();
}

int PortModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(ports_.size());
}

int PortModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant PortModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto& port = ports_[static_cast<std::size_t>(index.row())];
  if (role == Qt::ToolTipRole)
    return port.stable_path.empty() ? text(port.path) : text(port.stable_path);
  if (role != Qt::DisplayRole) return {};
  if (index.column() == kPort) return text(port.path);
  if (index.column() == kUsb) return text(port.usb_id);
  return port.may_open ? text(port.description)
                       : tr("%1 (you may not open it)").arg(text(port.description));
}

QVariant PortModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const QStringList names{tr("Port"), tr("What the system knows"), tr("USB")};
  return names.value(section);
}

}  // namespace tactelier::gui
