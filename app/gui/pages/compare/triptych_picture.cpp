#include "app/gui/pages/compare/triptych_picture.hpp"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>

#include "app/gui/pages/compare/image_triptych.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/as_table.hpp"
#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

constexpr int kMargin = 12, kSharper = 2;

int linesHeight(const QStringList& lines) {
  return static_cast<int>(lines.size()) * QFontMetrics(theme().font(Type::kText)).lineSpacing() +
         kMargin;
}

QSize pictureSize(const ImageTriptych& images, const QStringList& lines) {
  return {images.width() + 2 * kMargin, images.height() + linesHeight(lines) + 2 * kMargin};
}

void paintPicture(QPainter& painter, ImageTriptych& images, const QStringList& lines) {
  const auto size = pictureSize(images, lines);
  painter.fillRect(QRect({0, 0}, size), theme().color(Token::kWindow));
  painter.setFont(theme().font(Type::kText));
  painter.setPen(theme().color(Token::kText));
  painter.drawText(QRect(kMargin, kMargin, images.width(), linesHeight(lines)), Qt::AlignLeft,
                   lines.join(QLatin1Char('\n')));
  painter.translate(kMargin, kMargin + linesHeight(lines));
  images.render(&painter, {}, {}, QWidget::DrawChildren);
}

}  // namespace

QImage triptychImage(ImageTriptych& images, const QStringList& lines) {
  QImage image(pictureSize(images, lines) * kSharper, QImage::Format_RGB32);
  image.setDevicePixelRatio(kSharper);
  QPainter painter(&image);
  paintPicture(painter, images, lines);
  return image;
}

QByteArray triptychFile(ImageTriptych& images, const QStringList& lines, const QString& suffix) {
  QByteArray bytes;
  QBuffer file(&bytes);
  file.open(QIODevice::WriteOnly);
  const auto size = pictureSize(images, lines);
  if (suffix == QLatin1String("svg")) {
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setSize(size);
    generator.setViewBox(QRect({0, 0}, size));
    QPainter painter(&generator);
    paintPicture(painter, images, lines);
  } else if (suffix == QLatin1String("pdf")) {
    constexpr int kPerInch = 96;  // of a window's pixels
    constexpr double kPointsPerPixel = 72.0 / kPerInch;
    QPdfWriter writer(&file);
    writer.setResolution(kPerInch);
    writer.setPageSize(QPageSize(QSizeF(size) * kPointsPerPixel, QPageSize::Point));
    writer.setPageMargins({});
    QPainter painter(&writer);
    paintPicture(painter, images, lines);
  } else {
    triptychImage(images, lines).save(&file, "PNG");
  }
  return bytes;
}

QByteArray triptychValues(const ImageTriptych& images, const SensorDescription& sensor) {
  const auto& content = images.content();
  TableContent table;
  table.columns = {QStringLiteral("tactel"), QStringLiteral("row"), QStringLiteral("column"),
                   QStringLiteral("x_mm"), QStringLiteral("y_mm")};
  for (const auto* name : {"real", "simulated", "difference"})
    table.columns << QStringLiteral("%1_%2").arg(QLatin1String(name), content.unit);
  int of_array = 0;
  for (const auto& array : sensor.arrays) {
    for (int i = 0; i < array.tactels(); ++i) {
      const int tactel = of_array + i;
      const auto at_m = sensor.position_m(tactel);
      QStringList row{QString::number(tactel), QString::number(i / array.columns),
                      QString::number(i % array.columns), QString::number(m_to_mm(at_m[0]), 'g', 6),
                      QString::number(m_to_mm(at_m[1]), 'g', 6)};
      for (const auto& values : content.values) {
        const auto value = values[static_cast<std::size_t>(tactel)];
        row << (std::isnan(value) ? QString() : QString::number(value, 'g', 9));
      }
      table.rows.push_back(row);
    }
    of_array += array.tactels();
  }
  return table.toCsv().toUtf8();
}

}  // namespace tactelier::gui
