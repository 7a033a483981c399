import type { Collection, Db, MongoClient } from 'mongodb';
import { Double, Long } from 'mongodb';

export type Row = Record<string, unknown>;

/** Documents of any shape; the types of the driver restrict `_id` to ObjectId. */
export type Rows = Collection<any>;

/** What an operation may use: an empty collection with the seed, its database and client. */
export interface Stage {
  readonly c: Rows;
  readonly db: Db;
  readonly client: MongoClient;
}

/** An operation of the official driver and the answer of MongoDB 7.0. */
export interface MatrixCase {
  readonly name: string;
  readonly seed?: readonly Row[];
  readonly run: (stage: Stage) => Promise<unknown>;
  /** The result, or the error code. */
  readonly expected: unknown;
  readonly fails?: true;
  /** Rejected by the embedded store only. */
  readonly oursOnly?: true;
}

/** The error code of a failing operation. */
export const failing = (
  name: string,
  seed: readonly Row[],
  code: number,
  run: MatrixCase['run'],
): MatrixCase => ({
  name,
  seed,
  run,
  expected: code,
  fails: true,
  ...(code === 115 ? { oursOnly: true } : {}),
});

export const giving = (
  name: string,
  seed: readonly Row[],
  expected: unknown,
  run: MatrixCase['run'],
): MatrixCase => ({ name, seed, run, expected });

/** The driver returns a double as a number, and an int64 where that is exact. */
export function asDriverReads(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asDriverReads);
  if (value instanceof Double) return value.value;
  if (value instanceof Long)
    return Number.isSafeInteger(value.toNumber()) ? value.toNumber() : value;
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, asDriverReads(inner)]),
  );
}
