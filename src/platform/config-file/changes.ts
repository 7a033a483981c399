import { isDeepStrictEqual } from 'node:util';
import type { Value } from './parse-yaml';

/** A change of one key. */
export interface Change {
  readonly path: string;
  /** The last key of the path, if it contains dots. */
  readonly key?: string;
  readonly status?: 'active' | 'inactive';
  /** Undefined: the value stays. */
  readonly value?: Value;
}

/** A change that cannot be made, with the reason. */
export class ChangeError extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(`${path}: ${message}`);
  }
}

export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);

/** Whether `path` is below `parent`. */
export const isBelow = (path: string, parent: string): boolean =>
  path.startsWith(parent) && /^[.[]/.test(path.slice(parent.length));

/** Splits a path into keys: `a.b[0]` to `a`, `b`, `[0]`. */
export function keysOf(path: string, lastKey?: string): string[] {
  if (lastKey !== undefined && path.endsWith(lastKey) && lastKey !== path) {
    const parent = path.slice(0, -lastKey.length);
    if (parent.endsWith('.')) return [...keysOf(parent.slice(0, -1)), lastKey];
    if (lastKey.startsWith('[')) return [...keysOf(parent), lastKey];
  }
  if (lastKey === path) return [path];
  return path.split(/\.|(?=\[\d+\])/).filter((key) => key !== '');
}
