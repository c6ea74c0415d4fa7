// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest: what is written is read back, and everything else is refused by a sentence.

#include "runtime/base/KernelImage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>

namespace trowel {

static Manifest sample() {
  Manifest manifest;
  manifest.kernel = "scale \"rows\"\n";
  manifest.entry = "scale_rows$1";
  manifest.target = "sm_90a";
  manifest.threads = 256;
  ParameterRecipe pointer;
  pointer.type = ElementType::BFloat16;
  pointer.writes = true;
  pointer.alignment = 16;
  ParameterRecipe scalar;
  scalar.kind = ParameterRecipe::Kind::Scalar;
  scalar.argument = 1;
  scalar.type = ElementType::Int64;
  scalar.specialized = true;
  scalar.value = INT64_MIN;
  scalar.alignment = 8;
  ParameterRecipe facts = scalar;
  facts.argument = 2;
  facts.specialized = false;
  facts.value = 0;
  facts.divisibleBy = 16;
  facts.fits32 = true;
  manifest.parameters = {pointer, scalar, facts};
  return manifest;
}

static void expectEqual(const Manifest &left, const Manifest &right) {
  EXPECT_EQ(left.kernel, right.kernel);
  EXPECT_EQ(left.entry, right.entry);
  EXPECT_EQ(left.target, right.target);
  EXPECT_EQ(left.threads, right.threads);
  EXPECT_EQ(left.staticSharedBytes, right.staticSharedBytes);
  EXPECT_EQ(left.dynamicSharedBytes, right.dynamicSharedBytes);
  EXPECT_EQ(left.cluster, right.cluster);
  EXPECT_EQ(left.mapping, right.mapping);
  ASSERT_EQ(left.parameters.size(), right.parameters.size());
  for (std::size_t i = 0; i < left.parameters.size(); ++i) {
    const ParameterRecipe &a = left.parameters[i], &b = right.parameters[i];
    EXPECT_EQ(a.kind, b.kind) << i;
    EXPECT_EQ(a.argument, b.argument) << i;
    EXPECT_EQ(a.type, b.type) << i;
    EXPECT_EQ(a.writes, b.writes) << i;
    EXPECT_EQ(a.alignment, b.alignment) << i;
    EXPECT_EQ(a.specialized, b.specialized) << i;
    EXPECT_EQ(a.value, b.value) << i;
    EXPECT_EQ(a.divisibleBy, b.divisibleBy) << i;
    EXPECT_EQ(a.fits32, b.fits32) << i;
  }
  ASSERT_EQ(left.records.size(), right.records.size());
  for (std::size_t i = 0; i < left.records.size(); ++i) {
    const RecordSite &a = left.records[i], &b = right.records[i];
    EXPECT_EQ(a.isCheck, b.isCheck) << i;
    EXPECT_EQ(a.file, b.file) << i;
    EXPECT_EQ(a.line, b.line) << i;
    EXPECT_EQ(a.extents, b.extents) << i;
    EXPECT_EQ(a.types, b.types) << i;
    EXPECT_EQ(a.texts, b.texts) << i;
  }
}

/// With a print and a check.
static Manifest sampleWithRecords() {
  Manifest manifest = sample();
  ParameterRecipe buffer;
  buffer.kind = ParameterRecipe::Kind::Records;
  buffer.argument = -1;
  manifest.parameters.push_back(buffer);
  RecordSite print{false, "k.cpp", 7, {3, 5}, {ElementType::BFloat16}, {"\"x\" =\n", "\xc3\xa9"}};
  RecordSite check{true, "", 0, {}, {}, {"it holds"}};
  manifest.records = {print, check};
  return manifest;
}

TEST(Manifest, ReadsBackItsRecords) {
  Result<Manifest> read = Manifest::fromJson(sampleWithRecords().toJson());
  ASSERT_TRUE(read) << read.error();
  expectEqual(*read, sampleWithRecords());
}

TEST(Manifest, IsOfTheLowestVersionThatHoldsIt) {
  EXPECT_THAT(sample().toJson(), testing::HasSubstr("\"version\": 1,"));
  EXPECT_THAT(sampleWithRecords().toJson(), testing::HasSubstr("\"version\": 2,"));
}

TEST(Manifest, RecordsAndTheirBufferBelongTogether) {
  Manifest manifest = sampleWithRecords();
  manifest.records.clear();
  EXPECT_EQ(
      Manifest::fromJson(manifest.toJson()).error(),
      "manifest: it has 0 records and 1 parameters for their buffer; there is one where there "
      "are records, and else none");
  manifest = sampleWithRecords();
  manifest.parameters.pop_back();
  EXPECT_EQ(
      Manifest::fromJson(manifest.toJson()).error(),
      "manifest: it has 2 records and 0 parameters for their buffer; there is one where there "
      "are records, and else none");
}

TEST(Manifest, MalformedRecordsAreRefused) {
  auto refused = [](const std::string &records) {
    return Manifest::fromJson(R"({"version": 2, "kernel": "k", "entry": "k", "target": "sm_80",
      "threads": 32, "parameters": [{"kind": "records"}], "records": )" +
                              records + "}")
        .error();
  };
  EXPECT_EQ(refused(R"([{"kind": "print", "texts": ["x"], "types": []}])"), "");
  EXPECT_EQ(refused("7"), "manifest: field 'records' is 7; it must be an array");
  EXPECT_EQ(refused(R"([{"kind": "shout", "texts": ["x"], "types": []}])"),
            "manifest: field 'records[0].kind' is \"shout\"; it must be one of \"print\", "
            "\"check\"");
  EXPECT_EQ(refused(R"([{"kind": "print", "texts": [], "types": []}])"),
            "manifest: field 'records[0].texts' is []; it must be an array of 1");
  EXPECT_EQ(refused(R"([{"kind": "print", "texts": [1], "types": []}])"),
            "manifest: field 'records[0].texts' is [1]; it must be an array of strings");
  EXPECT_EQ(refused(R"([{"kind": "print", "texts": ["", ""], "types": ["f33"]}])"),
            "manifest: field 'records[0].types' is [\"f33\"]; it must be an array of element types "
            "such as \"f32\"");
  EXPECT_EQ(refused(R"([{"kind": "print", "texts": ["x"], "types": [], "extents": [0]}])"),
            "manifest: field 'records[0].extents[0]' is 0; it must be a whole number from 1 to "
            "2147483647");
}

TEST(Manifest, ReadsBackWhatItWrites) {
  Result<Manifest> read = Manifest::fromJson(sample().toJson());
  ASSERT_TRUE(read) << read.error();
  expectEqual(*read, sample());
}

TEST(Manifest, ReadsBackEveryFieldThatIsNotTheDefault) {
  Manifest manifest = sample();
  manifest.staticSharedBytes = 48;
  manifest.dynamicSharedBytes = 232448;
  manifest.cluster = {2, 1, 1};
  manifest.mapping = ProgramMapping::Persistent;
  Result<Manifest> read = Manifest::fromJson(manifest.toJson());
  ASSERT_TRUE(read) << read.error();
  expectEqual(*read, manifest);
}

TEST(Manifest, ReadsBackFromThePtxsComment) {
  std::string ptx = ".version 8.0\n.target sm_90a\n// other comment";
  std::string text = withManifestComment(ptx, sample());
  EXPECT_TRUE(text.starts_with("// trowel: {"));
  EXPECT_TRUE(text.ends_with("\n" + ptx));
  Result<Manifest> read = manifestFromComment(text);
  ASSERT_TRUE(read) << read.error();
  expectEqual(*read, sample());
}

TEST(Manifest, CommentReplacesAnOlderOne) {
  Manifest other = sample();
  other.threads = 32;
  std::string once = withManifestComment("ret;\n", sample());
  EXPECT_EQ(withManifestComment(withManifestComment("ret;\n", other), sample()), once);
}

TEST(Manifest, PtxWithoutCommentIsRefused) {
  EXPECT_EQ(manifestFromComment(".version 8.0\n").error(),
            "the PTX has no manifest: no line of it begins with '// trowel:'");
}

TEST(Manifest, AlignmentIsAtLeastTheElements) {
  Result<Manifest> read = Manifest::fromJson(
      R"({"version": 1, "kernel": "k", "entry": "k", "target": "sm_80", "threads": 32,
          "parameters": [{"argument": 0, "kind": "pointer", "type": "i64", "writes": false}]})");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->parameters[0].alignment, 8);
}

// It is a comment of PTX, and ptxas refuses PTX that is not ASCII.
TEST(Manifest, IsAsciiWhateverIsPrintedWhere) {
  Manifest manifest = sampleWithRecords();
  manifest.records[0].file = "gr\xc3\xb6\xc3\x9f"
                             "e.cpp";
  manifest.records[1].texts = {"\xf0\x9f\x98\x80 \xe2\x82\xac"};
  std::string json = manifest.toJson();
  for (char c : json)
    ASSERT_LT(static_cast<unsigned char>(c), 0x80) << json;
  Result<Manifest> read = Manifest::fromJson(json);
  ASSERT_TRUE(read) << read.error();
  expectEqual(*read, manifest);
  // A byte that is no UTF-8 is U+FFFD afterwards.
  manifest.records[1].texts = {"\xff."};
  read = Manifest::fromJson(manifest.toJson());
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->records[1].texts[0], "\xef\xbf\xbd.");
}

TEST(Manifest, TextThatIsNoJsonIsRefused) {
  for (const char *text : {"", "{", "{\"version\": 1,}", "\xff", "{\"version\": 1e999}"})
    EXPECT_THAT(Manifest::fromJson(text).error(), testing::StartsWith("manifest: it is not JSON: "))
        << text;
}

TEST(Manifest, JsonThatIsNoObjectIsRefused) {
  EXPECT_EQ(Manifest::fromJson("[]").error(), "manifest: it is []; it must be a JSON object");
}

/// A whole manifest in which one piece of text is replaced.
struct Malformed {
  const char *piece;
  const char *replacement;
  const char *sentence;
};

class MalformedManifest : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedManifest, IsRefusedNamingFieldAndValue) {
  std::string text =
      R"({"version": 1, "kernel": "k", "entry": "k", "target": "sm_80", "threads": 32,
    "staticSharedBytes": 0, "dynamicSharedBytes": 0, "cluster": [1, 1, 1], "mapping": "one-each",
    "parameters": [
      {"argument": 0, "kind": "pointer", "type": "f32", "writes": true, "alignment": 16},
      {"argument": 1, "kind": "scalar", "type": "i64", "value": 7, "divisibleBy": 1, "fits32": true},
      {"argument": 2, "kind": "scalar", "type": "f32"}]})";
  ASSERT_TRUE(Manifest::fromJson(text)) << Manifest::fromJson(text).error();
  std::size_t at = text.find(GetParam().piece);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(GetParam().piece).size(), GetParam().replacement);
  EXPECT_EQ(Manifest::fromJson(text).error(), std::string("manifest: ") + GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(
    EachField, MalformedManifest,
    testing::Values(
        Malformed{R"("version": 1, )", "", "field 'version' is missing"},
        Malformed{R"("version": 1)", R"("version": "1")",
                  "field 'version' is \"1\"; it must be a whole number from 1 to 2147483647"},
        Malformed{R"("version": 1)", R"("version": 3)",
                  "field 'version' is 3; this version of Trowel reads 1 to 2: compile the kernel "
                  "again, or "
                  "update libtrowel_runtime"},
        Malformed{R"("kernel": "k", )", "", "field 'kernel' is missing"},
        Malformed{R"("kernel": "k")", R"("kernel": "")",
                  "field 'kernel' is \"\"; it must be a string that is not empty"},
        Malformed{R"("kernel": "k")", R"("kernel": null)",
                  "field 'kernel' is null; it must be a string that is not empty"},
        Malformed{R"("entry": "k", )", "", "field 'entry' is missing"},
        Malformed{R"("entry": "k")", R"("entry": "a b")",
                  "field 'entry' is \"a b\"; it must be a PTX identifier"},
        Malformed{R"("entry": "k")", R"("entry": "_")",
                  "field 'entry' is \"_\"; it must be a PTX identifier"},
        Malformed{R"("target": "sm_80", )", "", "field 'target' is missing"},
        Malformed{R"("target": "sm_80")", R"("target": 80)",
                  "field 'target' is 80; it must be a string that is not empty"},
        Malformed{R"("threads": 32,)", "", "field 'threads' is missing"},
        Malformed{R"("threads": 32)", R"("threads": 0)",
                  "field 'threads' is 0; it must be a whole number from 1 to 1024"},
        Malformed{R"("threads": 32)", R"("threads": 1025)",
                  "field 'threads' is 1025; it must be a whole number from 1 to 1024"},
        Malformed{R"("threads": 32)", R"("threads": 32.5)",
                  "field 'threads' is 32.5; it must be a whole number from 1 to 1024"},
        Malformed{
            R"("threads": 32)", R"("threads": 18446744073709551615)",
            "field 'threads' is 18446744073709551615; it must be a whole number from 1 to 1024"},
        Malformed{
            R"("staticSharedBytes": 0)", R"("staticSharedBytes": -1)",
            "field 'staticSharedBytes' is -1; it must be a whole number from 0 to 2147483647"},
        Malformed{R"("dynamicSharedBytes": 0)", R"("dynamicSharedBytes": true)",
                  "field 'dynamicSharedBytes' is true; it must be a whole number from 0 to "
                  "2147483647"},
        Malformed{R"([1, 1, 1])", R"([1, 1])",
                  "field 'cluster' is [1,1]; it must be an array of 3"},
        Malformed{R"([1, 1, 1])", R"([1, 0, 1])",
                  "field 'cluster[1]' is 0; it must be a whole number from 1 to 16"},
        Malformed{R"("one-each")", R"("each")",
                  "field 'mapping' is \"each\"; it must be one of \"one-each\", \"persistent\""},
        Malformed{
            R"("parameters")", R"("params")",
            "there is a field 'params' ([{\"argument\":0,\"kind\":\"pointer\",\"type\":\"f32\","
            "\"writes\":true,\"alignment\":16},{\"argument\":1,\"kind\":\"scalar\",\"type\":"
            "\"i64\",\"value\":7,\"divisibleBy\":1,\"fits32\":true},{\"argument\":2,\"kind\":"
            "\"scalar\",\"type\":\"f32\"}]) that this version of Trowel does not know"},
        Malformed{R"("argument": 0, )", "", "field 'parameters[0].argument' is missing"},
        Malformed{
            R"("argument": 0)", R"("argument": -1)",
            "field 'parameters[0].argument' is -1; it must be a whole number from 0 to 2147483646"},
        Malformed{R"("kind": "pointer", )", "", "field 'parameters[0].kind' is missing"},
        Malformed{
            R"("kind": "pointer")", R"("kind": "view")",
            "field 'parameters[0].kind' is \"view\"; it must be one of \"pointer\", \"scalar\", "
            "\"records\""},
        Malformed{R"("type": "f32", )", "", "field 'parameters[0].type' is missing"},
        Malformed{
            R"("type": "f32")", R"("type": "f33")",
            "field 'parameters[0].type' is \"f33\"; it must be one of \"bool\", \"i8\", \"u8\", "
            "\"i16\", \"u16\", \"i32\", \"u32\", \"i64\", \"u64\", \"f16\", \"bf16\", \"f32\", "
            "\"f64\""},
        Malformed{R"("writes": true, )", "", "field 'parameters[0].writes' is missing"},
        Malformed{R"("writes": true)", R"("writes": 1)",
                  "field 'parameters[0].writes' is 1; it must be true or false"},
        Malformed{R"("alignment": 16)", R"("alignment": 2)",
                  "field 'parameters[0].alignment' is 2; it must be a whole number from 4 to "
                  "1073741824"},
        Malformed{R"("alignment": 16)", R"("alignment": 12)",
                  "field 'parameters[0].alignment' is 12; it must be a power of two"},
        Malformed{
            R"("alignment": 16)", R"("value": 16)",
            "there is a field 'parameters[0].value' (16) that this version of Trowel does not "
            "know"},
        Malformed{R"("value": 7)", R"("value": "7")",
                  "field 'parameters[1].value' is \"7\"; it must be a whole number from "
                  "-9223372036854775808 to 9223372036854775807"},
        Malformed{R"("divisibleBy": 1)", R"("divisibleBy": 0)",
                  "field 'parameters[1].divisibleBy' is 0; it must be a whole number from 1 to "
                  "9223372036854775807"},
        Malformed{R"("fits32": true)", R"("fits32": "yes")",
                  "field 'parameters[1].fits32' is \"yes\"; it must be true or false"},
        Malformed{R"("type": "f32"}])", R"("type": "f32", "value": 1}])",
                  "field 'parameters[2].value' is for integers; the scalar's type is f32"}));

} // namespace trowel
