// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest as JSON, and as comment lines of the PTX.
//
// A manifest is read from files that were cached, shipped or written by hand years after this
// library was built, so reading trusts nothing: a missing field, a field of the wrong type, a value
// out of range and a field that this version does not know are each refused by a sentence with the
// field's name, its value and what it must be. Unknown fields are refused because they may carry a
// condition that the code relies on; whoever adds a field raises the version.
//
//   {"version": 1, "kernel": "add", "entry": "add", "target": "sm_90a", "threads": 128,
//    "parameters": [{"argument": 0, "kind": "pointer", "type": "f32", "writes": false},
//                   {"argument": 1, "kind": "scalar", "type": "i64", "divisibleBy": 16}]}
//
// That is all of it for most kernels: prints and checks add "records", what has its default value
// (no shared memory, cluster 1x1x1, one CTA a program, the element's own alignment, nothing assumed
// of a scalar) may be left out and is not written. One top-level field and one parameter a line
// keep the comment in the PTX readable.
//
// Every number is checked to fit before it is narrowed, so a manifest that was read is one that can
// be launched without overflow.

#include "runtime/base/KernelImage.h"

#include "runtime/base/RecordFormat.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <initializer_list>
#include <string_view>

namespace trowel {

namespace {
using Json = nlohmann::ordered_json;

constexpr std::string_view commentPrefix = "// trowel:";

constexpr std::size_t elementTypeCount = static_cast<std::size_t>(ElementType::Float64) + 1;
constexpr const char *kindNames[] = {"pointer", "scalar", "records"};
constexpr const char *siteNames[] = {"print", "check"};
constexpr const char *mappingNames[] = {"one-each", "persistent"};

/// In ASCII: a manifest is a comment of PTX, in which ptxas refuses any other character.
std::string print(const Json &value) {
  return value.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

/// Reads the fields of one JSON object; the first complaint is kept and the rest reads defaults.
class ObjectReader {
public:
  ObjectReader(const Json &object, std::string path, std::string &complaint)
      : object(object), path(std::move(path)), complaint(complaint) {
    if (!object.is_object())
      complain(this->path.empty() ? "it" : "field '" + this->path + "'", object, "a JSON object");
  }

  bool has(const char *field) const { return object.is_object() && object.contains(field); }

  std::string text(const char *field) {
    const Json *value = required(field);
    if (!value)
      return {};
    if (value->is_string() && !value->get_ref<const std::string &>().empty())
      return value->get<std::string>();
    complainOf(field, *value, "a string that is not empty");
    return {};
  }

  std::int64_t integer(const char *field, std::int64_t least, std::int64_t most) {
    const Json *value = required(field);
    return value ? integerIn(*value, name(field), least, most) : least;
  }
  std::int64_t integerOr(const char *field, std::int64_t absent, std::int64_t least,
                         std::int64_t most) {
    return has(field) ? integer(field, least, most) : absent;
  }

  bool flag(const char *field) {
    const Json *value = required(field);
    if (value && value->is_boolean())
      return value->get<bool>();
    if (value)
      complainOf(field, *value, "true or false");
    return false;
  }
  bool flagOr(const char *field, bool absent) { return has(field) ? flag(field) : absent; }

  /// The position of a word in a list of words.
  std::size_t word(const char *field, std::span<const char *const> words) {
    const Json *value = required(field);
    if (!value)
      return 0;
    std::string choices;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (value->is_string() && value->get_ref<const std::string &>() == words[i])
        return i;
      choices += (i == 0 ? "\"" : ", \"") + std::string(words[i]) + "\"";
    }
    complainOf(field, *value, "one of " + choices);
    return 0;
  }

  const Json *array(const char *field, std::size_t exactSize = SIZE_MAX) {
    const Json *value = required(field);
    if (!value)
      return nullptr;
    if (value->is_array() && (exactSize == SIZE_MAX || value->size() == exactSize))
      return value;
    complainOf(field, *value,
               exactSize == SIZE_MAX ? "an array" : "an array of " + std::to_string(exactSize));
    return nullptr;
  }

  std::int64_t integerIn(const Json &value, const std::string &fullName, std::int64_t least,
                         std::int64_t most) {
    bool fits = value.is_number_integer() &&
                !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX);
    if (fits && value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most)
      return value.get<std::int64_t>();
    complain("field '" + fullName + "'", value,
             "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return least;
  }

  /// Refuses fields that are none of these.
  void allowOnly(std::initializer_list<std::string_view> known) {
    if (!object.is_object())
      return;
    for (const auto &[key, value] : object.items()) {
      bool found = false;
      for (std::string_view field : known)
        found |= field == key;
      if (!found)
        say("there is a field '" + name(key.c_str()) + "' (" + print(value) +
            ") that this version of Trowel does not know");
    }
  }

  void complainOf(const char *field, const Json &value, const std::string &wanted) {
    complain("field '" + name(field) + "'", value, wanted);
  }
  std::string name(const char *field) const { return path.empty() ? field : path + "." + field; }
  void say(const std::string &sentence) {
    if (complaint.empty())
      complaint = "manifest: " + sentence;
  }

private:
  const Json *required(const char *field) {
    if (has(field))
      return &object.at(field);
    say("field '" + name(field) + "' is missing");
    return nullptr;
  }
  void complain(const std::string &who, const Json &value, const std::string &wanted) {
    say(who + " is " + print(value) + "; it must be " + wanted);
  }

  const Json &object;
  std::string path;
  std::string &complaint;
};

bool isPtxIdentifier(const std::string &name) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  auto digit = [](char c) { return c >= '0' && c <= '9'; };
  bool needsMore = name[0] == '_' || name[0] == '$' || name[0] == '%';
  if (!letter(name[0]) && !needsMore)
    return false;
  for (char c : name.substr(1))
    if (!letter(c) && !digit(c) && c != '_' && c != '$')
      return false;
  return !needsMore || name.size() > 1;
}

/// The names of element types, in their order.
std::span<const char *const> typeNames() {
  static const auto names = [] {
    std::array<const char *, elementTypeCount> all;
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = name(static_cast<ElementType>(i));
    return all;
  }();
  return names;
}

ParameterRecipe readRecipe(const Json &json, std::size_t index, std::string &complaint) {
  ObjectReader reader(json, "parameters[" + std::to_string(index) + "]", complaint);
  ParameterRecipe recipe;
  recipe.kind = static_cast<ParameterRecipe::Kind>(reader.word("kind", kindNames));
  if (recipe.kind == ParameterRecipe::Kind::Records) {
    reader.allowOnly({"kind"});
    recipe.argument = -1;
    return recipe;
  }
  recipe.argument = static_cast<int>(reader.integer("argument", 0, INT_MAX - 1));
  recipe.type = static_cast<ElementType>(reader.word("type", typeNames()));
  if (recipe.kind == ParameterRecipe::Kind::Pointer) {
    reader.allowOnly({"kind", "argument", "type", "writes", "alignment"});
    recipe.writes = reader.flag("writes");
    int element = byteSize(recipe.type);
    recipe.alignment = static_cast<int>(reader.integerOr("alignment", element, element, 1 << 30));
    if (!std::has_single_bit(static_cast<unsigned>(recipe.alignment)))
      reader.complainOf("alignment", json.at("alignment"), "a power of two");
    return recipe;
  }
  reader.allowOnly({"kind", "argument", "type", "value", "divisibleBy", "fits32"});
  recipe.alignment = byteSize(recipe.type);
  recipe.specialized = reader.has("value");
  recipe.value = reader.integerOr("value", 0, INT64_MIN, INT64_MAX);
  recipe.divisibleBy = reader.integerOr("divisibleBy", 1, 1, INT64_MAX);
  recipe.fits32 = reader.flagOr("fits32", false);
  if (!isInteger(recipe.type))
    for (const char *field : {"value", "divisibleBy", "fits32"})
      if (reader.has(field))
        reader.say("field '" + reader.name(field) + "' is for integers; the scalar's type is " +
                   name(recipe.type));
  return recipe;
}

Json writeRecipe(const ParameterRecipe &recipe) {
  Json json;
  if (recipe.kind == ParameterRecipe::Kind::Records) {
    json["kind"] = kindNames[static_cast<int>(recipe.kind)];
    return json;
  }
  json["argument"] = recipe.argument;
  json["kind"] = kindNames[static_cast<int>(recipe.kind)];
  json["type"] = name(recipe.type);
  if (recipe.kind == ParameterRecipe::Kind::Pointer) {
    json["writes"] = recipe.writes;
    if (recipe.alignment > byteSize(recipe.type))
      json["alignment"] = recipe.alignment;
    return json;
  }
  if (recipe.specialized)
    json["value"] = recipe.value;
  if (recipe.divisibleBy != 1)
    json["divisibleBy"] = recipe.divisibleBy;
  if (recipe.fits32)
    json["fits32"] = true;
  return json;
}

RecordSite readSite(const Json &json, std::size_t index, std::string &complaint) {
  ObjectReader reader(json, "records[" + std::to_string(index) + "]", complaint);
  reader.allowOnly({"kind", "file", "line", "extents", "texts", "types"});
  RecordSite site;
  site.isCheck = reader.word("kind", siteNames) == 1;
  site.file = reader.has("file") ? reader.text("file") : "";
  site.line = static_cast<int>(reader.integerOr("line", 0, 0, INT_MAX));
  if (reader.has("extents"))
    if (const Json *extents = reader.array("extents"))
      for (std::size_t axis = 0; axis < extents->size(); ++axis)
        site.extents.push_back(reader.integerIn(
            (*extents)[axis], reader.name("extents") + "[" + std::to_string(axis) + "]", 1,
            INT_MAX));
  if (const Json *types = reader.array("types"))
    for (const Json &type : *types) {
      std::size_t at = 0;
      while (at < elementTypeCount && type != typeNames()[at])
        ++at;
      if (at == elementTypeCount)
        reader.complainOf("types", *types, "an array of element types such as \"f32\"");
      site.types.push_back(static_cast<ElementType>(at % elementTypeCount));
    }
  if (const Json *texts = reader.array("texts", site.types.size() + 1))
    for (const Json &text : *texts) {
      if (!text.is_string())
        reader.complainOf("texts", *texts, "an array of strings");
      site.texts.push_back(text.is_string() ? text.get<std::string>() : "");
    }
  if (site.types.size() > records::mostValues)
    reader.complainOf("types", json.at("types"),
                      "an array of at most " + std::to_string(records::mostValues));
  return site;
}

Json writeSite(const RecordSite &site) {
  Json json;
  json["kind"] = siteNames[site.isCheck];
  if (!site.file.empty()) {
    json["file"] = site.file;
    json["line"] = site.line;
  }
  if (!site.extents.empty())
    json["extents"] = site.extents;
  json["texts"] = site.texts;
  json["types"] = Json::array();
  for (ElementType type : site.types)
    json["types"].push_back(name(type));
  return json;
}

/// Calls `visit` with each line, its newline included.
template <class Visit> void forEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    visit(text.substr(0, length));
    text.remove_prefix(length);
  }
}
} // namespace

std::string Manifest::toJson() const {
  Json fields;
  fields["version"] = records.empty() ? 1 : 2;
  fields["kernel"] = kernel;
  fields["entry"] = entry;
  fields["target"] = target;
  fields["threads"] = threads;
  if (staticSharedBytes != 0)
    fields["staticSharedBytes"] = staticSharedBytes;
  if (dynamicSharedBytes != 0)
    fields["dynamicSharedBytes"] = dynamicSharedBytes;
  if (cluster != std::array<int, 3>{1, 1, 1})
    fields["cluster"] = cluster;
  if (mapping != ProgramMapping::OneEach)
    fields["mapping"] = mappingNames[static_cast<int>(mapping)];

  std::string text = "{";
  for (const auto &[key, value] : fields.items())
    text += print(key) + ": " + print(value) + ",\n ";
  auto list = [&](const char *field, const auto &elements, auto write) {
    text += "\"" + std::string(field) + "\": [";
    for (std::size_t i = 0; i < elements.size(); ++i)
      text += (i == 0 ? "\n  " : ",\n  ") + print(write(elements[i]));
    text += "]";
  };
  list("parameters", parameters, writeRecipe);
  if (!records.empty()) {
    text += ",\n ";
    list("records", records, writeSite);
  }
  return text + "}\n";
}

Result<Manifest> Manifest::fromJson(const std::string &text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception &error) { // of the syntax, or of a number that no double holds
    return Failure{std::string("manifest: it is not JSON: ") + error.what()};
  }
  std::string complaint;
  ObjectReader reader(json, "", complaint);
  Manifest manifest;
  auto version = static_cast<int>(reader.integer("version", 1, INT_MAX));
  // A later version may mean anything by its other fields, so nothing more is said about them.
  if (complaint.empty() && version > currentVersion)
    reader.say("field 'version' is " + std::to_string(version) +
               "; this version of Trowel reads 1 to " + std::to_string(currentVersion) +
               ": compile the kernel again, or update libtrowel_runtime");
  if (!complaint.empty())
    return Failure{complaint};

  reader.allowOnly({"version", "kernel", "entry", "target", "threads", "staticSharedBytes",
                    "dynamicSharedBytes", "cluster", "mapping", "parameters", "records"});
  manifest.kernel = reader.text("kernel");
  manifest.entry = reader.text("entry");
  if (complaint.empty() && !isPtxIdentifier(manifest.entry))
    reader.complainOf("entry", json.at("entry"), "a PTX identifier");
  manifest.target = reader.text("target");
  manifest.threads = static_cast<int>(reader.integer("threads", 1, 1024));
  manifest.staticSharedBytes =
      static_cast<int>(reader.integerOr("staticSharedBytes", 0, 0, INT_MAX));
  manifest.dynamicSharedBytes =
      static_cast<int>(reader.integerOr("dynamicSharedBytes", 0, 0, INT_MAX));
  if (reader.has("cluster"))
    if (const Json *cluster = reader.array("cluster", 3))
      for (std::size_t axis = 0; axis < 3; ++axis)
        manifest.cluster[axis] = static_cast<int>(
            reader.integerIn((*cluster)[axis], "cluster[" + std::to_string(axis) + "]", 1, 16));
  if (reader.has("mapping"))
    manifest.mapping = static_cast<ProgramMapping>(reader.word("mapping", mappingNames));
  if (const Json *parameters = reader.array("parameters"))
    for (std::size_t i = 0; i < parameters->size(); ++i)
      manifest.parameters.push_back(readRecipe((*parameters)[i], i, complaint));
  if (reader.has("records"))
    if (const Json *sites = reader.array("records"))
      for (std::size_t i = 0; i < sites->size(); ++i)
        manifest.records.push_back(readSite((*sites)[i], i, complaint));
  auto buffers = std::count_if(
      manifest.parameters.begin(), manifest.parameters.end(),
      [](const ParameterRecipe &recipe) { return recipe.kind == ParameterRecipe::Kind::Records; });
  if (buffers != (manifest.records.empty() ? 0 : 1))
    reader.say("it has " + std::to_string(manifest.records.size()) + " records and " +
               std::to_string(buffers) +
               " parameters for their buffer; there is one where there are records, and else none");
  if (!complaint.empty())
    return Failure{complaint};
  return manifest;
}

std::string withManifestComment(const std::string &ptx, const Manifest &manifest) {
  std::string text;
  forEachLine(manifest.toJson(), [&](std::string_view line) {
    text += commentPrefix;
    text += ' ';
    text += line;
  });
  forEachLine(ptx, [&](std::string_view line) {
    if (!line.starts_with(commentPrefix))
      text += line;
  });
  return text;
}

Result<Manifest> manifestFromComment(const std::string &ptx) {
  std::string json;
  forEachLine(ptx, [&](std::string_view line) {
    if (line.starts_with(commentPrefix))
      json += line.substr(commentPrefix.size());
  });
  if (json.empty())
    return Failure{"the PTX has no manifest: no line of it begins with '// trowel:'"};
  return Manifest::fromJson(json);
}

} // namespace trowel
