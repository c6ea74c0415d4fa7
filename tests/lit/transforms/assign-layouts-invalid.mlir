// RUN: trowel-opt %s -verify-diagnostics -split-input-file -tile-assign-layouts

// expected-error @+1 {{has several blocks; the control flow of a kernel is scf.for, scf.while, scf.if and tile.return_if}}
func.func @blocks(%p: !tile.ptr<i32>, %c: i1, %v: i32) attributes {tile.kernel} {
  cf.cond_br %c, ^store, ^end
^store:
  tile.store %p, %v : !tile.ptr<i32>
  cf.br ^end
^end:
  return
}
