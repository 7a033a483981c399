import type { Form } from './forms';

/** Flattened keys of a configuration file: `server.port` -> 8080. Lists stay lists. */
export type FlatKeys = ReadonlyMap<string, unknown>;

/** Like Spring, treats `activityTime`, `activity-time` and `ACTIVITY_TIME` as the same key. */
export const relaxed = (key: string): string => key.toLowerCase().replaceAll(/[-_]/g, '');

/**
 * Returns the environment variable of a key: `HYPHA_TOKEN_ACTIVITY_TIME` for
 * `hypha.token.activity-time`.
 */
export const variableOf = (key: string): string => key.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');

/** The prefix of this product, which environment variables may have under any product prefix. */
export const OWN_PREFIX = 'hypha';

/**
 * Returns the environment variables of a key with `<product>`, in order of precedence:
 * `ACME_REST_DIALECT` and `HYPHA_REST_DIALECT`.
 */
export const variablesOf = (key: string, product: string): string[] => [
  ...new Set([product, OWN_PREFIX].map((prefix) => variableOf(key.replace('<product>', prefix)))),
];

/** A key of the configuration file. `<product>` stands for the product prefix. */
export interface Setting<T> {
  readonly key: string;
  /** The key of an older version, which is read with a warning. */
  readonly formerKey?: string;
  /** A short environment variable, in addition to the key in upper snake case. */
  readonly env?: string;
  readonly form: Form<T>;
  readonly fallback: T;
  readonly secret?: boolean;
  /** An invalid value in the file is ignored with a warning: released files have placeholders. */
  readonly isLenient?: boolean;
  /** Describes the default in the documentation, if the fallback does not. */
  readonly defaultText?: string;
}

type Details = Pick<Setting<unknown>, 'env' | 'secret' | 'defaultText' | 'formerKey' | 'isLenient'>;

/** The values of settings by name. */
export type ValuesOf<S> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

export const setting = <T>(
  key: string,
  form: Form<T>,
  fallback: T,
  details: Details = {},
): Setting<T> => ({ key, form, fallback, ...details });

/** A setting whose default is null. */
export const optional = <T>(
  key: string,
  form: Form<T>,
  details: Details = {},
): Setting<T | null> => ({ key, form, fallback: null, ...details });
