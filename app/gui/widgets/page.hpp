#pragma once
// A page of the window: header 48 high (title, state in a few words, actions at the right) and a
// body. A new page is one class and one line in pages.cpp.

#include <QFrame>
#include <functional>
#include <vector>

class QAction;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSettings;
class QVBoxLayout;

namespace tactelier::gui {

class ActionButton;
class Actions;
class AppState;
class BenchDevices;
class RigLink;

struct PageContext {
  AppState& state;
  RigLink& rig;
  BenchDevices& bench;
  Actions& actions;
  std::function<void(const QString& page_id)> goTo;
  std::function<QString(const QString& page_id)> titleOf;  // "" for none
};

class Page : public QWidget {
  Q_OBJECT
 public:
  /// `title` "": no header.
  Page(const PageContext& context, const QString& title, QWidget* parent = nullptr);

  /// What F1 says: rich text, one paragraph and the keys.
  virtual QString helpText() const = 0;
  /// Gets the focus when the page comes to the front: its main list or plot.
  virtual QWidget* firstFocus() { return this; }
  /// Focus of Ctrl+F; nullptr when there is nothing to search.
  virtual QWidget* searchField() { return nullptr; }
  /// The command line that does what the page shows; "" when there is none.
  virtual QString asCommand() const { return {}; }
  /// Why there is none.
  virtual QString whyNoCommand() const { return tr("This page has no command."); }
  /// A shared action was triggered while this page shows; true: it is dealt with.
  virtual bool takes(QAction*) { return false; }
  virtual void saveState(QSettings&) const {}
  virtual void restoreState(QSettings&) {}

  /// First control of the header, for Ctrl+Tab.
  QWidget* headerFocus() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  AppState& state() const { return context_.state; }
  /// The rig process, as its client.
  RigLink& rig() const { return context_.rig; }
  Actions& actions() const { return context_.actions; }
  void goTo(const QString& page_id) const { context_.goTo(page_id); }
  /// The few words beside the title.
  void setHeaderState(const QString& text);
  /// A header button for a shared action: its text, icon, key and enabled state.
  QPushButton* addHeaderAction(QAction* action, const QString& icon, bool primary = false);
  /// Any other control of the header, before the buttons.
  void addHeaderWidget(QWidget* widget);
  /// The body: 12 margins, 12 gaps.
  QVBoxLayout* body() const { return body_; }

 private:
  /// Less words on the buttons where they wouldn't fit.
  void fitHeader();

  PageContext context_;
  QVBoxLayout* body_;
  QWidget* head_ = nullptr;
  QHBoxLayout* header_ = nullptr;
  QLabel* title_ = nullptr;
  QLabel* state_text_ = nullptr;
  std::vector<ActionButton*> header_buttons_;
};

}  // namespace tactelier::gui
