// jest-circus makes an AsyncLocalStorage for each test file and never lets go of it. Before Node 24 each of them is looked at for every promise
// that is made, so the hundredth file of a worker would take several times what it takes alone.
const { AsyncLocalStorage } = require('node:async_hooks');

const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function noted(...given) {
  used.add(this);
  return run.apply(this, given);
};

/** Between two files nothing is under way that has a context. One that is used again later begins anew by itself. */
function leaveContexts() {
  for (const storage of used) storage.disable();
  used.clear();
}

module.exports = { leaveContexts };
