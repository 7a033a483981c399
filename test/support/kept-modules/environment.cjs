// One realm for all test files of a worker, in which the modules of the service and its packages stay loaded (runtime.cjs,
// docs/adr/0004). The realm is reset after each file.
const { rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');

/** The data directory that harness.ts copies. */
process.once('exit', () =>
  rmSync(join(tmpdir(), `hypha-test-filled-${process.pid}`), { recursive: true, force: true }),
);

/** The globals of jest-circus: the tests of the file and their listeners. */
const OF_ONE_FILE =
  /JEST_STATE_SYMBOL|EVENT_HANDLERS|RETRY_|WAIT_BEFORE_RETRY|LOG_ERRORS_BEFORE_RETRY|TEST_TIMEOUT_SYMBOL/;

let environment;

class KeptEnvironment extends NodeEnvironment {
  constructor(config, context) {
    if (environment) return environment;
    super(config, context);
    const { watch, watchAll } = config.globalConfig;
    // In watch mode modules change between two runs.
    if (watch || watchAll) return;
    environment = this;
    this.keepsModules = true;
    const { fakeTimersModern, moduleMocker } = this;
    fakeTimersModern.dispose();
    this.global = globalThis;
    this.moduleMocker = new moduleMocker.constructor(globalThis);
    this.fakeTimersModern = new fakeTimersModern.constructor({
      config: config.projectConfig,
      global: globalThis,
    });
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
    // The console stays until the next file, so that jest can report late logs.
    for (const [key, before] of globalsBefore) if (key !== 'console') putBack(global, key, before);
    // Functions only: kept modules still listen and count there.
    for (const [key, before] of processBefore)
      if (typeof before.value === 'function') putBack(global.process, key, before);
    const { env } = global.process;
    for (const name of Object.keys(env)) if (!(name in variablesBefore)) delete env[name];
    Object.assign(env, variablesBefore);
  }
}

/** A lazy getter becomes its value on first read, and a getter again here. */
function putBack(object, key, before) {
  if (!before.configurable) return;
  const now = Object.getOwnPropertyDescriptor(object, key);
  if (now?.get !== before.get || now?.value !== before.value)
    Object.defineProperty(object, key, before);
}

module.exports = KeptEnvironment;
