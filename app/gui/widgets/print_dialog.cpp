#include "app/gui/widgets/print_dialog.hpp"

#include <QPainter>
#include <QPrintDialog>
#include <algorithm>

namespace tactelier::gui {

void askToPrint(QWidget* parent, const QString& title, int pages,
                const std::function<void(std::shared_ptr<QPrinter>)>& print) {
  auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
  printer->setDocName(title);
  auto* dialog = new QPrintDialog(printer.get(), parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("printDialog"));
  dialog->setWindowTitle(title);
  if (pages > 0) dialog->setMinMax(1, pages);
  QObject::connect(dialog, qOverload<QPrinter*>(&QPrintDialog::accepted), parent,
                   [printer, print] { print(printer); });
  dialog->open();
}

bool printPages(QPrinter& printer, int pages,
                const std::function<QImage(int page, int dpi)>& page) {
  const int first = printer.fromPage() > 0 ? printer.fromPage() - 1 : 0;
  const int last = printer.toPage() > 0 ? std::min(printer.toPage(), pages) : pages;
  const int dpi = std::min(printer.resolution(), kMaxPrint_dpi);
  printer.setFullPage(true);
  QPainter painter;
  if (first >= last || !painter.begin(&printer)) return false;
  for (int i = first; i < last; ++i) {
    if (i > first && !printer.newPage()) return false;
    const auto image = page(i, dpi);
    // Paper of another size: as large as fits, in the middle.
    const auto paper = QRectF(printer.paperRect(QPrinter::DevicePixel));
    const auto size = QSizeF(image.size()).scaled(paper.size(), Qt::KeepAspectRatio);
    QRectF target({}, size);
    target.moveCenter(QRectF({}, paper.size()).center());
    painter.drawImage(target, image);
  }
  return painter.end();
}

}  // namespace tactelier::gui
