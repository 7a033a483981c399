import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Config } from './config';
import { readConfigFile } from './file';
import type { FlatKeys } from './file';
import { pathPrefixOf } from './public-url';
import { runsThatFit } from './runs-that-fit';
import { SETTINGS } from './settings';
import type { Setting } from './settings';
import { relaxed, unknownKeys, unknownVariables, variableOf } from './unknown-names';

/**
 * Default configuration files, relative to the working directory. The first existing one is used;
 * the last is the path of the released line.
 */
const DEFAULT_FILES = ['application.yml', 'src/main/resources/application.yml'] as const;

/** All problems of the configuration, one sentence each. */
export class ConfigError extends Error {
  /** @param warnings further findings that may be the cause */
  constructor(
    readonly problems: readonly string[],
    readonly warnings: readonly string[] = [],
  ) {
    const list = (lines: readonly string[]): string =>
      lines.map((line) => `  - ${line}`).join('\n');
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${list(problems)}${warnings.length === 0 ? '' : `\nAnd this is odd:\n${list(warnings)}`}`,
    );
    this.name = 'ConfigError';
  }
}

type Values = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};

/** The source of a value: an environment variable, a key of the file, or the default. */
export type SettingSource =
  { readonly from: 'environment' | 'file'; readonly name: string } | { readonly from: 'default' };

export interface SettingReading {
  readonly key: string;
  readonly source: SettingSource;
  readonly secret: boolean;
  /** The default if the given value is invalid. */
  readonly value: unknown;
}

/** Everything known about a configuration, even an invalid one. */
export interface ConfigReading {
  readonly config: Config | null;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly settings: readonly SettingReading[];
  readonly file: { readonly path: string; readonly exists: boolean };
}

/**
 * Reads environment and configuration file (the environment takes precedence) into a frozen
 * `Config`.
 * @throws ConfigError with all problems: key, value (secrets masked) and accepted form
 */
export function loadConfig(
  env: NodeJS.ProcessEnv,
  cwd: string,
): { config: Config; warnings: readonly string[] } {
  const { config, problems, warnings } = readConfig(env, cwd);
  if (config === null) throw new ConfigError(problems, warnings);
  return { config, warnings };
}

/** Like `loadConfig`, but returns the problems, and the source of each value. */
export function readConfig(env: NodeJS.ProcessEnv, cwd: string): ConfigReading {
  const problems: string[] = [];
  // An empty variable counts as unset: compose files pass unset variables on as empty.
  const file =
    env.CONFIG_FILE ||
    (DEFAULT_FILES.find((name) => existsSync(resolve(cwd, name))) ?? DEFAULT_FILES[1]);
  const path = isAbsolute(file) ? file : resolve(cwd, file);
  const found = { path, exists: existsSync(path) };
  const product = env.PRODUCT_PREFIX || 'hypha';
  if (!/^[a-z][a-z0-9_-]{0,40}$/i.test(product)) {
    problems.push(
      `PRODUCT_PREFIX = ${JSON.stringify(product)}: must be a letter followed by letters, digits, - or _`,
    );
    return {
      config: null,
      problems,
      warnings: unknownVariables(env, 'hypha'),
      settings: [],
      file: found,
    };
  }
  let keys: FlatKeys = new Map();
  try {
    keys = readConfigFile(path, Boolean(env.CONFIG_FILE));
  } catch (error) {
    problems.push(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { values, settings } = readSettings(env, keys, product, problems);
  if (values.polyglotEnabled && values.polyglotAutoStart && values.polyglotJar === null)
    problems.push(
      `${product}.polyglot.launch.jarPath: must be a file, since ${product}.polyglot.auto-start is true`,
    );
  const config = problems.length > 0 ? null : deepFreeze(assemble(values, product, env, cwd));
  return {
    config,
    problems,
    warnings: [...unknownKeys(keys, product, file), ...unknownVariables(env, product)],
    settings,
    file: found,
  };
}

function readSettings(
  env: NodeJS.ProcessEnv,
  keys: FlatKeys,
  product: string,
  problems: string[],
): { values: Values; settings: SettingReading[] } {
  const byRelaxedKey = new Map([...keys].map(([key, value]) => [relaxed(key), { key, value }]));
  const read = ({
    key: template,
    env: shortName,
    form,
    fallback,
    secret = false,
  }: Setting<unknown>): SettingReading => {
    const key = template.replace('<product>', product);
    const longName = variableOf(key);
    const variable = [
      shortName,
      ...(shortName?.endsWith('_PROXY') ? [shortName.toLowerCase()] : []),
      longName,
    ].find((candidate) => candidate !== undefined && (env[candidate] ?? '') !== '');
    const inFile = byRelaxedKey.get(relaxed(key));
    if (variable === undefined && inFile === undefined)
      return { key, secret, value: fallback, source: { from: 'default' } };
    const source = variable ?? inFile?.key ?? key;
    const raw = variable === undefined ? inFile?.value : env[variable];
    const value = form.read(raw);
    if (value === undefined)
      problems.push(`${source} = ${secret ? '***' : JSON.stringify(raw)}: must be ${form.accepts}`);
    return {
      key,
      secret,
      value: value ?? fallback,
      source: { from: variable === undefined ? 'file' : 'environment', name: source },
    };
  };
  const readings = Object.entries(SETTINGS).map(
    ([name, setting]: [string, Setting<unknown>]) => [name, read(setting)] as const,
  );
  return {
    values: Object.fromEntries(readings.map(([name, { value }]) => [name, value])) as Values,
    settings: readings.map(([, reading]) => reading),
  };
}

function assemble(values: Values, product: string, env: NodeJS.ProcessEnv, cwd: string): Config {
  const production = env.NODE_ENV === 'production';
  return {
    productPrefix: product,
    production,
    server: {
      host: values.host,
      port: values.port,
      publicUrl: values.publicUrl?.replace(/\/$/, '') ?? null,
      pathPrefix: pathPrefixOf(values.publicUrl),
      trustedProxies: values.trustedProxies,
    },
    data: { dir: resolve(cwd, values.dataDir), mongodbUri: values.mongodbUri },
    administrator: {
      email: values.adminEmail ?? `admin@${product.toLowerCase()}.local`,
      password: values.adminPassword,
    },
    token: {
      secret: values.tokenSecret,
      activitySeconds: values.tokenActivity,
      expirationSeconds: values.tokenExpiration,
    },
    connector: { masterPassword: values.masterPassword },
    cors: { origins: values.corsOrigins.map((origin) => origin.replace(/\/$/, '')) },
    timeZone: values.timeZone,
    graphql: { introspection: values.introspection ?? !production },
    docs: { enabled: values.docs },
    limits: {
      tokens: values.limitTokens,
      depth: values.limitDepth,
      aliases: values.limitAliases,
      rootFields: values.limitRootFields,
      directives: values.limitDirectives,
      documentBytes: values.limitDocument,
      fragments: values.limitFragments,
      values: values.limitValues,
      nesting: values.limitNesting,
      cost: values.limitCost,
      page: values.limitPage,
      jsonBytes: values.limitJson,
      workflowBytes: values.limitWorkflow,
      uploadBytes: values.limitUpload,
      socketMessageBytes: values.limitSocketMessage,
      socketOperations: values.limitSocketOperations,
      operationMs: values.limitOperation,
      anonymousSockets: values.limitAnonymousSockets,
      anonymousSocketMs: values.limitAnonymousSocketTime,
      userSockets: values.limitUserSockets,
      answerBytes: values.limitAnswer,
      loginFailures: values.loginFailures,
      loginLockMs: values.loginLock,
      loginLockMaxMs: values.loginLockMax,
      loginAddressFailures: values.loginAddressFailures,
      loginAddressWindowMs: values.loginAddressWindow,
      webhookCalls: values.limitWebhookCalls,
      webhookGuesses: values.limitWebhookGuesses,
    },
    workflow: {
      versionsKeep: values.versionsKeep,
      stepTimeoutMs: values.stepTimeout,
      retrying: { retries: values.stepRetries, backoffMs: values.stepBackoff },
      runTimeoutMs: values.runTimeout,
      concurrentRuns: values.concurrentRuns ?? runsThatFit(values.runMemory * 1024 * 1024),
      concurrentOfWorkflow: values.concurrentOfWorkflow || Infinity,
    },
    runs: {
      isolation: values.runIsolation,
      memoryBytes: values.runMemory * 1024 * 1024,
      stallMs: values.runStall,
      maxEvents: values.runEvents,
      maxTurns: values.runTurns,
      maxStoredBytes: values.runStoredBytes,
      retentionDays: values.runRetention,
      logs: {
        successes: values.ownLogsOfSuccesses ?? values.logsOfSuccesses,
        failures: values.ownLogsOfFailures ?? values.logsOfFailures,
      },
    },
    audit: { retentionDays: values.auditRetention },
    supportLogs: { keepDays: values.supportLogRetention },
    scripts: {
      timeoutMs: values.scriptTimeout,
      memoryBytes: values.scriptMemory * 1024 * 1024,
      polyglot: polyglotOf(values, cwd),
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
    outbound: {
      timeoutMs: values.outboundTimeout,
      maxResponseBytes: values.outboundBytes,
      maxRedirects: values.outboundRedirects,
      deny: values.outboundDeny,
      allow: values.outboundAllow,
      proxies: { http: values.proxyHttp, https: values.proxyHttps, noProxy: values.noProxy },
    },
    log: { level: values.logLevel },
  };
}

/** Settings of a disabled engine are ignored. */
function polyglotOf(values: Values, cwd: string): Config['scripts']['polyglot'] {
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

function deepFreeze<T extends object>(object: T): T {
  for (const value of Object.values(object)) {
    if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
      deepFreeze(value as object);
  }
  return Object.freeze(object);
}
