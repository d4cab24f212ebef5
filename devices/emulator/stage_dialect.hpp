#pragma once
// Whose firmware an emulated stage's controller has.

#include <string_view>

#include "devices/grbl/grbl_protocol.hpp"

namespace tactelier::devices {

/// One of GRBL's dialects, or a Marlin.
struct StageDialect {
  GrblDialect grbl = GrblDialect::kGrbl;
  bool marlin = false;

  StageDialect() = default;
  StageDialect(GrblDialect of_grbl) : grbl(of_grbl) {}
  static StageDialect of_marlin() {
    StageDialect dialect;
    dialect.marlin = true;
    return dialect;
  }
};

/// "grbl", "grblhal", "fluidnc", "marlin". Fails with kUsage, naming the nearest.
Result<StageDialect> parse_stage_dialect(std::string_view word);

}  // namespace tactelier::devices
