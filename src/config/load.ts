import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Config } from './config';
import { assemble } from './assemble';
import type { SettingValues } from './assemble';
import { ldapProblems } from './ldap';
import { SETTINGS } from './settings';
import type { Setting } from './settings';
import { relaxed, unknownKeys, unknownVariables, variableOf } from './unknown-names';
import type { FlatKeys } from './unknown-names';

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
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${list(problems)}${warnings.length === 0 ? '' : `\nWarnings:\n${list(warnings)}`}`,
    );
    this.name = 'ConfigError';
  }
}

/** The source of a value: an environment variable, a key of the file, or the default. */
type SettingSource =
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
  problems.push(...ldapProblems(values));
  const config = problems.length > 0 ? null : assemble(values, product, env, cwd);
  return {
    config,
    problems,
    warnings: [
      ...formerKeys(settings),
      ...unknownKeys(keys, product, file),
      ...unknownVariables(env, product),
    ],
    settings,
    file: found,
  };
}

function readSettings(
  env: NodeJS.ProcessEnv,
  keys: FlatKeys,
  product: string,
  problems: string[],
): { values: SettingValues; settings: SettingReading[] } {
  const byRelaxedKey = new Map([...keys].map(([key, value]) => [relaxed(key), { key, value }]));
  const read = ({
    key: template,
    formerKey,
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
      ...(formerKey === undefined ? [] : [variableOf(formerKey)]),
    ].find((candidate) => candidate !== undefined && (env[candidate] ?? '') !== '');
    const inFile =
      byRelaxedKey.get(relaxed(key)) ??
      (formerKey === undefined ? undefined : byRelaxedKey.get(relaxed(formerKey)));
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
    values: Object.fromEntries(readings.map(([name, { value }]) => [name, value])) as SettingValues,
    settings: readings.map(([, reading]) => reading),
  };
}

/** Returns a warning for each setting that was read from the key of an older version. */
function formerKeys(settings: readonly SettingReading[]): string[] {
  const former = new Map<string, string>(
    Object.values(SETTINGS).flatMap(({ key, formerKey }: Setting<unknown>) =>
      formerKey === undefined ? [] : [[key, formerKey]],
    ),
  );
  return settings.flatMap(({ key, source }) => {
    const old = former.get(key);
    if (old === undefined || source.from === 'default') return [];
    return relaxed(source.name) === relaxed(old) || source.name === variableOf(old)
      ? [`${source.name} is the key of an older version. It is used; rename it to ${key}.`]
      : [];
  });
}

const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads an application.yml as the released line wrote it: YAML 1.1, nested or dotted keys, several
 * documents merged in order.
 * @throws Error with a readable message if the file is missing (and `required`), too large, or not
 * YAML
 */
function readConfigFile(path: string, required: boolean): FlatKeys {
  if (!existsSync(path)) {
    if (required) throw new Error('the file does not exist');
    return new Map();
  }
  const source = readFileSync(path);
  if (source.length > MAX_FILE_BYTES) throw new Error('the file is larger than 1 MiB');
  // Loaded late: most installations have no such file.
  const { parseAllDocuments } = require('yaml') as typeof import('yaml');
  const keys = new Map<string, unknown>();
  for (const document of parseAllDocuments(source.toString('utf8'), {
    version: '1.1',
    logLevel: 'silent',
  })) {
    const [problem] = document.errors;
    if (problem) throw new Error(problem.message.split('\n')[0]);
    flatten(document.toJS({ maxAliasCount: 50 }), '', keys);
  }
  return keys;
}

function flatten(node: unknown, prefix: string, into: Map<string, unknown>): void {
  if (node === null || node === undefined) return;
  if (typeof node !== 'object' || Array.isArray(node)) {
    if (prefix === '') throw new Error('the file must contain keys and values');
    into.set(prefix, node);
    return;
  }
  for (const [key, value] of Object.entries(node))
    flatten(value, prefix === '' ? key : `${prefix}.${key}`, into);
}

/**
 * Returns the configuration of this process, from its environment, the `.env` file of the working
 * directory, and the configuration file.
 * @throws ConfigError with all problems
 */
export function loadProcessConfig(): ReturnType<typeof loadConfig> {
  takeEnvironmentFile();
  return loadConfig(process.env, process.cwd());
}

/**
 * Like `loadProcessConfig`, but returns the problems, and the source of each value.
 * `fromEnvironmentFile`: names that `.env` has set.
 */
export function readProcessConfig(): ConfigReading & {
  readonly fromEnvironmentFile: ReadonlySet<string>;
} {
  const before = new Set(Object.keys(process.env));
  const problems: string[] = [];
  try {
    takeEnvironmentFile();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
  }
  const reading = readConfig(process.env, process.cwd());
  const fromEnvironmentFile = new Set(Object.keys(process.env).filter((name) => !before.has(name)));
  return {
    ...reading,
    config: problems.length > 0 ? null : reading.config,
    problems: [...problems, ...reading.problems],
    fromEnvironmentFile,
  };
}

function takeEnvironmentFile(): void {
  if (!existsSync('.env')) return;
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    throw new ConfigError([
      `.env: it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    ]);
  }
}
