#pragma once
// What a stage of the fit warns of, to be read and copied.

#include <QDialog>

#include "libcalib/result.hpp"

namespace tactelier::gui {

/// Open; goes when it is closed.
QDialog* showWarnings(const QString& title, const Warnings& warnings, QWidget* parent);

}  // namespace tactelier::gui
