import type { Collection, Db, MongoClient } from 'mongodb';
import { Double, Long } from 'mongodb';

export type Row = Record<string, unknown>;

/** Documents of any shape with an `_id` of any type, which the driver's own types would intervalsOf to ObjectId. */
export type Rows = Collection<any>;

/** What an operation may use: an empty collection holding the seed, and its surroundings. */
export interface Stage {
  readonly c: Rows;
  readonly db: Db;
  readonly client: MongoClient;
}

/** One operation through the official driver and what MongoDB 7.0 answers. */
export interface MatrixCase {
  readonly name: string;
  readonly seed?: readonly Row[];
  readonly run: (stage: Stage) => Promise<unknown>;
  /** The result, or the code of the error. */
  readonly expected: unknown;
  readonly fails?: true;
  /** A refusal of the embedded store; a real MongoDB does it. */
  readonly oursOnly?: true;
}

/** The error code with which an operation fails. */
export const failing = (
  name: string,
  seed: readonly Row[],
  run: MatrixCase['run'],
  code: number,
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
  run: MatrixCase['run'],
  expected: unknown,
): MatrixCase => ({ name, seed, run, expected });

/** The driver reads a double as a number, and an int64 where that is exact. */
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
