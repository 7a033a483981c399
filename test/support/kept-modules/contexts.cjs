// jest-circus leaks an AsyncLocalStorage for each test file. Before Node 24 each of them slows down every new promise, so the hundredth file of
// a worker would take several times as long.
const { AsyncLocalStorage } = require('node:async_hooks');

const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function recordedRun(...args) {
  used.add(this);
  return run.apply(this, args);
};

/** No context is in use between two test files. One that is used again later enables itself. */
function leaveContexts() {
  for (const storage of used) storage.disable();
  used.clear();
}

module.exports = { leaveContexts };
