'use strict';
/** The thread of a sandbox on a machine that needs a minute each time for more memory. */
const { join } = require('node:path');

const { grow } = WebAssembly.Memory.prototype;
const now = performance.now.bind(performance);
let waited = 0;

WebAssembly.Memory.prototype.grow = function growLate(pages) {
  waited += 60_000;
  return grow.call(this, pages);
};
performance.now = () => now() + waited;

require(join(__dirname, '../../dist/platform/scripts/sandbox-worker.js'));
