import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from './config';
import { assemble } from './assemble';
import { findConfigFile, readConfigFile, readConfigKeys } from './config-file';
import type { FoundFile } from './config-file';
import type { SettingValues } from './assemble';
import { filesProblems, filesWarnings } from './files';
import { frontendProblems } from './frontend';
import { onlineProblems } from './online-services';
import { ldapProblems } from './ldap';
import { SettingReader } from './read-settings';
import { redisWarnings } from './redis';
import type { SettingReading } from './read-settings';
import { releasedFileWarnings, unusedKeys } from './released-file';
import { SETTINGS } from './settings';
import type { Setting } from './settings';
import { OWN_PREFIX, relaxed, variablesOf } from './setting';
import type { FlatKeys } from './setting';
import { unknownKeys, unknownVariables } from './unknown-names';
import { tracingWarnings } from './watching';

export type { SettingReading } from './read-settings';

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

/** Everything known about a configuration, even an invalid one. */
export interface ConfigReading {
  readonly config: Config | null;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly settings: readonly SettingReading[];
  readonly file: { readonly path: string; readonly exists: boolean };
  /** Keys of the file that belong to a released installation and have no effect here. */
  readonly unused: readonly string[];
  readonly keys: FlatKeys;
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

/**
 * Like `loadConfig`, but returns the problems, and the source of each value.
 * @param text read in place of the file
 */
export function readConfig(env: NodeJS.ProcessEnv, cwd: string, text?: Buffer): ConfigReading {
  const problems: string[] = [];
  const product = env.PRODUCT_PREFIX || OWN_PREFIX;
  const file = findConfigFile(env, cwd, variablesOf(SETTINGS.configFilePath.key, product));
  const configFile = { path: file.path, exists: file.exists };
  if (!/^[a-z][a-z0-9_-]{0,40}$/i.test(product)) {
    problems.push(
      `PRODUCT_PREFIX = ${JSON.stringify(product)}: must be a letter followed by letters, digits, - or _`,
    );
    const warnings = unknownVariables(env, OWN_PREFIX);
    return {
      config: null,
      problems,
      warnings,
      settings: [],
      file: configFile,
      unused: [],
      keys: new Map(),
    };
  }
  let keys: FlatKeys = new Map();
  try {
    keys = text === undefined ? readConfigFile(file) : readConfigKeys(text);
  } catch (error) {
    problems.push(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const reader = new SettingReader({ env, keys, product, checksAll: text !== undefined });
  const { values, settings } = reader.readAll();
  problems.push(...reader.problems);
  problems.push(...combinedProblems(values, product, cwd));
  const path = values.configFilePath === null ? file.path : resolve(cwd, values.configFilePath);
  const source = {
    path,
    keys: path === file.path ? keys : keysOfOther(path),
    check: (changed: Buffer) => readConfig(env, cwd, changed),
  };
  const unused = unusedKeys(keys, product);
  const config = problems.length > 0 ? null : assemble(values, product, env, cwd, source);
  return {
    config,
    problems,
    // Nearest names take long for many unknown keys, and a check of a changed file needs none.
    warnings:
      text !== undefined
        ? reader.warnings
        : [
            ...reader.warnings,
            ...(file.unread === undefined
              ? []
              : [
                  `${file.unread} is not read, since CONFIG_FILE names ${file.path}, which does not exist yet`,
                ]),
            ...ineffectiveSettings(values, product, file, path),
            ...formerKeys(settings, product),
            ...unknownKeys(keys, product, file.name),
            ...releasedFileWarnings(keys, unused, product, file.name),
            ...unknownVariables(env, product),
            ...tracingWarnings(env),
          ],
    settings,
    file: configFile,
    unused,
    keys,
  };
}

/** Returns the keys of a file that is not read; none if it cannot be read. */
function keysOfOther(path: string): FlatKeys {
  try {
    return readConfigKeys(readFileSync(path));
  } catch {
    return new Map();
  }
}

/** Returns warnings about settings that are valid but have no effect here. */
const ineffectiveSettings = (
  values: SettingValues,
  product: string,
  file: FoundFile,
  edited: string,
): string[] => [
  ...(values.configFilePath === null || edited === file.path
    ? []
    : [
        `${product}.config.file-path names another file than the one that is read, ${file.path}. Changes of the configuration are written to ${edited}; set CONFIG_FILE to read it`,
      ]),
  ...(values.onlineActive && values.onlineAddress === null
    ? [
        `${product}.online-services.active = true: nothing is synchronised, since ${product}.online-services.url is not set`,
      ]
    : []),
  ...filesWarnings(values, product),
  ...redisWarnings(values, product),
];

/** Settings that are valid alone but not together. */
function combinedProblems(values: SettingValues, product: string, cwd: string): string[] {
  const isLaunchIncomplete =
    values.polyglotEnabled && values.polyglotAutoStart && values.polyglotJar === null;
  return [
    ...(isLaunchIncomplete
      ? [
          `${product}.polyglot.launch.jarPath: must be a file, since ${product}.polyglot.auto-start is true`,
        ]
      : []),
    ...ldapProblems(values),
    ...onlineProblems(values, product),
    ...frontendProblems(values, product, cwd),
    ...filesProblems(values, product, cwd),
  ];
}

/** Returns a warning for each setting that was read from the key of an older version. */
function formerKeys(settings: readonly SettingReading[], product: string): string[] {
  const former = new Map<string, string>(
    Object.values(SETTINGS).flatMap(({ key, formerKey }: Setting<unknown>) =>
      formerKey === undefined ? [] : [[key.replace('<product>', product), formerKey]],
    ),
  );
  return settings.flatMap(({ key, source }) => {
    const old = former.get(key);
    if (old === undefined || source.from === 'default') return [];
    return relaxed(source.name) === relaxed(old.replace('<product>', product)) ||
      variablesOf(old, product).includes(source.name)
      ? [`${source.name} is the key of an older version. It is used; rename it to ${key}.`]
      : [];
  });
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
