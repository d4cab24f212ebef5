#pragma once
// Lets clients reach a RigService by a Unix-domain socket: a thread each, requests answered in
// order, news in between. A client that goes away leaves the rig in order: its task ends after the
// press at hand.

#include <filesystem>

#include "devices/link/descriptor.hpp"
#include "devices/server/rig_service.hpp"

namespace tactelier::rig {

struct ServeOptions {
  std::filesystem::path socket;
  /// Ends by itself when nobody has been connected for so long; 0: never.
  double idle_exit_s = 0;
};

/// Takes the place: fails with kIo when another process serves there.
Result<devices::Descriptor> claim(const ServeOptions& options);

/// Serves until `stop` or a request {"do": "quit"}; what runs then ends after the press at hand.
Result<void> serve(RigService& service, devices::Descriptor listening, const ServeOptions& options,
                   const std::stop_token& stop);

}  // namespace tactelier::rig
