// The verdict is valijson's; its messages speak of schemas, so that ours come from explain().

// valijson includes <regex>, whose code GCC 12 suspects wrongly under the sanitizers (bug 105562).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#define VALIJSON_USE_EXCEPTIONS 1
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/resources.hpp"
#include "libcalib/schema_explain.hpp"

namespace tactelier {
namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

struct CompiledSchema {
  json document;
  valijson::Schema schema;
};

Result<json> embedded_schema(const std::string& file) {
  const auto text = resource("schemas/" + file);
  if (!text) return fail(ErrorCode::kInvalidInput, "there is no schema '{}'", file);
  return parse_json(*text, file);
}

/// Makes one document of a schema and those it refers to: OTHER.schema.json goes to
/// #/definitions/OTHER.schema.json. (valijson 1.0 mixes up equal pointers of different documents.)
class Bundler {
 public:
  Result<json> bundle(const std::string& file) {
    auto root = embedded_schema(file);
    if (!root) return root;
    bundled_.insert(file);
    root_ = file;
    if (const auto done = redirect(*root, file); !done) return fail(done.error());
    for (auto& [name, other] : others_) (*root)["definitions"][name] = std::move(other);
    return root;
  }

 private:
  Result<void> redirect(json& node, const std::string& file) {
    if (node.is_object() && node.contains("$ref") && node["$ref"].is_string())
      if (const auto done = redirect_reference(node["$ref"], file); !done) return done;
    if (!node.is_structured()) return {};
    for (auto& child : node)
      if (const auto done = redirect(child, file); !done) return done;
    return {};
  }

  Result<void> redirect_reference(json& reference, const std::string& file) {
    const auto text = reference.get<std::string>();
    const auto hash = std::min(text.find('#'), text.size());
    const auto target = hash == 0 ? file : text.substr(0, hash);
    const auto pointer = hash < text.size() ? text.substr(hash + 1) : "";
    if (bundled_.insert(target).second) {
      auto other = embedded_schema(target);
      if (!other) return fail(other.error());
      if (const auto done = redirect(*other, target); !done) return done;
      others_.emplace(target, std::move(*other));
    }
    reference = target == root_ ? "#" + pointer : "#/definitions/" + target + pointer;
    return {};
  }

  std::string root_;
  std::set<std::string> bundled_;
  std::map<std::string, json> others_;
};

Result<const CompiledSchema*> compiled_schema(const std::string& file) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<CompiledSchema>> cache;
  const std::scoped_lock lock(mutex);
  if (const auto found = cache.find(file); found != cache.end()) return found->second.get();
  auto document = Bundler().bundle(file);
  if (!document) return fail(document.error());
  auto compiled = std::make_unique<CompiledSchema>();
  compiled->document = std::move(*document);
  try {
    valijson::SchemaParser parser;
    parser.populateSchema(Adapter(compiled->document), compiled->schema);
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInvalidInput, "schema {}: {}", file, error.what());
  }
  return cache.emplace(file, std::move(compiled)).first->second.get();
}

}  // namespace

Result<void> check_schema(const json& document, std::string_view schema, std::string_view where) {
  const auto compiled = compiled_schema(std::string(schema) + ".schema.json");
  if (!compiled) return fail(compiled.error());
  valijson::ValidationResults results;
  try {
    valijson::Validator validator;
    if (validator.validate((*compiled)->schema, Adapter(document), &results)) return {};
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInvalidInput, "{}: {}", where, error.what());
  }
  if (const auto problem = explain(document, (*compiled)->document))
    return fail(ErrorCode::kInvalidInput, "{}: {}{}{}", where, problem->path,
                problem->path.empty() ? "" : ": ", problem->text);
  valijson::ValidationResults::Error last;
  while (results.popError(last)) {
  }
  return fail(ErrorCode::kInvalidInput, "{}: {}", where, last.description);
}

}  // namespace tactelier
