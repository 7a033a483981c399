'use strict';
/** A sandbox thread that needs a minute for each memory growth. */
const { join } = require('node:path');

const { grow } = WebAssembly.Memory.prototype;
const now = performance.now.bind(performance);
let waited = 0;

WebAssembly.Memory.prototype.grow = function growLate(pages) {
  waited += 60_000;
  return grow.call(this, pages);
};
performance.now = () => now() + waited;

require(join(__dirname, '../../../dist/platform/scripts/sandbox-worker.js'));
