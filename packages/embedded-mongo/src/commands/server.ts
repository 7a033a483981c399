import { Binary } from 'bson';
import { arch, cpus, hostname, platform, release, totalmem } from 'node:os';
import { StoreError } from '../errors';
import { noSuchTransaction } from '../transactions/transaction';
import type { Reply } from '../wire/messages';
import { documentsOption } from './context';
import type { Command, Context } from './context';

/** Commands for mongosh and other tools; replies contain only fields that apply to this store. */

const VERSION = '7.0.0';

const buildInfo: Command = {
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

const connectionStatus: Command = {
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

const hostInfo: Command = {
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

const getLog: Command = {
  options: [],
  async run({ command }) {
    if (command.getLog === '*') return { names: ['startupWarnings'], ok: 1 };
    if (command.getLog !== 'startupWarnings')
      throw new StoreError('BadValue', `No log named '${String(command.getLog)}'`);
    return { totalLinesWritten: 0, log: [], ok: 1 };
  },
};

const getParameter: Command = {
  options: 'any',
  async run({ command }) {
    if (command.featureCompatibilityVersion === undefined)
      throw new StoreError('InvalidOptions', 'no option found to get');
    return { featureCompatibilityVersion: { version: '7.0' }, ok: 1 };
  },
};

const getCmdLineOpts: Command = {
  options: [],
  run: async () => ({ argv: [], parsed: {}, ok: 1 }),
};

const OK = { ok: 1 };

const commitTransaction: Command = {
  options: ['recoveryToken'],
  transactional: true,
  async run(context) {
    const transaction = requireTransaction(context);
    if (transaction.state === 'aborted')
      throw noSuchTransaction(transaction.txnNumber, 'has been aborted');
    await transaction.commit();
    return OK;
  },
};

const abortTransaction: Command = {
  options: ['recoveryToken'],
  transactional: true,
  async run(context) {
    const transaction = requireTransaction(context);
    if (transaction.state === 'committed')
      throw new StoreError(
        'TransactionCommitted',
        `Transaction ${transaction.txnNumber} has been committed`,
      );
    context.store.sessions.abortTransaction(context.session);
    return OK;
  },
};

const endSessions: Command = {
  options: [],
  async run({ store, command }) {
    for (const session of documentsOption(command, 'endSessions'))
      if (session.id instanceof Binary) store.sessions.endSession(session.id.toString('hex'));
    return OK;
  },
};

const ping: Command = { options: [], run: async () => OK };

/** Presents a replica set primary, so that the driver uses sessions, transactions and retries. */
const hello: Command = {
  // The handshake lists client features; those missing in the reply are not used.
  options: 'any',
  run: async (): Promise<Reply> => ({
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    setName: 'embedded',
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: 1,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
    ok: 1,
  }),
};

function requireTransaction({ transaction }: Context): NonNullable<Context['transaction']> {
  if (transaction === undefined)
    throw new StoreError('CommandFailed', 'this command must be run in a transaction');
  return transaction;
}

export const serverCommands = {
  hello,
  isMaster: hello,
  ismaster: hello,
  ping,
  buildInfo,
  buildinfo: buildInfo,
  connectionStatus,
  hostInfo,
  getLog,
  getParameter,
  getCmdLineOpts,
  commitTransaction,
  abortTransaction,
  endSessions,
};
