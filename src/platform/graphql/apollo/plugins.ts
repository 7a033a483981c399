import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ApolloServerPlugin } from '@apollo/server';
import * as graphql from 'graphql';
import type { ApolloContext } from './exchange';

type Plugin = ApolloServerPlugin<ApolloContext>;

/**
 * Loads the plugins of the operator: a CommonJS module that exports a function. It receives
 * `graphql`, of which the service has a copy of its own, and returns a plugin of Apollo Server or a
 * list of them.
 * @param name a package or a file, from the working directory; null for none
 * @throws Error the module cannot be used
 */
export function loadPlugins(name: string | null, cwd = process.cwd()): readonly Plugin[] {
  if (name === null) return [];
  let returned: unknown;
  try {
    const loaded: unknown = createRequire(join(cwd, 'package.json'))(name);
    const create = hasDefault(loaded) ? loaded.default : loaded;
    if (typeof create !== 'function') throw new Error('it must export a function');
    returned = (create as (library: typeof graphql) => unknown)(graphql);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Node adds the modules that required it.
    throw new Error(messageFor(name, message.split('\n', 1)[0] ?? ''), { cause: error });
  }
  const plugins = Array.isArray(returned) ? (returned as unknown[]) : [returned];
  if (plugins.every(isPlugin)) return plugins;
  throw new Error(messageFor(name, 'its function must return a plugin or a list of them'));
}

const messageFor = (name: string, problem: string): string =>
  `HYPHA_GRAPHQL_PLUGINS = ${JSON.stringify(name)} cannot be used: ${problem}`;

const hasDefault = (value: unknown): value is { default: unknown } =>
  typeof value === 'object' && value !== null && 'default' in value;

const isPlugin = (value: unknown): value is Plugin =>
  typeof value === 'object' && value !== null && !('then' in value);
