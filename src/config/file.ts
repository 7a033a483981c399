import { existsSync, readFileSync } from 'node:fs';

/** Flattened keys of a configuration file: `server.port` -> 8080. Lists stay lists. */
export type FlatKeys = ReadonlyMap<string, unknown>;

const LARGEST_FILE = 1024 * 1024;

/**
 * Reads an application.yml as the released line wrote it: YAML 1.1, nested or dotted keys, several
 * documents merged in order.
 * @throws Error with a readable message if the file is missing (and `required`), too large, or not
 * YAML
 */
export function readConfigFile(path: string, required: boolean): FlatKeys {
  if (!existsSync(path)) {
    if (required) throw new Error('the file does not exist');
    return new Map();
  }
  const source = readFileSync(path);
  if (source.length > LARGEST_FILE) throw new Error('the file is larger than 1 MiB');
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
    if (prefix === '') throw new Error('the file must hold keys and values');
    into.set(prefix, node);
    return;
  }
  for (const [key, value] of Object.entries(node))
    flatten(value, prefix === '' ? key : `${prefix}.${key}`, into);
}
