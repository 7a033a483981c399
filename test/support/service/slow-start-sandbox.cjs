'use strict';
/** A sandbox thread that needs three seconds to compile WebAssembly. */
const { join } = require('node:path');

const { Module } = WebAssembly;

WebAssembly.Module = new Proxy(Module, {
  construct(compile, given) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    return new compile(...given);
  },
});

require(join(__dirname, '../../../dist/platform/scripts/sandbox-worker.js'));
