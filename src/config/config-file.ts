import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { MAX_CONFIG_FILE_BYTES, parseYaml, yaml } from '../platform/config-file/parse-yaml';
import type { YamlDocument } from '../platform/config-file/parse-yaml';
import type { FlatKeys } from './setting';

/**
 * Default configuration files, relative to the working directory. The first existing one is used;
 * the last is the path of the released line.
 */
const DEFAULT_FILES = ['application.yml', 'src/main/resources/application.yml'] as const;

const TOO_LARGE = `the file is larger than ${MAX_CONFIG_FILE_BYTES / 1024} KiB`;

export interface FoundFile {
  /** As it was given, for messages. */
  readonly name: string;
  readonly path: string;
  readonly exists: boolean;
  /** Whether the environment names it, outside of the data directory, so that it must exist. */
  readonly isRequired: boolean;
  /** A file in the default place that is not read, although there is no other. */
  readonly unread: string | undefined;
}

/** @param variables the names of `config.file-path` in the environment, the first that is set counts */
export function findConfigFile(
  env: NodeJS.ProcessEnv,
  cwd: string,
  variables: readonly string[],
): FoundFile {
  // An empty variable counts as unset: compose files pass unset variables on as empty.
  const configuredName = ['CONFIG_FILE', ...variables].map((name) => env[name]).find(Boolean);
  const name =
    configuredName ??
    DEFAULT_FILES.find((file) => existsSync(resolve(cwd, file))) ??
    DEFAULT_FILES[1];
  const path = isAbsolute(name) ? name : resolve(cwd, name);
  // One in the data directory is created with the first change on the page.
  const isCreatedLater =
    env.DATA_DIR !== undefined && dirname(path) === resolve(cwd, env.DATA_DIR || '.');
  const isRequired = Boolean(env.CONFIG_FILE) && !isCreatedLater;
  const exists = existsSync(path);
  const unread = exists ? undefined : DEFAULT_FILES.find((file) => existsSync(resolve(cwd, file)));
  return { name, path, exists, isRequired, unread };
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
  // Refused by its size before it is read.
  if (statSync(path).size > MAX_CONFIG_FILE_BYTES) throw new Error(TOO_LARGE);
  return readConfigKeys(readFileSync(path));
}

/** @throws Error with a readable message if the text is too large, or not YAML */
export function readConfigKeys(source: Buffer): FlatKeys {
  if (source.length > MAX_CONFIG_FILE_BYTES) throw new Error(TOO_LARGE);
  const text = source.toString('utf8').replace(/^\ufeff/, '');
  const { documents, lineCounter } = parseYaml(text);
  const keys = new Map<string, unknown>();
  for (const document of documents) {
    const [problem] = document.errors;
    if (problem) {
      const { line, col } = lineCounter.linePos(problem.pos[0]);
      throw new Error(`${problem.message} at line ${line}, column ${col}`);
    }
    flatten(valuesOf(document), '', keys);
  }
  return keys;
}

/** @throws Error for aliases to nothing, to themselves, or to very many values */
function valuesOf(document: YamlDocument): unknown {
  yaml().visit(document, {
    Alias(_key, { source }, above) {
      if (above.some((node) => (node as { anchor?: string }).anchor === source))
        throw new Error(`the alias *${source} refers to itself`);
    },
  });
  return document.toJS({ maxAliasCount: 50 });
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
