import type { z } from 'zod';
import type { ErrorDialect } from './error-body';
import type { RequestDialect } from './dialects/request-dialect';

/**
 * One dialect of the REST API: how it formats failures and results of services, and what it reads
 * differently. Each feature adds its own by declaration merging in its presenter file: `declare
 * module '../../platform/http/presenters' { interface Presenters { groups: GroupPresenters } }`.
 * Routes are built with a set and know no dialect, so another dialect is another object of this
 * type.
 */
export interface Presenters {
  readonly errors: ErrorDialect;
  readonly requests: RequestDialect;
}

/**
 * Builds the JSON of one kind of response from these values. Its shape belongs to the dialect, so
 * no other code may rely on it.
 */
export interface Presenter<A extends readonly unknown[]> {
  /** May return a promise: handlers await what may need further records in another dialect. */
  (...of: A): unknown;
  /** Its schema, for OpenAPI. */
  readonly answer: z.ZodType;
}

/** What may be sent for a shape: a list may still be read while it is written. */
type Sent<T> = T extends readonly (infer E)[]
  ? readonly Sent<E>[] | AsyncIterable<Sent<E>>
  : T extends object
    ? { readonly [K in keyof T]: Sent<T[K]> }
    : T;

/** Creates a presenter whose type must match its schema. */
export function presenter<S extends z.ZodType, A extends readonly unknown[]>(
  answer: S,
  present: (...of: A) => Sent<z.output<S>> | Promise<Sent<z.output<S>>>,
): Presenter<A> {
  return Object.assign((...of: A): unknown => present(...of), { answer });
}
