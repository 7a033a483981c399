import 'reflect-metadata';
import { join } from 'node:path';
import type { Config } from './config/config';
import { loadConfig } from './config/load';
import type { LeaseTimes } from './features/runs/leases/run-leases';
import { createLockouts } from './platform/attempts/lockout';
import { inputTasks } from './input-tasks';
import type { InputTasks } from './input-tasks';
import { STORE_LAYOUT } from './store-layout';
import { systemClock } from './platform/clock/clock';
import type { Clock } from './platform/clock/clock';
import type { ControlCommand } from './platform/control/command';
import { ContainedPool } from './platform/contained/contained-pool';
import type { Authenticate, Services } from './platform/context';
import { createPasswords } from './platform/crypto/passwords';
import type { HashFunctions } from './platform/crypto/passwords';
import { tokenSecret } from './platform/crypto/kept-secret';
import { createRunMarks } from './platform/crypto/run-marks';
import { createTokens } from './platform/crypto/tokens';
import { keysInUse } from './platform/crypto/sealed-records';
import { VaultKeys } from './platform/crypto/vault';
import { WorkQueue } from './platform/queues';
import { createInProcessBus } from './platform/events/bus';
import type { EventBus } from './platform/events/bus';
import { createHints } from './platform/events/redis-hints';
import { createSharedBus } from './platform/events/shared-bus';
import { LargeInputs } from './platform/large-inputs';
import { createUploads } from './platform/files/uploads';
import { createLogger } from './platform/log/logger';
import type { Logger } from './platform/log/logger';
import { NO_METRICS } from './platform/metrics/metrics';
import type { Metrics } from './platform/metrics/metrics';
import { createOutbound, observedCalls } from './platform/outbound';
import { unconnectedStore } from './platform/store/startup/connect';
import { requireNoImport } from './platform/store/startup/import-mark';
import { migrate } from './platform/store/startup/migrations';
import { Processes, requireSameKey } from './platform/store/startup/processes';
import { createServiceFiles } from './platform/store/service-files';
import type { Store } from './platform/store/store';
import type { Tracing } from './platform/tracing/tracing';
import { VERSION } from './platform/version';
import { FEATURES } from './features';
import { isApiToken } from './features/api-tokens/token-text';
import { createServices, sealedOf } from './feature';
import type { PrintAdministrator, Programs } from './feature';

/**
 * Two concurrent hashes leave a core for other work. A queued hash holds a request, but no hash
 * memory.
 */
const HASHING = { concurrency: 2, capacity: 500 };

export interface InputLimits {
  /** Maximum number of concurrent inputs. */
  readonly atOnce: number;
  /** Maximum number of queued inputs; further ones are rejected. */
  readonly waiting: number;
  /** Memory for reading one input, bytes. */
  readonly memoryBytes: number;
  /**
   * Maximum bytes of JSON bodies in memory at once, enough for two of the largest. Default: see
   * `LargeInputs`.
   */
  readonly bodyBytes?: number;
}

/** The largest accepted input uses two thirds of this memory (`npm run bench inputs`). */
const INPUT_LIMITS: InputLimits = { atOnce: 2, waiting: 10, memoryBytes: 256 * 1024 * 1024 };
/** Reading a file and masking its texts can take some seconds. */
const INPUT_STALL_MS = 60_000;
const INPUT_IDLE_MS = 30_000;
/** Relative to this file when it is compiled. */
const INPUT_PROGRAM = join(__dirname, 'input-process.js');

/** A token secret for services that issue no tokens. */
export const UNUSED_SECRET = 'a placeholder: no token is signed with it';

interface DomainDependencies {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly bus: EventBus;
  readonly store: Store;
  /** Compiled files of child processes, when this module itself is not compiled. */
  readonly programs?: Programs;
  /** The port of the service if it differs from the configuration. */
  readonly port?: number;
  /** Durations of the leases of runs. */
  readonly runLeases?: LeaseTimes;
  /** Interval of the check for due schedules, ms. */
  readonly scheduleTickMs?: number;
  /** Ends the process so that its supervisor starts it again. */
  readonly restart?: (() => void) | undefined;
  readonly inputLimits?: Partial<InputLimits>;
  readonly hashes?: HashFunctions;
  readonly metrics?: Metrics;
  readonly tracing?: Tracing | null;
}

/** The services without transports. */
export interface Domain {
  readonly services: Services;
  readonly authenticate: Authenticate;
  /** See `Store.catchUp`. */
  readonly catchUp: () => Promise<void>;
  readonly largeInputs: LargeInputs;
  /** Rejects when the store has changed so that this process may not go on. */
  readonly failed: Promise<never>;
  /** Operator commands on the machine of the service. */
  readonly commands: readonly ControlCommand[];
  /**
   * Prepares collections, migrations and indexes of a store that a service has filled, for a
   * command. Returns false for an empty store.
   */
  prepareForCommands(): Promise<boolean>;
  /** Prepares collections, migrations and indexes of a store that an import has filled. */
  prepareImported(): Promise<void>;
  /**
   * Prepares collections, migrations, indexes and seeded data, and cleans up after a crashed
   * process.
   */
  prepare(print?: PrintAdministrator): Promise<void>;
  /**
   * Continues pending work and starts background work. Called once the service accepts clients.
   */
  start(): void;
  stop(): Promise<void>;
}

/** Creates the services of all features. The store may connect later, before `prepare`. */
export async function createDomain({
  config,
  log,
  clock,
  bus: localBus,
  store,
  programs = {},
  port = config.server.port,
  runLeases,
  scheduleTickMs,
  restart,
  inputLimits,
  hashes,
  metrics = NO_METRICS,
  tracing = null,
}: DomainDependencies): Promise<Domain> {
  const bus = store.feed ? createSharedBus(localBus, store.feed) : localBus;
  const hints = createHints(config, store.feed, log);
  const { atOnce, waiting, memoryBytes, bodyBytes } = { ...INPUT_LIMITS, ...inputLimits };
  const contained = new ContainedPool<InputTasks>({
    tasks: inputTasks,
    program: programs.input ?? INPUT_PROGRAM,
    atOnce,
    waiting,
    memoryBytes,
    stallMs: INPUT_STALL_MS,
    idleMs: INPUT_IDLE_MS,
  });
  const largeInputs = new LargeInputs(bodyBytes, waiting);
  const outbound = observedCalls(createOutbound(config.outbound), (outcome, seconds) =>
    metrics.callsEnded([{ outcome, count: 1, seconds }]),
  );
  const secret = await tokenSecret(config.token.secret, config.data.dir);
  const vault = new VaultKeys({
    store,
    dir: config.data.dir,
    masterPassword: config.connector.masterPassword,
  });
  const processes = new Processes({
    store,
    clock,
    log,
    layout: STORE_LAYOUT,
    version: VERSION,
    roles: config.roles,
    tokenSecret: secret,
    keyId: () => (vault.isUnlocked ? vault.keyId : null),
  });
  const files = createServiceFiles(config, store);
  const context = createServices(FEATURES, {
    core: { store, bus, clock, log },
    config,
    port,
    programs,
    contained,
    hints,
    largeInputs,
    lockouts: createLockouts({ clock, store }, config.limits, secret),
    metrics,
    tracing,
    outbound,
    passwords: createPasswords(new WorkQueue(HASHING), hashes),
    runMarks: createRunMarks(secret),
    tokens: createTokens(secret, clock),
    tokenSecret: secret,
    files,
    uploads: createUploads(files, config.limits.uploadBytes),
    vault,
    processes,
    runLeases,
    scheduleTickMs,
    restart,
  });
  const { services } = context;
  for (const { gauges } of FEATURES)
    for (const gauge of gauges?.(context) ?? []) metrics.addGauge(gauge);

  const authenticate: Authenticate = (token, request, use) =>
    token !== undefined && isApiToken(token)
      ? services.apiTokenAuthenticator.authenticate(token, request, use)
      : services.authenticator.authenticate(token, request, use);
  const migrateStore = (): Promise<void> =>
    store.prepare(() => migrate({ store, clock, log }, STORE_LAYOUT));

  return {
    services,
    authenticate: store.feed
      ? async (token, request, use) => {
          // A request sees what was acknowledged before it came, by whichever process.
          if (use !== 'event') await store.catchUp();
          return authenticate(token, request, use);
        }
      : authenticate,
    catchUp: () => store.catchUp(),
    largeInputs,
    failed: processes.failed,
    commands: FEATURES.flatMap(({ commands }) => commands?.(services) ?? []),
    async prepareForCommands() {
      await requireNoImport(store);
      if (!(await services.directory.isSeeded())) return false;
      await processes.admit(migrateStore);
      await services.directory.load();
      return true;
    },
    prepareImported: () => processes.admit(migrateStore),
    async prepare(print = () => Promise.resolve(false)) {
      hints?.start();
      await requireNoImport(store);
      await processes.join(async (others) => {
        await vault.load(() => keysInUse(sealedOf(FEATURES, services)));
        requireSameKey(others, (keyId) => vault.has(keyId));
        await migrateStore();
        await vault.activate();
      });
      for (const feature of FEATURES) await feature.prepare?.(context, print);
    },
    start() {
      for (const feature of FEATURES) feature.start?.(context);
      if (config.roles.includes('scheduler'))
        for (const feature of FEATURES) feature.startRecurring?.(context);
    },
    async stop() {
      for (const feature of FEATURES) await feature.stop?.(context);
      await hints?.stop();
      await processes.stop();
      await contained.close();
      await outbound.close();
    },
  };
}

/** Returns the services without a store, to read what they declare: models, routes, the schema. */
export async function createUnconnectedDomain(): Promise<{
  config: Config;
  store: Store;
  domain: Domain;
}> {
  const { config } = loadConfig({ HYPHA_TOKEN_SECRET: UNUSED_SECRET }, __dirname);
  const store = unconnectedStore();
  const domain = await createDomain({
    config,
    log: createLogger({ log: { level: 'silent' } }),
    clock: systemClock,
    bus: createInProcessBus(() => undefined),
    store,
  });
  return { config, store, domain };
}
