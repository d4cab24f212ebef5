#pragma once
// The two ways to a descriptor that speaks serial: libserialport for ports of the machine, termios
// for pseudo-terminals, which libserialport refuses. Reading and writing is the same afterwards.

#include <string>

#include "devices/link/descriptor.hpp"
#include "devices/link/link_url.hpp"

namespace tactelier::devices {

/// A port of the machine (/dev/ttyUSB0), opened and set by libserialport. Nobody else can open it
/// meanwhile, and closing leaves DTR as it is, so that a board isn't reset by the next program.
Result<Descriptor> open_serial_port(const LinkUrl& link, const std::string& url);

/// A pseudo-terminal, or anything else that is a terminal without modem lines.
Result<Descriptor> open_terminal(const LinkUrl& link, const std::string& url);

/// Whether a path is, or points to, a pseudo-terminal.
bool is_pseudo_terminal(const std::string& path);

/// "cannot open ...: Permission denied; ..." with what helps.
tl::unexpected<Error> cannot_open(const std::string& url, const std::string& path, int error);

/// Raw bytes, no flow control, hang-ups told from "nothing there".
Result<void> make_raw(int descriptor, const std::string& url);

/// Raw, emptied, and for us alone.
Result<void> make_raw_and_ours(int descriptor, const std::string& url);

}  // namespace tactelier::devices
