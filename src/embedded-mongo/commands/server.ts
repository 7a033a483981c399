import { arch, cpus, hostname, platform, release, totalmem } from 'node:os';
import { StoreError } from '../semantics/errors';
import type { Command } from './context';

/** Commands for mongosh and other tools; replies contain only fields that apply to this store. */

const VERSION = '7.0.0';
const startedAt = new Date();

export const buildInfo: Command = {
  options: [],
  run: async () => ({
    version: VERSION,
    versionArray: [7, 0, 0, 0],
    modules: [],
    gitVersion: 'embedded',
    bits: 64,
    debug: false,
    maxBsonObjectSize: 16 * 1024 * 1024,
    storageEngines: ['embedded'],
    ok: 1,
  }),
};

export const connectionStatus: Command = {
  options: ['showPrivileges'],
  run: async () => ({
    authInfo: {
      authenticatedUsers: [],
      authenticatedUserRoles: [],
      authenticatedUserPrivileges: [],
    },
    ok: 1,
  }),
};

export const serverStatus: Command = {
  // Sections are requested by name.
  options: 'any',
  async run({ store }) {
    const { rss, heapUsed } = process.memoryUsage();
    const seconds = (Date.now() - startedAt.getTime()) / 1_000;
    return {
      host: hostname(),
      version: VERSION,
      process: 'hypha (embedded store)',
      pid: process.pid,
      uptime: Math.floor(seconds),
      uptimeMillis: Math.floor(seconds * 1_000),
      localTime: new Date(),
      storageEngine: { name: 'embedded', persistent: true },
      mem: { resident: Math.round(rss / 1024 ** 2), heap: Math.round(heapUsed / 1024 ** 2) },
      metrics: { cursor: { open: { total: store.cursors.size } } },
      catalogStats: { collections: store.catalog.all().length },
      ok: 1,
    };
  },
};

export const hostInfo: Command = {
  options: [],
  run: async () => ({
    system: {
      currentTime: new Date(),
      hostname: hostname(),
      cpuAddrSize: 64,
      memSizeMB: Math.round(totalmem() / 1024 ** 2),
      numCores: cpus().length,
      cpuArch: arch(),
    },
    os: { type: platform(), name: platform(), version: release() },
    extra: {},
    ok: 1,
  }),
};

export const getLog: Command = {
  options: [],
  async run({ command }) {
    if (command.getLog === '*') return { names: ['startupWarnings'], ok: 1 };
    if (command.getLog !== 'startupWarnings')
      throw new StoreError(2, 'BadValue', `No log named '${String(command.getLog)}'`);
    return { totalLinesWritten: 0, log: [], ok: 1 };
  },
};

export const getParameter: Command = {
  options: 'any',
  async run({ command }) {
    if (command.featureCompatibilityVersion === undefined)
      throw new StoreError(72, 'InvalidOptions', 'no option found to get');
    return { featureCompatibilityVersion: { version: '7.0' }, ok: 1 };
  },
};

export const getCmdLineOpts: Command = {
  options: [],
  run: async () => ({ argv: [], parsed: {}, ok: 1 }),
};
