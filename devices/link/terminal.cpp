// Terminals by termios alone. Any baud rate goes through termios2, whose header can't meet
// <termios.h>: hence a file of its own.

#include <asm/termbits.h>
#include <fcntl.h>
#include <sys/ioctl.h>

#include <cerrno>

#include "devices/link/serial_port.hpp"

#ifndef TIOCM_DTR
#error "modem line constants expected from <sys/ioctl.h>"
#endif

namespace tactelier::devices {
namespace {

Result<void> set_format(int descriptor, const SerialSettings& serial, const std::string& url) {
  termios2 settings{};
  if (::ioctl(descriptor, TCGETS2, &settings) != 0)
    return fail(ErrorCode::kIo, "{}: not a terminal: {}", url, system_message(errno));
  settings.c_cflag &= ~static_cast<tcflag_t>(CBAUD | CSIZE | PARENB | PARODD | CSTOPB);
  settings.c_cflag |= BOTHER | (serial.data_bits == 7 ? CS7 : CS8);
  if (serial.parity != SerialParity::kNone) settings.c_cflag |= PARENB;
  if (serial.parity == SerialParity::kOdd) settings.c_cflag |= PARODD;
  if (serial.stop_bits == 2) settings.c_cflag |= CSTOPB;
  settings.c_ispeed = settings.c_ospeed = static_cast<speed_t>(serial.baud);
  if (::ioctl(descriptor, TCSETS2, &settings) != 0)
    return fail(ErrorCode::kIo, "{}: refuses {} baud: {}", url, serial.baud, system_message(errno));
  return {};
}

/// A pseudo-terminal has no modem lines, which is no reason to refuse it.
void set_line(int descriptor, int line, std::optional<bool> on) {
  if (on) ::ioctl(descriptor, *on ? TIOCMBIS : TIOCMBIC, &line);
}

}  // namespace

Result<Descriptor> open_terminal(const LinkUrl& link, const std::string& url) {
  Descriptor terminal(::open(link.path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (!terminal.valid()) return cannot_open(url, link.path, errno);
  if (auto set = set_format(terminal.get(), link.serial, url); !set) return fail(set.error());
  if (auto raw = make_raw_and_ours(terminal.get(), url); !raw) return fail(raw.error());
  set_line(terminal.get(), TIOCM_DTR, link.serial.dtr);
  set_line(terminal.get(), TIOCM_RTS, link.serial.rts);
  return terminal;
}

}  // namespace tactelier::devices
