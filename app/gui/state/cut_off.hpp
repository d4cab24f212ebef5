#pragma once
// Recordings that nobody closed, because a program or the machine died. Nothing of them is lost
// but what came after the last commit.

#include <QStringList>
#include <vector>

#include "libcalib/job.hpp"

namespace tactelier::gui {

struct CutOff {
  QString file;
  int presses = 0;      // whole ones
  double length_s = 0;  // up to where it is whole
};

/// Of these files those that were cut off. One that is still being written is none; one that can't
/// be read is left to whoever opens it.
Result<std::vector<CutOff>> cutOffAmong(const QStringList& files, const Job& job);

}  // namespace tactelier::gui
