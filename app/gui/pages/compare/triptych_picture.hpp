#pragma once
// The three images of a press with what they are of, to show to somebody else: a picture, a page or
// the numbers.

#include <QByteArray>
#include <QImage>
#include <QStringList>

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::gui {

class ImageTriptych;

/// Of twice the window's pixels; `lines` above the images.
QImage triptychImage(ImageTriptych& images, const QStringList& lines);
/// Drawn for that kind of file: "pdf", "svg", else a PNG.
QByteArray triptychFile(ImageTriptych& images, const QStringList& lines, const QString& suffix);
/// A row per tactel: where it lies and its three numbers, in the unit that is shown.
QByteArray triptychValues(const ImageTriptych& images, const SensorDescription& sensor);

}  // namespace tactelier::gui
