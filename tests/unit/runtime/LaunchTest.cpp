// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading and launching over a driver that writes down what it is given.

#include "Expect.h"
#include "FakeDriver.h"

#include "runtime/device/DeviceState.h"
#include "runtime/device/EntryParameters.h"
#include "runtime/device/Launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trowel {

using namespace trowel::driver;
using namespace trowel::test;

namespace {
using Kind = ParameterRecipe::Kind;

ParameterRecipe pointerTo(ElementType type, int argument, bool writes = false, int alignment = 1) {
  ParameterRecipe recipe;
  recipe.argument = argument;
  recipe.type = type;
  recipe.writes = writes;
  recipe.alignment = alignment;
  return recipe;
}

ParameterRecipe scalarOf(ElementType type, int argument) {
  ParameterRecipe recipe;
  recipe.kind = Kind::Scalar;
  recipe.argument = argument;
  recipe.type = type;
  return recipe;
}

/// x: reads f32, y: writes f32 at multiples of 16 bytes, n: i64.
KernelImage scaleImage() {
  KernelImage image;
  image.ptx = R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry scale(.param .u64 .ptr .align 1 x, .param .b64 y, .param .u64 n) { ret; })";
  image.manifest.kernel = "scale";
  image.manifest.entry = "scale";
  image.manifest.target = "sm_90a";
  image.manifest.threads = 128;
  image.manifest.parameters = {pointerTo(ElementType::Float32, 0),
                               pointerTo(ElementType::Float32, 1, true, 16),
                               scalarOf(ElementType::Int64, 2)};
  return image;
}

class Launch : public testing::Test {
protected:
  ~Launch() override { EXPECT_EQ(fake.contextDepth, 0); }

  void load(const KernelImage &image) {
    kernel = Module::load(device, image);
    fake.parameterCount = image.manifest.parameters.size();
  }
  void run(const Grid &grid, const std::vector<LaunchArgument> &arguments) {
    launch(*kernel, stream, grid, arguments);
  }
  void runScale(const Grid &grid) { run(grid, {x, y, int64{32}}); }

  Device device = newFakeDevice();
  Stream stream = Stream::defaultOf(device);
  Buffer<float> x = device.allocate<float>(32);
  Buffer<float> y = device.allocate<float>(32);
  std::shared_ptr<const LoadedKernel> kernel;
};

constexpr const char *place = "Fake GPU (cuda:0, sm_90a)";
} // namespace

TEST_F(Launch, GivesTheDriverGridBlockAndParameters) {
  load(scaleImage());
  Stream own(device);
  std::vector<LaunchArgument> arguments{x, y.devicePointer() + 4, int64{-5}};
  launch(*kernel, own, {3, 2, 1}, arguments);
  ASSERT_EQ(fake.launches.size(), 1u);
  const FakeLaunch &seen = fake.launches[0];
  EXPECT_THAT(seen.grid, testing::ElementsAre(3, 2, 1));
  EXPECT_THAT(seen.block, testing::ElementsAre(128, 1, 1));
  EXPECT_EQ(seen.stream, own.native());
  EXPECT_THAT(seen.parameters, testing::ElementsAre(x.address(), y.address() + 16,
                                                    static_cast<std::uint64_t>(int64{-5})));
}

TEST_F(Launch, TakesParametersInTheOrderOfTheRecipes) {
  KernelImage image = scaleImage();
  image.manifest.parameters = {scalarOf(ElementType::Int64, 2), pointerTo(ElementType::Float32, 0),
                               scalarOf(ElementType::Int64, 2)};
  load(image);
  run({1}, {x, y, int64{9}});
  EXPECT_THAT(fake.launches.at(0).parameters, testing::ElementsAre(9, x.address(), 9));
}

TEST_F(Launch, TakesMoreParametersThanTheStackArrayHolds) {
  KernelImage image = scaleImage();
  image.ptx = ".entry scale(";
  image.manifest.parameters.clear();
  std::vector<LaunchArgument> arguments;
  std::vector<std::uint64_t> expected;
  for (int i = 0; i < 200; ++i) {
    image.ptx += (i ? ", .param .b64 p" : ".param .b64 p") + std::to_string(i);
    image.manifest.parameters.push_back(scalarOf(ElementType::Int64, i));
    arguments.push_back(int64{i});
    expected.push_back(static_cast<std::uint64_t>(i));
  }
  image.ptx += ")";
  load(image);
  run({1}, arguments);
  EXPECT_EQ(fake.launches.at(0).parameters, expected);
}

TEST_F(Launch, OfAnEmptyGridSucceedsAndRunsNothing) {
  load(scaleImage());
  runScale({0, 1, 1});
  runScale({1, 0, 1});
  runScale({1, 1, 0});
  EXPECT_EQ(fake.launches.size(), 0u);
}

TEST_F(Launch, AllowsEachAxisItsLimit) {
  load(scaleImage());
  runScale({1, 65535, 1});
  runScale({1, 1, 65535});
  runScale({2147483647, 1, 1});
  EXPECT_EQ(fake.launches.size(), 3u);
}

TEST_F(Launch, AllowsGridsWhoseProductExceeds32Bits) {
  load(scaleImage());
  runScale({65536, 32768, 1});
  runScale({16384, 16384, 16});
  EXPECT_EQ(fake.launches.size(), 2u);
}

TEST_F(Launch, RefusesAnAxisOverItsLimit) {
  load(scaleImage());
  std::string fix =
      ": put the long extent on axis x (up to 2147483647), or let each program do more";
  std::string allows = std::string("; ") + place + " allows at most ";
  EXPECT_ERROR(runScale({1, 65536, 1}),
               "kernel 'scale': grid axis y is 65536" + allows + "65535" + fix);
  EXPECT_ERROR(runScale({1, 1, 70000}),
               "kernel 'scale': grid axis z is 70000" + allows + "65535" + fix);
  EXPECT_ERROR(runScale({int64{1} << 31, 1, 1}),
               "kernel 'scale': grid axis x is 2147483648" + allows +
                   "2147483647: split the launch, or let each program do more");
  EXPECT_ERROR(runScale({UINT64_MAX}),
               "kernel 'scale': grid axis x is 9223372036854775807" + allows +
                   "2147483647: split the launch, or let each program do more");
  EXPECT_ERROR(runScale({1, -1, 1}), "kernel 'scale': grid axis y is -1; an extent is 0 or more");
  EXPECT_EQ(fake.launches.size(), 0u);
}

TEST_F(Launch, RefusesAnotherNumberOfArguments) {
  load(scaleImage());
  EXPECT_ERROR(run({1}, {x}), "kernel 'scale': the kernel takes 3 arguments, 1 was given");
  EXPECT_ERROR(run({1}, std::vector<LaunchArgument>(4)),
               "kernel 'scale': the kernel takes 3 arguments, 4 were given");
}

TEST_F(Launch, RefusesArgumentsOfAnotherKindOrType) {
  load(scaleImage());
  LaunchArgument n(int64{32});
  EXPECT_ERROR(run({1}, {n, y, n}), "kernel 'scale': argument 0 (counted from 0) is a scalar of "
                                    "type i64; the kernel takes a pointer to f32 "
                                    "there");
  EXPECT_ERROR(run({1}, {x, y, x}), "kernel 'scale': argument 2 (counted from 0) is a pointer to "
                                    "f32; the kernel takes a scalar of type i64 "
                                    "there");
  EXPECT_ERROR(run({1}, {x, y, int32{32}}), "kernel 'scale': argument 2 (counted from 0) is a "
                                            "scalar of type i32; the kernel takes a scalar of type "
                                            "i64 there");
  Buffer<bf16> narrow = device.allocate<bf16>(32);
  EXPECT_ERROR(run({1}, {narrow, y, n}), "kernel 'scale': argument 0 (counted from 0) is a pointer "
                                         "to bf16; the kernel takes a pointer to f32 "
                                         "there");
}

TEST_F(Launch, RefusesAConstPointerThatIsWrittenThrough) {
  load(scaleImage());
  LaunchArgument n(int64{32});
  DevicePointer<const float> reading = x.devicePointer();
  run({1}, {reading, y, n});
  EXPECT_ERROR(run({1}, {x, reading, n}), "kernel 'scale': argument 1 (counted from 0) is a "
                                          "pointer to const f32, and the kernel writes through "
                                          "it; pass a pointer that is not const");
}

TEST_F(Launch, RefusesNullUnlessThereIsNothingBehindOrNothingRuns) {
  load(scaleImage());
  LaunchArgument n(int64{0});
  DevicePointer<float> null{0, device};
  EXPECT_ERROR(run({1}, {null, y, n}), "kernel 'scale': argument 0 (counted from 0) is a null "
                                       "pointer; pass a buffer or the address of device "
                                       "memory");
  run({0}, {null, y, n});
  Buffer<float> empty = device.allocate<float>(0);
  run({1}, {empty, y, n});
  EXPECT_EQ(fake.launches.size(), 1u);
}

TEST_F(Launch, RefusesMisalignedPointers) {
  load(scaleImage());
  LaunchArgument n(int64{32});
  DevicePointer<float> odd{0x10002, device}, four{0x20004, device};
  EXPECT_ERROR(run({1}, {odd, y, n}),
               "kernel 'scale': argument 0 (counted from 0) is the address 0x10002, which is not a "
               "multiple of the 4 "
               "bytes that the code relies on for f32; pass the address of a whole element");
  EXPECT_ERROR(
      run({1}, {x, four, n}),
      "kernel 'scale': argument 1 (counted from 0) is the address 0x20004, which is not a multiple "
      "of the 16 "
      "bytes that the code relies on for f32; pass an aligned address, or compile the kernel "
      "without that fact");
}

TEST_F(Launch, RefusesMemoryAndStreamsOfAnotherDevice) {
  load(scaleImage());
  fake.deviceName = "Other GPU";
  Device other(detail::openDevice(newFakeApi(), 1));
  Buffer<float> far = other.allocate<float>(32);
  LaunchArgument n(int64{32});
  EXPECT_ERROR(run({1}, {x, far, n}),
               "kernel 'scale': argument 1 (counted from 0) lies on Other GPU (cuda:1, sm_90a), "
               "the launch is on Fake "
               "GPU (cuda:0, sm_90a); upload it there, or launch on a stream of its own device");
  std::vector<LaunchArgument> arguments{x, y, n};
  EXPECT_ERROR(
      launch(*kernel, Stream::defaultOf(other), {1}, arguments),
      "kernel 'scale': the stream is of Other GPU (cuda:1, sm_90a), the kernel was loaded on "
      "Fake GPU (cuda:0, sm_90a); launch on a stream of that device");
}

TEST_F(Launch, HoldsScalarsToWhatTheCodeReliesOn) {
  KernelImage image = scaleImage();
  ParameterRecipe &n = image.manifest.parameters[2];
  auto runWith = [&](int64 value) { run({1}, {x, y, value}); };
  n.specialized = true;
  n.value = 1;
  load(image);
  runWith(1);
  EXPECT_ERROR(
      runWith(2),
      "kernel 'scale': argument 2 (counted from 0) is 2, and the code was compiled for 1; compile "
      "the kernel for this value");
  n = scalarOf(ElementType::Int64, 2);
  n.divisibleBy = 16;
  n.fits32 = true;
  load(image);
  runWith(-16);
  EXPECT_ERROR(
      runWith(24),
      "kernel 'scale': argument 2 (counted from 0) is 24, which is not a multiple of the 16 that "
      "the code relies on; compile the kernel for this value");
  EXPECT_ERROR(runWith(int64{1} << 31), "kernel 'scale': argument 2 (counted from 0) is "
                                        "2147483648, which does not fit the 32 bits that the code "
                                        "relies on; compile the kernel for this value");
}

TEST_F(Launch, NamesTheKernelWhenTheDriverRefuses) {
  load(scaleImage());
  fake.results["cuLaunchKernel"] = 701;
  EXPECT_ERROR(
      runScale({1}),
      "kernel 'scale': cannot launch the kernel on Fake GPU (cuda:0, sm_90a): the driver says "
      "CUDA_ERROR_FAKE (fake text); the program needs more registers or shared memory than "
      "the device has; use fewer warps or a smaller tile");
}

using Loading = Launch;

TEST_F(Loading, ReportsResourcesAndUnloadsWithTheLastOwner) {
  fake.functionAttributes = {{functionRegisters, 40}, {functionLocalBytes, 8}};
  fake.infoLog = "ptxas info: C7510 wgmma serialised\n";
  load(scaleImage());
  EXPECT_EQ(kernel->registers, 40);
  EXPECT_EQ(kernel->localBytes, 8);
  EXPECT_EQ(kernel->staticSharedBytes, -1);
  EXPECT_EQ(kernel->log, fake.infoLog);
  EXPECT_EQ(fake.liveModules, 1);
  kernel.reset();
  EXPECT_EQ(fake.liveModules, 0);
}

TEST_F(Loading, OptsIntoSharedMemoryOver48KiB) {
  KernelImage image = scaleImage();
  image.manifest.dynamicSharedBytes = 200000;
  load(image);
  EXPECT_EQ(fake.functionAttributes[functionMaxDynamicSharedBytes], 200000);
  runScale({1});
  EXPECT_EQ(fake.launches.at(0).dynamicSharedBytes, 200000u);
}

TEST_F(Loading, RefusesMoreSharedMemoryThanThereIs) {
  KernelImage image = scaleImage();
  image.manifest.staticSharedBytes = 1024;
  image.manifest.dynamicSharedBytes = 232448;
  EXPECT_ERROR(load(image),
               "kernel 'scale': a program takes 233472 bytes of shared memory; Fake GPU "
               "(cuda:0, sm_90a) has at most 232448: use smaller tiles or fewer stages");
}

TEST_F(Loading, RefusesMoreThreadsThanTheRegistersAllow) {
  fake.functionAttributes = {{functionRegisters, 255}, {functionMaxThreads, 64}};
  EXPECT_ERROR(
      load(scaleImage()),
      "kernel 'scale': a program has 128 threads; with its 255 registers a thread Fake GPU "
      "(cuda:0, sm_90a) starts at most 64: use fewer warps");
  EXPECT_EQ(fake.liveModules, 0);
}

TEST_F(Loading, QuotesTheAssemblersLog) {
  fake.results["cuModuleLoadDataEx"] = cudaErrorInvalidPtx;
  fake.errorLog = "ptxas application ptx input, line 5; fatal: Parsing error\n";
  EXPECT_ERROR(
      load(scaleImage()),
      "kernel 'scale': cannot load the kernel on Fake GPU (cuda:0, sm_90a): the PTX is of "
      ".version 8.0 for sm_90a, the device is sm_90a, the driver is of CUDA 12.4; its log: "
      "ptxas application ptx input, line 5; fatal: Parsing error; the driver says "
      "CUDA_ERROR_FAKE (fake text); the driver's assembler refused the PTX");
}

TEST_F(Loading, NamesTheSourceLineOfWhatTheAssemblerRefuses) {
  KernelImage image = scaleImage();
  image.ptx = R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry scale(.param .u64 .ptr .align 1 x, .param .b64 y, .param .u64 n)
{
	.loc	2 17 3
	nop.a;
	.loc	1 42 0
	// begin inline asm
	nop.b;
	ret;
}
	.file	1 "scale.cpp"
	.file	2 "other.h"
)";
  fake.results["cuModuleLoadDataEx"] = cudaErrorInvalidPtx;
  auto expectPlace = [&](const std::string &log, const std::string &file, int line) {
    fake.errorLog = log;
    try {
      load(image);
      FAIL() << "nothing was thrown";
    } catch (const Error &error) {
      EXPECT_EQ(error.file(), file) << log;
      EXPECT_EQ(error.line(), line) << log;
      EXPECT_EQ(error.kernel(), "scale");
      EXPECT_NE(error.text().find("cannot load the kernel"), std::string::npos) << error.what();
    }
  };
  expectPlace("ptxas application ptx input, line 10; error   : Unknown 'nop.b'\n"
              "ptxas fatal   : Ptx assembly aborted due to errors",
              "scale.cpp", 42);
  expectPlace("ptxas application ptx input, line 7; error   : Unknown 'nop.a'", "other.h", 17);
  // Before the first .loc, without a line, and with one that is no number.
  expectPlace("ptxas application ptx input, line 5; error   : Unexpected '{'", "", 0);
  expectPlace("ptxas fatal   : Unresolved extern function 'f'", "", 0);
  expectPlace("in line x; and line 99999999999999999999", "scale.cpp", 42);
  expectPlace("", "", 0);
}

TEST_F(Loading, NamesAnEntryThatTheDriverDoesNotFind) {
  fake.results["cuModuleGetFunction"] = cudaErrorNotFound;
  EXPECT_ERROR(load(scaleImage()),
               "kernel 'scale': cannot find the entry 'scale' on Fake GPU (cuda:0, "
               "sm_90a): the driver says CUDA_ERROR_FAKE (fake text)");
}

TEST_F(Loading, RefusesAManifestThatIsNotThePtxs) {
  constexpr const char *apart = "; PTX and manifest do not belong together";
  KernelImage image = scaleImage();
  image.manifest.entry = "other";
  EXPECT_ERROR(load(image), std::string("kernel 'scale': the PTX has no .entry 'other'") + apart);
  image = scaleImage();
  image.manifest.parameters.pop_back();
  EXPECT_ERROR(load(image),
               std::string("kernel 'scale': the PTX entry 'scale' has 3 parameters, the "
                           "manifest has 2") +
                   apart);
  image = scaleImage();
  image.manifest.parameters[2].type = ElementType::Int32;
  EXPECT_ERROR(load(image),
               std::string("kernel 'scale': parameter 2 of the PTX entry 'scale' has 8 "
                           "bytes, the manifest's i32 has 4") +
                   apart);
}

TEST_F(Loading, RefusesWhatItCannotLaunch) {
  KernelImage image = scaleImage();
  image.manifest.mapping = ProgramMapping::Persistent;
  EXPECT_ERROR(load(image), "kernel 'scale': the manifest maps programs to persistent CTAs; this "
                            "version of Trowel launches one CTA a program");
  image = scaleImage();
  image.manifest.cluster = {2, 1, 1};
  EXPECT_ERROR(load(image), "kernel 'scale': the manifest asks for clusters of 2x1x1 CTAs; this "
                            "version of Trowel launches clusters of one");
  image = scaleImage();
  image.manifest.parameters[0].argument = -1;
  EXPECT_ERROR(load(image),
               "kernel 'scale': manifest: field 'parameters[0].argument' is -1; it must "
               "be a whole number from 0 to 2147483646");
}

static std::vector<int> sizesOf(const char *ptx) {
  Result<std::vector<int>> sizes = entryParameterBytes(ptx, "k");
  EXPECT_TRUE(sizes) << sizes.error();
  return sizes ? *sizes : std::vector<int>{-1};
}

TEST(EntryParameters, AreReadInEverySpelling) {
  EXPECT_EQ(sizesOf(".entry k { ret; }"), std::vector<int>{});
  EXPECT_EQ(sizesOf(".entry k() { ret; }"), std::vector<int>{});
  EXPECT_EQ(sizesOf(".entry k(.param .u8 a){}"), std::vector<int>{1});
  EXPECT_EQ(sizesOf(".entry k(\n\t.param .u64 .ptr .global .align 16 k_param_0,\n"
                    "\t.param .align 16 .b8 k_param_1[64]\n)\n"),
            (std::vector<int>{8, 64}));
  EXPECT_EQ(sizesOf("// .entry k(\n/* .entry k( */ .visible .entry j(.param .b16 x) {}\n"
                    ".entry k /* c */ (.param .f32 x /* y */, // z\n .param .b32 %w)"),
            (std::vector<int>{4, 4}));
}

TEST(EntryParameters, ThatCannotBeReadAreRefused) {
  auto reason = [](const char *ptx) { return entryParameterBytes(ptx, "k").error(); };
  EXPECT_EQ(reason(".entry kk() {}"), "the PTX has no .entry 'k'");
  EXPECT_EQ(reason(""), "the PTX has no .entry 'k'");
  std::string unreadable = "the parameter list of .entry 'k' cannot be read at parameter ";
  EXPECT_EQ(reason(".entry k(.param .b32 a, .param b)"), unreadable + "1");
  EXPECT_EQ(reason(".entry k(.param .b32 a"), unreadable + "0");
  EXPECT_EQ(reason(".entry k(.param .b8 a[x])"), unreadable + "0");
  EXPECT_EQ(reason(".entry k(.reg .b32 a)"), unreadable + "0");
}

} // namespace trowel
