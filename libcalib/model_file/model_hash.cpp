#include "libcalib/model_file/model_hash.hpp"

#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <vector>

#include "libcalib/model_file/model_file.hpp"

namespace tactelier {

std::string text_hash(std::string_view text) {
  std::array<unsigned char, 32> digest{};
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

Result<std::string> file_hash(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free);
  EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  std::vector<char> block(std::size_t{1} << 20U);
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    EVP_DigestUpdate(context.get(), block.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (!in.eof()) return fail(ErrorCode::kIo, "cannot read '{}'", file.string());
  std::array<unsigned char, 32> digest{};
  EVP_DigestFinal_ex(context.get(), digest.data(), nullptr);
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string model_hash(const SensorModel& model) { return text_hash(to_json(model)); }

}  // namespace tactelier
