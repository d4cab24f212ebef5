#pragma once
// Onto paper. The dialog blocks nothing: the window and its STOP stay alive.

#include <QImage>
#include <QPrinter>
#include <functional>
#include <memory>

class QWidget;

namespace tactelier::gui {

/// Calls `print` with the printer that was chosen; never when the dialog was closed. `pages`: from
/// 1 on, of what may be chosen of; 0: unknown.
void askToPrint(QWidget* parent, const QString& title, int pages,
                const std::function<void(std::shared_ptr<QPrinter>)>& print);

/// Resolution at which pictures of pages are asked for: more than `kMaxPrint_dpi` no eye sees.
constexpr int kMaxPrint_dpi = 300;

/// `page`: the picture of a page, from 0 on, for so many pixels per inch. Pages that the printer
/// was not asked for are left out. Any thread. False where the printer takes nothing.
bool printPages(QPrinter& printer, int pages, const std::function<QImage(int page, int dpi)>& page);

}  // namespace tactelier::gui
