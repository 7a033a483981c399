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
