import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { deepFreeze } from '../platform/deep-freeze';
import { pathPrefixOf } from './addresses';
import type { Config } from './config';
import { filePlaceOf } from './files';
import { limitsOf } from './limits';
import { ROLES } from './roles';
import type { Role } from './roles';
import { mailOf, notificationsOf } from './mail';
import type { ValuesOf } from './setting';
import type { SETTINGS } from './settings';
import { onlineServicesOf } from './online-services';
import { isStoreShared, redisOf } from './redis';
import { metricsOf, tracingOf } from './watching';

export type SettingValues = ValuesOf<typeof SETTINGS>;
type ReadFile = Omit<Config['file'], 'backupDir' | 'backupKeep' | 'reachesAll'>;

/** Builds the frozen configuration from the values of the settings. */
export function assemble(
  values: SettingValues,
  product: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  file: ReadFile,
): Config {
  const production = env.NODE_ENV === 'production';
  return deepFreeze({
    productPrefix: product,
    production,
    ...fileOf(values, cwd, file),
    server: serverOf(values),
    frontend: frontendOf(values, cwd),
    roles: values.roles.length > 0 ? (values.roles as readonly Role[]) : ROLES,
    data: {
      dir: resolve(cwd, values.dataDir),
      mongodbUri: values.mongodbUri,
      shareStore: values.shareStore,
    },
    redis: redisOf(values),
    files: filePlaceOf(values, cwd),
    administrator: {
      email: values.adminEmail ?? `admin@${product.toLowerCase()}.local`,
      password: values.adminPassword,
    },
    token: tokenOf(values),
    password: { requireCurrent: values.requireCurrentPassword },
    secondFactor: { groups: values.secondFactorGroups },
    ldap: ldapOf(values, cwd),
    connector: { masterPassword: values.masterPassword },
    cors: { origins: values.corsOrigins.map((origin) => origin.replace(/\/$/, '')) },
    timeZone: values.timeZone,
    graphql: graphqlOf(values, env, production),
    docs: { enabled: values.docs },
    rest: { dialect: values.restDialect },
    limits: limitsOf(values),
    mail: mailOf(values),
    notifications: notificationsOf(values, product),
    onlineServices: onlineServicesOf(values, product),
    workflow: workflowOf(values),
    runs: runsOf(values),
    audit: { retentionDays: values.auditRetention },
    supportLogs: { keepDays: values.supportLogRetention },
    scripts: {
      timeoutMs: values.scriptTimeout,
      memoryBytes: values.scriptMemory * 1024 * 1024,
      polyglot: polyglotOf(values, cwd),
      polyglotKey: `${product}.polyglot.enabled`,
    },
    jobs: { keepDays: values.jobsKeepDays },
    sweeper: {
      testConnection: {
        enabled: values.sweeperEnabled,
        fixedDelayMs: values.sweeperDelay,
        initialDelayMs: values.sweeperFirst,
      },
    },
    invoker: { folder: resolve(cwd, values.invokerFolder ?? join(values.dataDir, 'invokers')) },
    outbound: outboundOf(values),
    log: { level: values.logLevel, format: values.logFormat },
    metrics: metricsOf(values),
    tracing: tracingOf(env),
  });
}

const tokenOf = ({
  tokenSecret: secret,
  tokenActivity: activitySeconds,
  tokenExpiration: expirationSeconds,
}: SettingValues): Config['token'] => ({ secret, activitySeconds, expirationSeconds });

const graphqlOf = (
  { introspection, compiledPlans }: SettingValues,
  env: NodeJS.ProcessEnv,
  production: boolean,
): Config['graphql'] => ({
  introspection: introspection ?? !production,
  compiledPlans,
  plugins: env.HYPHA_GRAPHQL_PLUGINS || null,
});

const frontendOf = ({ frontendDirectory }: SettingValues, cwd: string): Config['frontend'] => ({
  directory: frontendDirectory === null ? null : resolve(cwd, frontendDirectory),
});

const fileOf = (
  values: SettingValues,
  cwd: string,
  file: ReadFile,
): Pick<Config, 'file' | 'supervised'> => ({
  supervised: values.supervised,
  file: {
    ...file,
    backupDir: resolve(cwd, values.configBackupDir),
    backupKeep: values.configBackupKeep,
    reachesAll: !isStoreShared(values) || values.configShared,
  },
});

function serverOf(values: SettingValues): Config['server'] {
  return {
    host: values.host,
    port: values.port,
    additionalPort: values.additionalPort,
    publicUrl: values.publicUrl?.replace(/\/$/, '') ?? null,
    pathPrefix: pathPrefixOf(values.publicUrl),
    trustedProxies: values.trustedProxies,
  };
}

function workflowOf(values: SettingValues): Config['workflow'] {
  return {
    versionsKeep: values.versionsKeep,
    stepTimeoutMs: values.stepTimeout,
    retrying: { retries: values.stepRetries, backoffMs: values.stepBackoff },
    runTimeoutMs: values.runTimeout,
    concurrentRuns: values.concurrentRuns ?? runsThatFit(values.runMemory * 1024 * 1024),
    concurrentOfWorkflow: values.concurrentOfWorkflow || Infinity,
  };
}

function runsOf(values: SettingValues): Config['runs'] {
  return {
    isolation: values.runIsolation,
    memoryBytes: values.runMemory * 1024 * 1024,
    stallMs: values.runStall,
    maxEvents: values.runEvents,
    maxTurns: values.runTurns,
    maxStoredBytes: values.runStoredBytes,
    journal: { maxBytes: values.runJournalBytes, keepMs: values.runJournalKeep * 3_600_000 },
    recordFailures: values.runFailures,
    retentionDays: values.runRetention,
    logs: {
      successes: values.ownLogsOfSuccesses ?? values.logsOfSuccesses,
      failures: values.ownLogsOfFailures ?? values.logsOfFailures,
    },
  };
}

function outboundOf(values: SettingValues): Config['outbound'] {
  return {
    timeoutMs: values.outboundTimeout,
    maxResponseBytes: values.outboundBytes,
    maxHeaderBytes: values.outboundHeaderBytes,
    maxRedirects: values.outboundRedirects,
    deny: values.outboundDeny,
    allow: values.outboundAllow,
    proxies: { http: values.proxyHttp, https: values.proxyHttps, noProxy: values.noProxy },
  };
}

const ldapOf = (values: SettingValues, cwd: string): Config['ldap'] => ({
  urls: values.ldapUrls,
  userSearchBase: values.ldapUserSearchBase,
  groupSearchBase: values.ldapGroupSearchBase,
  username: values.ldapUsername,
  password: values.ldapPassword,
  userSearchFilter: values.ldapUserSearchFilter,
  groupSearchFilter: values.ldapGroupSearchFilter,
  groupRoles: values.ldapGroupRoles,
  defaultRole: values.ldapDefaultRole,
  timeoutMs: values.ldapTimeout,
  showLogs: values.ldapShowLogs,
  debug: values.ldapDebug,
  caFile: values.ldapCaFile === null ? null : resolve(cwd, values.ldapCaFile),
  startTls: values.ldapStartTls,
});

/** Settings of a disabled engine are ignored. */
function polyglotOf(values: SettingValues, cwd: string): Config['scripts']['polyglot'] {
  if (!values.polyglotEnabled) return null;
  const {
    polyglotHost: host,
    polyglotPort: port,
    polyglotJar,
    polyglotArgs,
    polyglotJvmArgs,
  } = values;
  const isLogged = values.polyglotLog || values.polyglotLaunchLog;
  const launch =
    values.polyglotAutoStart && polyglotJar !== null
      ? {
          jarPath: resolve(cwd, polyglotJar),
          args: polyglotArgs ?? '',
          jvmArgs: polyglotJvmArgs,
          waitMs: values.polyglotWait * 1_000,
          isLogged,
        }
      : null;
  return { host, port, launch };
}

/** Default maximum of concurrent runs. */
const MAX_CONCURRENT_RUNS = 24;
/** Share of the memory for runs; the rest is for the service, its store and other programs. */
const MEMORY_SHARE = 1 / 2;

/**
 * Returns how many runs fit into the memory, at least one. In a container, its limit counts as the
 * memory.
 */
export function runsThatFit(bytesOfRun: number, memory = memoryOfMachine()): number {
  return Math.max(
    1,
    Math.min(MAX_CONCURRENT_RUNS, Math.floor((memory * MEMORY_SHARE) / bytesOfRun)),
  );
}

/** Without a limit, Node returns 0 or an impossibly large number. */
function memoryOfMachine(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
