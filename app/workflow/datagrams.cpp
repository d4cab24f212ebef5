#include "app/workflow/datagrams.hpp"

namespace tactelier {

Result<Datagrams> Datagrams::to(const std::string& place) {
  auto link = devices::open_link("udp:" + place);
  if (!link && link.error().code == ErrorCode::kUsage)
    return fail(ErrorCode::kUsage, "--udp {}: HOST:PORT expected, as 127.0.0.1:5005", place);
  if (!link) return fail(link.error());
  Datagrams datagrams;
  datagrams.link_ = std::move(*link);
  return datagrams;
}

void Datagrams::send(std::string_view text) {
  // The system tells of a datagram that met nobody when the next one is sent, which does not go.
  const auto once = [&] { return link_->send(devices::view_of(text), devices::Timeout(0)); };
  ++sent_;
  if (once()) return;
  ++refused_;
  (void)once();
}

}  // namespace tactelier
