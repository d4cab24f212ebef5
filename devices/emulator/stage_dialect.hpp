#pragma once
// Whose firmware an emulated stage's controller has.

#include <string_view>

#include "devices/grbl/grbl_protocol.hpp"

namespace tactelier::devices {

/// One of GRBL's dialects, a Marlin, or Zaber's.
struct StageDialect {
  enum class Kind { kGrbl, kMarlin, kZaber };
  Kind kind = Kind::kGrbl;
  GrblDialect grbl = GrblDialect::kGrbl;

  StageDialect() = default;
  StageDialect(GrblDialect of_grbl) : grbl(of_grbl) {}
  static StageDialect of_marlin() { return of(Kind::kMarlin); }
  static StageDialect of_zaber() { return of(Kind::kZaber); }

  /// Its driver in the device file.
  std::string_view driver() const {
    if (kind == Kind::kZaber) return "zaber";
    return kind == Kind::kMarlin ? "marlin" : "grbl";
  }
  /// Where x and y are homed to: a GRBL's switches stand at the upper ends.
  bool homes_to_lower_ends() const { return kind != Kind::kGrbl; }

 private:
  static StageDialect of(Kind kind) {
    StageDialect dialect;
    dialect.kind = kind;
    return dialect;
  }
};

/// "grbl", "grblhal", "fluidnc", "marlin", "zaber". Fails with kUsage, naming the nearest.
Result<StageDialect> parse_stage_dialect(std::string_view word);

}  // namespace tactelier::devices
