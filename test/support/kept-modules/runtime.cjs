// Loads modules of the service and of packages once for each worker, since loading them takes longer than most files, and modules below test/
// again for each file (docs/adr/0004).
// A file that mocks a module or needs a fresh one begins with `/** @jest-environment node */`: it loads all modules itself.
const { existsSync, readdirSync } = require('node:fs');
const { join, relative, sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { leaveContexts } = require('./contexts.cjs');

/** Packages with a global registry: classes of a test would become part of the service in later files. */
const NOTING = new Set(['type-graphql']);

const packageSources = (root) =>
  existsSync(join(root, 'packages'))
    ? readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'src'))
    : [];

/** Loads kept modules. Never torn down, since they load more modules on demand. */
let keeper;

/** In a realm of its own, each access to a global (`Map`, `Buffer`) takes 100 ns, which is a third of the suite. */
function compilingHere(runtime) {
  const { executor } = runtime;
  executor.compile = (source, filename) =>
    compileFunction(source, executor.injectedModuleParameters, { filename });
  return runtime;
}

class KeptModulesRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, cacheFS, ...rest) {
    super(config, environment, resolver, transformer, cacheFS, ...rest);
    if (!environment.keepsModules) return;
    this.keeps = true;
    keeper ??= compilingHere(
      new Runtime(config, environment, resolver, transformer, new Map(), ...rest),
    );
    compilingHere(this);
    this.sources = ['src', ...packageSources(config.rootDir)].map(
      (folder) => join(config.rootDir, folder) + sep,
    );
    // Gives kept modules source maps in stack traces.
    this.transformCache.sourceMaps = keeper.getSourceMaps();
    this.setMock =
      this.setModuleMock =
      this.mockState.markExplicitCjsMock =
        () => this.refuse('jest.mock');
    this.isolateModules = this.isolateModulesAsync = () => this.refuse('jest.isolateModules');
  }

  requireModule(from, name, options, isActual) {
    const itself = () => super.requireModule(from, name, options, isActual);
    if (!this.keeps || options?.isInternalModule || this._resolution.isCoreModule(name ?? from))
      return itself();
    if (NOTING.has(name)) this.refuse(`${relative(this._config.rootDir, from)} uses ${name}`);
    const file = this._resolution.resolveCjs(from, name);
    const stays =
      this.sources.some((folder) => file.startsWith(folder)) ||
      file.includes(`${sep}node_modules${sep}`);
    return stays ? keeper.requireModule(from, name) : itself();
  }

  resetModules() {
    if (this.keeps) this.refuse('jest.resetModules');
    super.resetModules();
  }

  teardown() {
    this.keeps = false;
    super.teardown();
    leaveContexts();
  }

  refuse(what) {
    throw new Error(
      `${what}, which would reach into other test files: modules stay loaded between them. Begin the file with /** @jest-environment node */.`,
    );
  }
}

module.exports = { default: KeptModulesRuntime, __esModule: true };
