#include "devices/link/serial_port.hpp"

#include <fcntl.h>
#include <libserialport.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>

namespace tactelier::devices {
namespace {

struct FreePort {
  void operator()(sp_port* port) const { sp_free_port(port); }
};

sp_parity parity_of(SerialParity parity) {
  if (parity == SerialParity::kEven) return SP_PARITY_EVEN;
  return parity == SerialParity::kOdd ? SP_PARITY_ODD : SP_PARITY_NONE;
}

bool set_up(sp_port* port, const SerialSettings& settings) {
  const bool format = sp_set_baudrate(port, settings.baud) == SP_OK &&
                      sp_set_bits(port, settings.data_bits) == SP_OK &&
                      sp_set_parity(port, parity_of(settings.parity)) == SP_OK &&
                      sp_set_stopbits(port, settings.stop_bits) == SP_OK &&
                      sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE) == SP_OK;
  const bool dtr =
      !settings.dtr || sp_set_dtr(port, *settings.dtr ? SP_DTR_ON : SP_DTR_OFF) == SP_OK;
  const bool rts =
      !settings.rts || sp_set_rts(port, *settings.rts ? SP_RTS_ON : SP_RTS_OFF) == SP_OK;
  return format && dtr && rts;
}

}  // namespace

tl::unexpected<Error> cannot_open(const std::string& url, const std::string& path, int error) {
  std::string_view help;
  if (error == EACCES) help = "; add yourself to the group dialout and log in again";
  if (error == ENOENT) help = "; is it plugged in? 'ls /dev/serial/by-id' lists the ports";
  if (error == EBUSY || error == EWOULDBLOCK) help = "; another program has it open";
  return fail(ErrorCode::kIo, "{}: cannot open {}: {}{}", url, path, system_message(error), help);
}

bool is_pseudo_terminal(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return (error ? path : real.string()).starts_with("/dev/pts/");
}

Result<void> make_raw(int descriptor, const std::string& url) {
  termios settings{};
  if (::tcgetattr(descriptor, &settings) != 0)
    return fail(ErrorCode::kIo, "{}: not a serial port: {}", url, system_message(errno));
  const auto format = settings.c_cflag & (CSIZE | PARENB | PARODD | CSTOPB);
  ::cfmakeraw(&settings);
  settings.c_iflag &= ~static_cast<tcflag_t>(IXON | IXOFF | IXANY);
  settings.c_cflag &= ~static_cast<tcflag_t>(CSIZE | PARENB | PARODD | CSTOPB | HUPCL | CRTSCTS);
  settings.c_cflag |= format | CREAD | CLOCAL;
  settings.c_cc[VMIN] = 1;  // with 0, "nothing there" and "hung up" would both read 0 bytes
  settings.c_cc[VTIME] = 0;
  if (::tcsetattr(descriptor, TCSANOW, &settings) != 0)
    return fail(ErrorCode::kIo, "{}: cannot set it up: {}", url, system_message(errno));
  return {};
}

Result<void> make_raw_and_ours(int descriptor, const std::string& url) {
  if (auto raw = make_raw(descriptor, url); !raw) return raw;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return cannot_open(url, "it", errno);
  ::tcflush(descriptor, TCIOFLUSH);
  return {};
}

Result<Descriptor> open_serial_port(const LinkUrl& link, const std::string& url) {
  if (::access(link.path.c_str(), R_OK | W_OK) != 0) return cannot_open(url, link.path, errno);
  sp_port* found = nullptr;
  if (sp_get_port_by_name(link.path.c_str(), &found) != SP_OK)
    return fail(ErrorCode::kIo, "{}: {} is no serial port", url, link.path);
  const std::unique_ptr<sp_port, FreePort> port(found);
  if (sp_open(found, SP_MODE_READ_WRITE) != SP_OK)
    return cannot_open(url, link.path, sp_last_error_code());
  int shared = -1;
  sp_get_port_handle(found, &shared);
  const bool done = set_up(found, link.serial);
  const int error = done ? 0 : sp_last_error_code();
  Descriptor ours(done ? ::fcntl(shared, F_DUPFD_CLOEXEC, 0) : -1);
  if (done) ::ioctl(shared, TIOCEXCL);  // flock holds off ourselves, this everybody else
  const auto raw = ours.valid() ? make_raw_and_ours(ours.get(), url) : Result<void>{};
  sp_close(found);  // the copy stays open
  if (!done)
    return fail(ErrorCode::kIo, "{}: the port refuses {} baud or this character format: {}", url,
                link.serial.baud, system_message(error));
  if (!raw) return fail(raw.error());
  return ours;
}

}  // namespace tactelier::devices
