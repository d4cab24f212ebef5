#pragma once
// The one table from ErrorCode to the program's exit status (docs/command-line.md).

#include "libcalib/result.hpp"

namespace tactelier {

constexpr int kExitDone = 0;
constexpr int kExitUsage = 2;
constexpr int kExitBadInput = 3;
constexpr int kExitDevice = 4;
constexpr int kExitMissingResult = 5;
constexpr int kExitInterrupted = 130;

constexpr int exit_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return kExitUsage;
    case ErrorCode::kInvalidInput:
    case ErrorCode::kDamaged:
    case ErrorCode::kIo:
      return kExitBadInput;
    case ErrorCode::kTimeout:
    case ErrorCode::kProtocol:
    case ErrorCode::kDeviceFault:
      return kExitDevice;
    case ErrorCode::kUnidentifiable:
      return kExitMissingResult;
    case ErrorCode::kCancelled:
      return kExitInterrupted;
  }
  return kExitBadInput;
}

}  // namespace tactelier
