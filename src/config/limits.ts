import { wholeNumber } from './forms';
import type { Form } from './forms';

/** A limit, documented in docs/limits.md. */
interface Limit {
  readonly fallback: number;
  readonly form: Form<number>;
}

const MEBIBYTE = 1024 * 1024;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const limit = (fallback: number, min: number, max: number): Limit => ({
  fallback,
  form: wholeNumber(min, max),
});

const LIMITS = {
  tokens: limit(5_000, 100, 1_000_000),
  depth: limit(12, 3, 100),
  aliases: limit(30, 0, 10_000),
  rootFields: limit(20, 1, 1_000),
  directives: limit(50, 0, 10_000),
  documentBytes: limit(128 * 1024, 1_024, 16 * MEBIBYTE),
  /** Fragment spreads in a document, counted at each use. */
  fragments: limit(150, 0, 1_000),
  /** Values in variables and literals. */
  values: limit(20_000, 100, 10_000_000),
  /** Nesting of brackets in a document, and of objects and lists in variables. */
  nesting: limit(64, 10, 98),
  cost: limit(10_000, 100, 100_000_000),
  page: limit(100, 1, 1_000),
  /** It is parsed in one go, which stalls the service: docs/limits.md. */
  jsonBytes: limit(MEBIBYTE, 1_024, 15 * MEBIBYTE),
  workflowBytes: limit(4 * MEBIBYTE, 1_024, 15 * MEBIBYTE),
  uploadBytes: limit(20 * MEBIBYTE, 1_024, 200 * MEBIBYTE),
  socketMessageBytes: limit(256 * 1024, 1_024, 16 * MEBIBYTE),
  socketOperations: limit(100, 1, 10_000),
  /** Maximum size of a GraphQL response or a socket message. A string holds 512 MiB. */
  answerBytes: limit(8 * MEBIBYTE, 1_024, 128 * MEBIBYTE),
  /** Maximum number of unauthenticated sockets for each address. */
  anonymousSockets: limit(64, 1, 100_000),
  /** Maximum lifetime of an unauthenticated socket, ms. */
  anonymousSocketMs: limit(30_000, 1_000, 60 * MINUTE_MS),
  /** Maximum number of sockets for each user. */
  userSockets: limit(2_000, 1, 1_000_000),
  operationMs: limit(30_000, 100, 10 * MINUTE_MS),
  /** Failed logins for each account and address before 429. */
  loginFailures: limit(5, 1, 1_000),
  /** Duration of the first lockout, ms; doubles with each further failure. */
  loginLockMs: limit(30_000, 100, 60 * MINUTE_MS),
  /** Maximum duration of a lockout, ms. */
  loginLockMaxMs: limit(15 * MINUTE_MS, 100, DAY_MS),
  /** Failed logins for each address, over all accounts within the window, before 429. */
  loginAddressFailures: limit(100, 1, 10_000),
  /** The window, ms. */
  loginAddressWindowMs: limit(15 * MINUTE_MS, 1_000, DAY_MS),
  /** Calls of one webhook per minute. */
  webhookCalls: limit(600, 1, 1_000_000),
  /** Calls of unknown webhooks from one address per minute. */
  webhookGuesses: limit(60, 1, 1_000_000),
} as const;

type LimitName = keyof typeof LIMITS;
export type Limits = Readonly<Record<LimitName, number>>;

const mapLimits = <T>(convert: (limit: Limit, name: LimitName) => T): Record<LimitName, T> =>
  Object.fromEntries(
    Object.entries(LIMITS).map(([name, each]) => [name, convert(each, name as LimitName)]),
  ) as Record<LimitName, T>;

export const DEFAULT_LIMITS: Limits = mapLimits(({ fallback }) => fallback);

/** The limits as settings: `<product>.limits.root-fields` for `rootFields`. */
export const LIMIT_SETTINGS = mapLimits((each, name) => ({
  key: `<product>.limits.${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  ...each,
}));

export const limitsOf = (values: Limits): Limits => mapLimits((_limit, name) => values[name]);
