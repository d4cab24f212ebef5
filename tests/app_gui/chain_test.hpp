#pragma once
#include <QObject>

/// From the example to a simulator's file, with mouse and keys, on the real window.
class ChainTest : public QObject {
  Q_OBJECT
 private slots:
  void theExampleIsOpenedLookedAtFittedAndExported();
};
