#pragma once
// Where sockets, locks and logs of this user's rig processes are. Whoever may write there could
// play the rig to a client, answer STOP himself, or have files of this user's overwritten through a
// link; so the folder must be this user's alone. As the XDG base directory specification wants of
// $XDG_RUNTIME_DIR: owned by the user, access mode 0700.

#include <filesystem>

#include "libcalib/result.hpp"

namespace tactelier::rig {

/// $XDG_RUNTIME_DIR, else /tmp/tactelier-UID.
std::filesystem::path runtime_folder();

/// Makes `folder` where it isn't there, and takes others' access from one that is this user's.
/// Fails with kIo where it is a link, no folder, somebody else's, or was open to others' writing:
/// nobody knows what they left in it.
Result<void> make_private(const std::filesystem::path& folder);

/// The same of a folder that may not be there, changing nothing.
Result<void> check_private(const std::filesystem::path& folder);

}  // namespace tactelier::rig
