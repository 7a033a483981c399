import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { FlatKeys } from './setting';

/**
 * Default configuration files, relative to the working directory. The first existing one is used;
 * the last is the path of the released line.
 */
const DEFAULT_FILES = ['application.yml', 'src/main/resources/application.yml'] as const;

export const MAX_CONFIG_FILE_BYTES = 1024 * 1024;

export interface FoundFile {
  /** As it was given, for messages. */
  readonly name: string;
  readonly path: string;
  readonly exists: boolean;
  /** Whether the environment names it, so that it must exist. */
  readonly isRequired: boolean;
}

/** @param variables the names of `config.file-path` in the environment, the first that is set counts */
export function findConfigFile(
  env: NodeJS.ProcessEnv,
  cwd: string,
  variables: readonly string[],
): FoundFile {
  // An empty variable counts as unset: compose files pass unset variables on as empty.
  const given = ['CONFIG_FILE', ...variables].map((name) => env[name]).find(Boolean);
  const name =
    given ?? DEFAULT_FILES.find((file) => existsSync(resolve(cwd, file))) ?? DEFAULT_FILES[1];
  const path = isAbsolute(name) ? name : resolve(cwd, name);
  return { name, path, exists: existsSync(path), isRequired: Boolean(env.CONFIG_FILE) };
}

/**
 * Reads an application.yml as the released line wrote it: YAML 1.1, nested or dotted keys, several
 * documents merged in order.
 * @throws Error with a readable message if the file is missing (and required), too large, or not
 * YAML
 */
export function readConfigFile({ path, exists, isRequired }: FoundFile): FlatKeys {
  if (!exists) {
    if (isRequired) throw new Error('the file does not exist');
    return new Map();
  }
  return readConfigKeys(readFileSync(path));
}

/** @throws Error with a readable message if the text is too large, or not YAML */
export function readConfigKeys(source: Buffer): FlatKeys {
  if (source.length > MAX_CONFIG_FILE_BYTES) throw new Error('the file is larger than 1 MiB');
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
  if (node === null || node === undefined) {
    // A misspelt key of released files has its value in its name: `add-mappings=false:`.
    if (prefix.includes('=')) into.set(prefix, '');
    return;
  }
  if (typeof node !== 'object' || Array.isArray(node) || node instanceof Date) {
    if (prefix === '') throw new Error('the file must contain keys and values');
    into.set(prefix, node);
    return;
  }
  for (const [key, value] of Object.entries(node))
    flatten(value, prefix === '' ? key : `${prefix}.${key}`, into);
}
