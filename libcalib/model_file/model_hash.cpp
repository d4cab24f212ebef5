#include "libcalib/model_file/model_hash.hpp"

#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <array>

#include "libcalib/model_file/model_file.hpp"

namespace tactelier {

std::string text_hash(std::string_view text) {
  std::array<unsigned char, 32> digest{};
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string model_hash(const SensorModel& model) { return text_hash(to_json(model)); }

}  // namespace tactelier
