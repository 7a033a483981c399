import type { z } from 'zod';
import type { ErrorDialect } from './error-body';

/**
 * One dialect of the REST API: how it words failures, and how it shows what the services answer. Each feature adds its own by declaration
 * merging in its presenter file: `declare module '../../platform/http/presenters' { interface Presenters { groups: GroupPresenters } }`. Routes
 * are made with a set and know no dialect, so another dialect is another object of this type, and nothing else.
 */
export interface Presenters {
  readonly errors: ErrorDialect;
}

/** Makes the JSON of one kind of answer out of these values. Its shape is the dialect's own, so nobody else may count on one. */
export interface Presenter<A extends readonly unknown[]> {
  (...of: A): unknown;
  /** What it makes, for OpenAPI. */
  readonly answer: z.ZodType;
}

/** What is sent for a shape: a list may still be read while it is written. */
type Sent<T> = T extends readonly (infer E)[]
  ? readonly Sent<E>[] | AsyncIterable<Sent<E>>
  : T extends object
    ? { readonly [K in keyof T]: Sent<T[K]> }
    : T;

/** A presenter, held to the schema it says it answers. */
export function presenter<S extends z.ZodType, A extends readonly unknown[]>(
  answer: S,
  present: (...of: A) => Sent<z.output<S>>,
): Presenter<A> {
  return Object.assign((...of: A): unknown => present(...of), { answer });
}
