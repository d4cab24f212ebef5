#include "devices/ati/netft_config.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <pugixml.hpp>

#include "devices/ati/ati_units.hpp"

namespace tactelier::devices {
namespace {

constexpr std::size_t kMaxBytes = 65536;
template <class... Args>
tl::unexpected<Error> bad(fmt::format_string<Args...> text, Args&&... args) {
  return fail(ErrorCode::kProtocol, "Net F/T page netftapi2.xml: {}",
              fmt::format(text, std::forward<Args>(args)...));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

template <class T, class... Base>
std::optional<T> number_in(std::string_view text, Base... base) {
  T number{};
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base...);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

/// The text of a tag that may be there once.
std::optional<std::string_view> text_of(const pugi::xml_node& root, const char* tag) {
  const auto child = root.child(tag);
  if (!child) return std::nullopt;
  return trimmed(child.text().get());
}

Result<std::string_view> required(const pugi::xml_node& root, const char* tag) {
  const auto child = root.child(tag);
  if (!child) return bad("no <{}>: is this a Net F/T box?", tag);
  if (child.next_sibling(tag)) return bad("<{}> is there twice", tag);
  return trimmed(child.text().get());
}

Result<double> counts_per_unit(const pugi::xml_node& root, const char* tag) {
  return required(root, tag).and_then([&](std::string_view text) -> Result<double> {
    const auto counts = number_in<double>(text);
    if (!counts || !(*counts > 0) || !std::isfinite(*counts))
      return bad("<{}> is '{}', a number above 0 expected", tag, text);
    return *counts;
  });
}

Result<double> unit_of(const pugi::xml_node& root, const char* tag,
                       std::optional<double> (*to_SI)(std::string_view), std::string (*names)()) {
  return required(root, tag).and_then([&](std::string_view text) -> Result<double> {
    if (const auto unit = to_SI(text)) return *unit;
    return bad("<{}> is '{}', one of {} expected", tag, text, names());
  });
}

/// Six numbers separated by ';', ',' or blanks; nothing when they aren't six.
std::optional<std::array<double, 6>> six_numbers(std::string_view text) {
  std::array<double, 6> numbers{};
  std::size_t have = 0;
  while (!(text = trimmed(text)).empty()) {
    const auto end = std::min(text.find_first_of(";, \t\r\n"), text.size());
    const auto number = number_in<double>(text.substr(0, end));
    if (!number || !std::isfinite(*number) || have == numbers.size()) return std::nullopt;
    numbers[have++] = *number;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (have != numbers.size()) return std::nullopt;
  return numbers;
}

std::optional<int> whole(const pugi::xml_node& root, const char* tag, int least, int most) {
  const auto text = text_of(root, tag);
  const auto number = text ? number_in<int>(*text) : std::nullopt;
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

void read_ratings(const pugi::xml_node& root, double N, double Nm, ForceScale& scale) {
  const auto text = text_of(root, "cfgmr");
  const auto ratings = text ? six_numbers(*text) : std::nullopt;
  if (!ratings) return;
  for (std::size_t axis = 0; axis < 6; ++axis)
    scale.full_scale_SI[axis] = std::abs((*ratings)[axis]) * (axis < 3 ? N : Nm);
}

void read_rest(const pugi::xml_node& root, NetFtConfig& config) {
  config.product = text_of(root, "prodname").value_or("");
  if (auto status = text_of(root, "runstat"); status && status->starts_with("0x"))
    config.status = number_in<std::uint32_t>(status->substr(2), 16).value_or(0);
  config.rdt_rate_hz = whole(root, "comrdtrate", 1, 7000);
  config.records_per_datagram = whole(root, "comrdtbsiz", 1, 40).value_or(1);
  if (const auto rate = text_of(root, "runrate"))
    config.sampling_rate_hz = number_in<double>(*rate);
  config.configuration = whole(root, "setcfgsel", 0, 15);
  config.filter = whole(root, "setuserfilter", 0, 12);
  config.rdt_enabled = text_of(root, "comrdte").value_or("Enabled") != "Disabled";
  if (const auto transform = text_of(root, "cfgtfx"))
    if (const auto moves = six_numbers(*transform))
      for (const double move : *moves) config.tool_transform |= move != 0;
}

}  // namespace

Result<NetFtConfig> parse_netft_config(std::string_view page) {
  if (page.size() > kMaxBytes) return bad("more than {} bytes", kMaxBytes);
  pugi::xml_document document;
  const auto parsed = document.load_buffer(page.data(), page.size(), pugi::parse_minimal);
  if (!parsed) return bad("byte {}: {}", parsed.offset, parsed.description());
  const auto root = document.child("netft");
  if (!root) return bad("no <netft>: is this a Net F/T box?");
  const auto force = counts_per_unit(root, "cfgcpf");
  if (!force) return fail(force.error());
  const auto torque = counts_per_unit(root, "cfgcpt");
  if (!torque) return fail(torque.error());
  const auto N = unit_of(root, "scfgfu", ati_force_unit_N, ati_force_unit_names);
  if (!N) return fail(N.error());
  const auto Nm = unit_of(root, "scfgtu", ati_torque_unit_Nm, ati_torque_unit_names);
  if (!Nm) return fail(Nm.error());
  NetFtConfig config;
  config.page = page;
  for (std::size_t axis = 0; axis < 6; ++axis)
    config.scale.SI_per_count[axis] = axis < 3 ? *N / *force : *Nm / *torque;
  read_ratings(root, *N, *Nm, config.scale);
  read_rest(root, config);
  return config;
}

std::optional<double> filter_cutoff_hz(int index) {
  constexpr std::array kCutoff_hz{0, 838, 326, 152, 73, 35, 18, 8, 5, 1500, 2000, 2500, 3000};
  if (index < 0 || static_cast<std::size_t>(index) >= kCutoff_hz.size()) return std::nullopt;
  return kCutoff_hz[static_cast<std::size_t>(index)];
}

}  // namespace tactelier::devices
