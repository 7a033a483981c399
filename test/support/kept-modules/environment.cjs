// Where test files run: one realm for all files of a worker, in which the modules of the service and of its packages stay loaded from file to
// file (runtime.cjs, docs/adr/0036-modules-stay-loaded-between-test-files.md). After each file the realm is put back as the first one found it.
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');

/** What jest-circus leaves at the realm: the tests of the file, and who listens to them. */
const OF_ONE_FILE =
  /JEST_STATE_SYMBOL|EVENT_HANDLERS|RETRY_|WAIT_BEFORE_RETRY|LOG_ERRORS_BEFORE_RETRY|TEST_TIMEOUT_SYMBOL/;

let kept;

class KeptEnvironment extends NodeEnvironment {
  constructor(config, context) {
    if (kept) return kept;
    super(config, context);
    const { watch, watchAll } = config.globalConfig;
    // Who watches changes modules between two runs.
    if (watch || watchAll) return;
    kept = this;
    this.keepsModules = true;
    this.globalsBefore = Object.entries(Object.getOwnPropertyDescriptors(this.global));
    this.processBefore = Object.entries(Object.getOwnPropertyDescriptors(this.global.process));
    this.variablesBefore = { ...this.global.process.env };
  }

  async teardown() {
    if (!this.keepsModules) return super.teardown();
    const { global, globalsBefore, processBefore, variablesBefore } = this;
    this.fakeTimersModern.useRealTimers();
    for (const symbol of Object.getOwnPropertySymbols(global))
      if (OF_ONE_FILE.test(symbol.description)) delete global[symbol];
    // The console stays that of the file until the next one comes: so jest can tell of what is logged too late.
    for (const [key, before] of globalsBefore)
      if (key !== 'console') putBack(global, key, before, () => globalThis[key]);
    // Functions only: modules that stay go on listening and counting there.
    for (const [key, before] of processBefore)
      if (typeof before.value === 'function') putBack(global.process, key, before);
    const { env } = global.process;
    for (const name of Object.keys(env)) if (!(name in variablesBefore)) delete env[name];
    Object.assign(env, variablesBefore);
    // jest remembers every value a global ever had, to clear it with the realm: here, the tests of all files.
    this._globalProxy.leftovers = [];
  }
}

/** A getter of a global becomes its value when it is first read: then `valueOfGetter` says which one it has to be. */
function putBack(object, key, before, valueOfGetter) {
  if (!before.configurable) return;
  const now = Object.getOwnPropertyDescriptor(object, key);
  const isAsBefore =
    now !== undefined &&
    (now.get
      ? now.get === before.get
      : now.value === ('value' in before ? before.value : valueOfGetter()));
  if (!isAsBefore) Object.defineProperty(object, key, before);
}

module.exports = KeptEnvironment;
