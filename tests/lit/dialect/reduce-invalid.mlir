// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics

func.func @nothing() {
  // expected-error @+1 {{'tile.reduce' op has no operand to combine}}
  "tile.reduce"() <{axis = 0 : i32}> ({
    "tile.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @results(%x: tensor<8xi32>) {
  // expected-error @+1 {{'tile.reduce' op has 1 operands and 2 results; each operand gives one result}}
  %0:2 = tile.reduce %x axis 0 : (tensor<8xi32>) -> (i32, i32) {
  ^bb0(%a: i32, %b: i32):
    tile.yield %a : i32
  }
  return
}

// -----

func.func @axis(%x: tensor<8x4xi32>) {
  // expected-error @+1 {{'tile.reduce' op combines along axis 2, but a tile of 8x4 has the axes 0 to 1}}
  %0 = tile.reduce %x axis 2 : (tensor<8x4xi32>) -> tensor<8xi32> {
  ^bb0(%a: i32, %b: i32):
    tile.yield %a : i32
  }
  return
}

// -----

func.func @negative_axis(%x: tensor<8xi32>) {
  // expected-error @+1 {{'tile.scan' op combines along axis -1, but a tile of 8 has the axes 0 to 0}}
  %0 = tile.scan %x axis -1 : (tensor<8xi32>) -> tensor<8xi32> {
  ^bb0(%a: i32, %b: i32):
    tile.yield %a : i32
  }
  return
}

// -----

func.func @end(%x: tensor<8xi32>) {
  // expected-error @+1 {{'tile.reduce' op has a region that does not end in tile.yield}}
  %0 = tile.reduce %x axis 0 : (tensor<8xi32>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    func.return
  }
  return
}

// -----

func.func @elements(%x: tensor<8xi32>) {
  // expected-error @+1 {{'tile.reduce' op combines 1 operands, so its region takes 2 elements and yields 1, not 1 and 1}}
  %0 = tile.reduce %x axis 0 : (tensor<8xi32>) -> i32 {
  ^bb0(%a: i32):
    tile.yield %a : i32
  }
  return
}

// -----

func.func @yielded(%x: tensor<8xi32>) {
  // expected-error @+1 {{'tile.scan' op combines 1 operands, so its region takes 2 elements and yields 1, not 2 and 2}}
  %0 = tile.scan %x axis 0 : (tensor<8xi32>) -> tensor<8xi32> {
  ^bb0(%a: i32, %b: i32):
    tile.yield %a, %b : i32, i32
  }
  return
}

// -----

func.func @pointers(%x: tensor<8x!tile.ptr<f32>>) {
  // expected-error @+1 {{'tile.scan' op cannot combine pointers}}
  %0 = tile.scan %x axis 0 : (tensor<8x!tile.ptr<f32>>) -> tensor<8x!tile.ptr<f32>> {
  ^bb0(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>):
    "tile.yield"(%a) : (!tile.ptr<f32>) -> ()
  }
  return
}

// -----

func.func @shapes(%x: tensor<8xi32>, %y: tensor<16xi32>) {
  // expected-error @+1 {{'tile.reduce' op has operands of shapes 8 and 16; all have one shape}}
  %0:2 = tile.reduce %x, %y axis 0 : (tensor<8xi32>, tensor<16xi32>) -> (i32, i32) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    tile.yield %a, %b : i32, i32
  }
  return
}

// -----

func.func @result_with_the_axis(%x: tensor<8x4xi32>) {
  // expected-error @+1 {{'tile.reduce' op result 0 is 'tensor<4xi32>', but it has 8 elements of 'i32'}}
  %0 = tile.reduce %x axis 1 : (tensor<8x4xi32>) -> tensor<4xi32> {
  ^bb0(%a: i32, %b: i32):
    tile.yield %a : i32
  }
  return
}

// -----

func.func @result_of_another_type(%x: tensor<8x4xi32>) {
  // expected-error @+1 {{'tile.scan' op result 0 is 'tensor<8x4xf32>', but it has 8x4 elements of 'i32'}}
  %0 = tile.scan %x axis 1 : (tensor<8x4xi32>) -> tensor<8x4xf32> {
  ^bb0(%a: i32, %b: i32):
    tile.yield %a : i32
  }
  return
}

// -----

func.func @region_of_another_type(%x: tensor<8xi32>) {
  // expected-error @+1 {{'tile.reduce' op combines elements of 'i32' as operand 0, but its region does not}}
  %0 = tile.reduce %x axis 0 : (tensor<8xi32>) -> i32 {
  ^bb0(%a: i64, %b: i64):
    tile.yield %a : i64
  }
  return
}

// -----

#a = #tile.layout<blocked<registers = [1], lanes = [32], warps = [2], order = [0]>>
#b = #tile.layout<blocked<registers = [2], lanes = [32], warps = [1], order = [0]>>
func.func @conversion_of_elements(%x: tensor<64xf32, #a>) {
  // expected-error-re @+1 {{'tile.convert_layout' op changes 'tensor<64xf32, #tile.layout<{{.*}}>>' to 'tensor<64xi32, #tile.layout<{{.*}}>>'; only the layout may change}}
  %0 = tile.convert_layout %x : tensor<64xf32, #a> -> tensor<64xi32, #b>
  return
}

// -----

#b = #tile.layout<blocked<registers = [2], lanes = [32], warps = [1], order = [0]>>
func.func @conversion_from_nothing(%x: tensor<64xf32>) {
  // expected-error @+1 {{'tile.convert_layout' op converts between two layouts; 'tensor<64xf32>' has none}}
  %0 = tile.convert_layout %x : tensor<64xf32> -> tensor<64xf32, #b>
  return
}
