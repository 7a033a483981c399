import { join } from 'node:path';
import type { Config } from './config/config';
import { loadConfig } from './config/load';
import { ownAddresses } from './config/own-addresses';
import { aggregatorPolicy } from './features/aggregators/aggregator.policy';
import { createAggregatorService } from './features/aggregators/aggregator.service';
import { createKnownAggregators } from './features/aggregators/known-aggregators';
import { createAuditService } from './features/audit/audit.service';
import { categoryPolicy } from './features/categories/category.policy';
import { createCategoryService } from './features/categories/category.service';
import { createKnownCategories } from './features/categories/known-categories';
import { connectorPolicy } from './features/connectors/connector.policy';
import { createConnectorService } from './features/connectors/connector.service';
import { createMasterPassword } from './features/connectors/master-password.service';
import { createRekeying } from './features/connectors/rekeying.service';
import { createDirectoryService } from './features/groups/directory.service';
import { createGroupService } from './features/groups/group.service';
import { createJobService } from './features/jobs/job.service';
import { invokerPolicy } from './features/invokers/invoker.policy';
import { createInvokerService } from './features/invokers/invoker.service';
import { createPermissionService } from './features/permissions/permission.service';
import { createEngine } from './features/runs/execution/create-engine';
import { startPolyglot } from './features/runs/execution/start-polyglot';
import { createRunService } from './features/runs/run.service';
import type { LeaseTimes } from './features/runs/run-owners';
import { createScheduleService } from './features/schedules/schedule.service';
import { schedulePolicy } from './features/schedules/schedule.policy';
import { createScheduleEnds } from './features/schedules/schedule-ends';
import { createTestSchedules } from './features/schedules/test-schedules';
import { createSearchService } from './features/search/search.service';
import { createSupportLogService } from './features/support-logs/support-log.service';
import { createSystemCheck } from './features/system/system-check.service';
import { secretPolicy } from './features/secrets/secret.policy';
import { templatePolicy } from './features/templates/template.policy';
import { createAuthenticate } from './features/sessions/authenticate.service';
import { createLockout } from './platform/access/lockout';
import { createLoginService } from './features/sessions/login.service';
import { createSecrets } from './features/secrets/secret.service';
import { createMayStill } from './features/sessions/may-still';
import { createSessionEndings } from './features/sessions/session-endings.service';
import { createSessionService } from './features/sessions/session.service';
import { createSeed } from './features/users/seed.service';
import { createUserCommands } from './features/users/user-commands.service';
import type { TellAdministrator } from './features/users/seed.service';
import { createPictureService } from './features/users/user-picture.service';
import { createUserService } from './features/users/user.service';
import { createWorkflowExchange } from './features/templates/exchange/workflow-exchange.service';
import { createTemplateService } from './features/templates/template.service';
import { createDashboardFeed } from './features/widgets/dashboard-feed';
import { createRunCounters } from './features/widgets/run-counters.service';
import { createWebhookRecords } from './features/webhooks/webhook-records';
import { createWebhookTokens } from './features/webhooks/webhook-tokens';
import { createWebhookService } from './features/webhooks/webhook.service';
import { createWidgetCatalogue } from './features/widgets/catalogue/widget-catalogue.service';
import { createWidgetSettings } from './features/widgets/settings/widget-settings.service';
import { createWidgetService } from './features/widgets/widget.service';
import { createRemoteCallService } from './features/workflows/remote-call/remote-call.service';
import { workflowPolicy } from './features/workflows/workflow.policy';
import { createTestSweeper } from './features/workflows/test-sweeper';
import { createWorkflowService } from './features/workflows/workflow.service';
import { inputTasks } from './input-tasks';
import type { InputTasks } from './input-tasks';
import { STORE_LAYOUT } from './store-layout';
import { systemClock } from './platform/clock/clock';
import type { Clock } from './platform/clock/clock';
import type { ControlCommand } from './platform/control/command';
import { createContainedPool } from './platform/contained/contained-pool';
import type { Authenticate, Services } from './platform/context';
import { createPasswords } from './platform/crypto/passwords';
import type { HashFunctions } from './platform/crypto/passwords';
import { tokenSecret } from './platform/crypto/token-secret';
import { createRunMarks } from './platform/crypto/run-marks';
import { createTokens } from './platform/crypto/tokens';
import { keysInUse } from './platform/crypto/rekey';
import { createVault } from './platform/crypto/vault';
import { createWorkQueue } from './platform/work-queue';
import { createInProcessBus } from './platform/events/bus';
import type { EventBus } from './platform/events/bus';
import { createLargeBodies } from './platform/large-inputs';
import type { LargeBodies } from './platform/large-inputs';
import { createUploads } from './platform/files/uploads';
import { createJobs } from './platform/jobs/jobs';
import { createLogger } from './platform/log/logger';
import type { Logger } from './platform/log/logger';
import { createOutbound } from './platform/outbound';
import { unconnectedStore } from './platform/store/connect';
import { migrate } from './platform/store/migrations';
import type { LaunchedEngine } from './platform/scripts/launch-engine';
import type { Store } from './platform/store/store';

/**
 * Two concurrent hashes leave a core for other work. A queued hash holds a request, but no hash
 * memory.
 */
const HASHING = { concurrency: 2, capacity: 500 };

const nobodyIsTold: TellAdministrator = () => Promise.resolve(false);

/** Compiled files, each needed only if it is not next to the module that starts it. */
export interface Programs {
  /** The process that executes a run. */
  readonly run?: string;
  /** The thread that executes a script, if runs are executed in this process. */
  readonly sandbox?: string;
  /** The process that reads large inputs. */
  readonly input?: string;
}

export interface InputLimits {
  /** Maximum number of concurrent inputs. */
  readonly atOnce: number;
  /** Maximum number of queued inputs; further ones are rejected. */
  readonly waiting: number;
  /** Memory for reading one input, bytes. */
  readonly memoryBytes: number;
  /**
   * Maximum bytes of JSON bodies of signed-in users in memory at once, enough for two of the
   * largest. Default: see `LargeBodies`.
   */
  readonly bodyBytes?: number;
}

/** The largest accepted input uses two thirds of this memory (`npm run bench inputs`). */
const INPUT_LIMITS: InputLimits = { atOnce: 2, waiting: 10, memoryBytes: 256 * 1024 * 1024 };
/** Reading yields every few milliseconds; masking one text can take some seconds. */
const INPUT_STALL_MS = 60_000;
const INPUT_IDLE_MS = 30_000;
/** Relative to this file when it is compiled. */
const INPUT_PROGRAM = join(__dirname, 'input-process.js');

/** A token secret for services that issue no tokens. */
export const UNUSED_SECRET = 'a placeholder: no token is signed with it';

export interface DomainDependencies {
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
  readonly inputLimits?: Partial<InputLimits>;
  readonly hashes?: HashFunctions;
}

/** The services without transports. */
export interface Domain {
  readonly services: Services;
  readonly authenticate: Authenticate;
  readonly largeBodies: LargeBodies;
  /** Operator commands on the machine of the service. */
  readonly commands: readonly ControlCommand[];
  /**
   * Prepares collections, migrations and indexes of a store that a service has filled, for a
   * command. Returns false for an empty store.
   */
  prepareForCommands(): Promise<boolean>;
  /**
   * Prepares collections, migrations, indexes and seeded data, and cleans up after a crashed
   * process.
   */
  prepare(tell?: TellAdministrator): Promise<void>;
  /**
   * Preloads what is needed soon and continues pending work. Called once the service accepts
   * clients.
   */
  warm(): void;
  stop(): Promise<void>;
}

/** Creates the services of all features. The store may connect later, before `prepare`. */
export async function createDomain({
  config,
  log,
  clock,
  bus,
  store,
  programs = {},
  port = config.server.port,
  runLeases,
  scheduleTickMs,
  inputLimits,
  hashes,
}: DomainDependencies): Promise<Domain> {
  const { atOnce, waiting, memoryBytes, bodyBytes } = { ...INPUT_LIMITS, ...inputLimits };
  const contained = createContainedPool<InputTasks>({
    tasks: inputTasks,
    program: programs.input ?? INPUT_PROGRAM,
    atOnce,
    waiting,
    memoryBytes,
    stallMs: INPUT_STALL_MS,
    idleMs: INPUT_IDLE_MS,
  });
  const largeBodies = createLargeBodies({ signedInBytes: bodyBytes, waiting });
  const audit = createAuditService({
    store,
    bus,
    clock,
    retentionDays: config.audit.retentionDays,
    onRemoved: (changes) =>
      log.info({ changes }, 'recorded changes that were kept for long enough were removed'),
    onFault: (error) =>
      log.error(
        { err: error },
        'recorded changes that were kept for long enough could not be removed',
      ),
  });
  const directory = createDirectoryService({ store, clock });
  const vault = createVault({
    store,
    dir: config.data.dir,
    masterPassword: config.connector.masterPassword,
  });
  const sessions = createSessionService({
    store,
    bus,
    clock,
    limits: config.token,
    onFault: (error) =>
      log.error({ err: error }, 'sessions that were ended long ago could not be removed'),
  });
  const passwords = createPasswords(createWorkQueue(HASHING), hashes);
  const uploads = createUploads(join(config.data.dir, 'uploads'), config.limits.uploadBytes);
  const lockout = createLockout(clock, config.limits);
  const widgetSettings = createWidgetSettings({ store, widgets: () => widgetCatalogue });
  const secret = await tokenSecret(config.token.secret, config.data.dir);
  const webhookRecords = createWebhookRecords({
    store,
    clock,
    vault,
    tokens: createWebhookTokens(secret),
    release: (...of) => schedules.release(...of),
  });
  const users = createUserService({
    store,
    audit,
    bus,
    clock,
    directory,
    sessions,
    lockout,
    passwords,
    uploads,
    leavings: [widgetSettings, { removeOf: (...of) => webhookRecords.removeOfUsers(...of) }],
  });
  const widgetCatalogue = createWidgetCatalogue({ store, audit });
  const seed = createSeed({ store, clock, log, directory, users, passwords });
  const tokens = createTokens(secret, clock);
  const marks = createRunMarks(secret);
  const background = createJobs({
    store,
    bus,
    clock,
    config,
    mayStill: createMayStill({ users, directory }),
    onFault: (error, jobId) => log.error({ err: error, jobId }, 'a job met a fault of ours'),
  });
  const jobs = createJobService({ jobs: background, audit, bus });
  const login = createLoginService({
    store,
    audit,
    users,
    sessions,
    directory,
    passwords,
    tokens,
    lockout,
  });
  const authenticate = createAuthenticate({
    tokens,
    marks,
    sessions,
    users,
    directory,
    clock,
    bus,
    store,
  });
  const sessionEndings = createSessionEndings({ store, audit, sessions, users });
  const groups = createGroupService({ store, audit, directory, users, uploads });
  const permissions = createPermissionService({ store, audit, directory, groups });
  const pictures = createPictureService({ users, uploads });
  const counters = createRunCounters({ store, config });
  const outbound = createOutbound(config.outbound);
  const { masterPassword: configured } = config.connector;
  const masterPassword = createMasterPassword({
    store,
    audit,
    lockout: createLockout(clock, config.limits, 'master passwords'),
    masterPassword: configured,
  });
  const connectors = createConnectorService({
    store,
    clock,
    audit,
    uploads,
    vault,
    outbound,
    masterPassword,
    config,
    ports: {
      invokers: {
        byName: (name) => invokers.byName(name),
        byNames: (names) => invokers.byNames(names),
        claim: (name, tx, path) => invokers.claim(name, tx, path),
      },
      workflows: { using: (things, tx) => workflows.using(things, tx) },
    },
  });
  const knownAggregators = createKnownAggregators(store);
  // Workflows and secrets depend on each other, as do connectors and invokers: closures are called
  // when both exist.
  const workflows = createWorkflowService({
    store,
    bus,
    clock,
    audit,
    counters,
    config,
    ports: {
      invokers: { operations: (names) => invokers.known.operations(names) },
      connectors: connectors.known,
      secrets: {
        known: (...of) => secrets.claims.known(...of),
        claim: (...of) => secrets.claims.claim(...of),
      },
      aggregators: knownAggregators,
      categories: createKnownCategories(store),
      schedules: { removeOf: (...of) => schedules.removeOf(...of) },
    },
  });
  const sweeper = createTestSweeper({
    workflows,
    interruptedAmong: (ids) => runs.interruptedAmong(ids),
    config,
    clock,
    log,
  });
  const secrets = createSecrets({ store, audit, vault, workflows });
  const aggregators = createAggregatorService({ store, audit, workflows });
  const categories = createCategoryService({ store, audit, workflows });
  const templates = createTemplateService({
    store,
    clock,
    audit,
    jobs,
    workflows,
    connectors: connectors.known,
    aggregators: knownAggregators,
    uploadBytes: config.limits.uploadBytes,
    contained,
  });
  const workflowExchange = createWorkflowExchange({
    workflows,
    connectors: connectors.known,
    aggregators: knownAggregators,
    largeInputs: largeBodies.signedIn,
  });
  const invokers = createInvokerService({
    store,
    clock,
    log,
    audit,
    jobs,
    folder: config.invoker.folder,
    uploadBytes: config.limits.uploadBytes,
    contained,
    ports: {
      connectorsUsing: (names, tx) => connectors.ofInvokers(names, tx),
      recordChange: (actor, change, tx) => connectors.recordInvokerChange(actor, change, tx),
      workflowsUsing: (names, tx) => workflows.using({ invokers: names }, tx),
    },
  });
  const remoteCalls = createRemoteCallService({ outbound });
  const onFault = (error: unknown, runId: number): void =>
    log.error({ err: error, runId }, 'a run met a fault of ours');
  const onLost = (runId: number): void =>
    log.warn(
      { runId },
      'the lease of a run was not renewed in time, and another process has taken the run over or ended it',
    );
  const onRequeued = (requeued: number): void =>
    log.warn(
      { runs: requeued },
      'runs of a process that is gone had sent nothing and are queued again',
    );
  const onRemoved = (removed: number): void =>
    log.info({ runs: removed }, 'runs that were kept for long enough were removed');
  let polyglot: LaunchedEngine | null = null;
  const engine = createEngine({
    config,
    outbound,
    clock,
    program: programs.run,
    sandbox: programs.sandbox,
  });
  const tests = createTestSchedules({ store, clock });
  const runs = createRunService({
    store,
    bus,
    clock,
    config,
    engine,
    audit,
    jobs,
    workflows,
    secrets: secrets.opening,
    connectors: connectors.forRuns,
    aggregators: aggregators.forRuns,
    counters,
    tests,
    schedules: createScheduleEnds(store),
    marks,
    webhooks: { startFromRun: (...of) => webhooks.startFromRun(...of) },
    vault,
    ownAddresses: ownAddresses(config.server, port),
    onFault,
    onLost,
    onRemoved,
    onRequeued,
    times: runLeases,
    contained,
  });
  const sealed = [connectors.sealing, secrets.opening, runs.sealing, webhookRecords.sealing];
  const rekeying = createRekeying({ store, clock, log, audit, vault, sealed });
  const widgets = createWidgetService({ counters, workflows, runs, clock });
  const search = createSearchService([
    { type: 'Workflow', need: workflowPolicy.read, find: workflows.searchTitles },
    { type: 'Connector', need: connectorPolicy.read, find: connectors.searchTitles },
    { type: 'Invoker', need: invokerPolicy.read, find: invokers.searchTitles },
    { type: 'Template', need: templatePolicy.read, find: templates.searchTitles },
    { type: 'Secret', need: secretPolicy.read, find: secrets.service.searchTitles },
    { type: 'Category', need: categoryPolicy.read, find: categories.searchTitles },
    { type: 'Aggregator', need: aggregatorPolicy.read, find: aggregators.searchTitles },
    { type: 'Schedule', need: schedulePolicy.read, find: (...of) => schedules.searchTitles(...of) },
  ]);
  const schedules = createScheduleService({
    store,
    bus,
    clock,
    audit,
    timeZone: config.timeZone,
    tests,
    runs,
    workflows,
    webhooks: webhookRecords,
    tickMs: scheduleTickMs,
    onFault: (error, scheduleId) =>
      log.error({ err: error, scheduleId }, 'what is due met a fault of ours'),
  });
  const webhooks = createWebhookService({
    store,
    audit,
    clock,
    config,
    records: webhookRecords,
    schedules,
    users,
    workflows,
    marks,
    onFault,
  });
  const systemCheck = createSystemCheck({ store, config, launched: () => polyglot });
  const supportLogs = createSupportLogService({
    store,
    bus,
    clock,
    audit,
    jobs,
    workflows,
    exchange: workflowExchange,
    runs,
    systemCheck,
    keepDays: config.supportLogs.keepDays,
  });
  const dashboard = createDashboardFeed({ widgets, bus, store });

  const migrateStore = (): Promise<void> =>
    store.prepare(() => migrate({ store, clock, log }, STORE_LAYOUT));

  return {
    services: {
      bus,
      audit,
      directory,
      sessions,
      sessionEndings,
      login,
      users,
      pictures,
      groups,
      permissions,
      connectors,
      masterPassword,
      rekeying,
      invokers,
      jobs,
      templates,
      workflowExchange,
      workflows,
      aggregators,
      categories,
      search,
      schedules,
      secrets: secrets.service,
      webhooks,
      runs,
      systemCheck,
      supportLogs,
      widgets,
      widgetCatalogue,
      widgetSettings,
      dashboard,
      remoteCalls,
    },
    authenticate,
    largeBodies,
    commands: createUserCommands({ users, directory }),
    async prepareForCommands() {
      if (!(await directory.isSeeded())) return false;
      await migrateStore();
      await directory.load();
      return true;
    },
    async prepare(tell = nobodyIsTold) {
      await migrateStore();
      await vault.unlock(() => keysInUse(sealed));
      await webhookRecords.rehash();
      await seed(config.administrator, tell);
      const lost = await background.recover();
      if (lost > 0)
        log.warn({ jobs: lost }, 'jobs of a process that died were ended as interrupted');
      await invokers.readFiles();
      const interrupted = await runs.recoverInterruptedRuns();
      if (interrupted > 0)
        log.warn({ runs: interrupted }, 'runs of a process that died were ended as interrupted');
    },
    warm() {
      for (const one of [sweeper, audit.sweeping, sessions.sweeping]) one.start();
      polyglot = startPolyglot(config, log);
      engine.warm();
      runs.takeUp();
      runs.startSweeping();
      schedules.start();
    },
    async stop() {
      await Promise.all([sweeper, audit.sweeping, sessions.sweeping].map((one) => one.stop()));
      await background.stop();
      await schedules.stop();
      await runs.stop();
      await polyglot?.stop();
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
