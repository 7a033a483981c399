import type { NamedSecret } from '../platform/secrets';
import type { AggregatedValue, RunAggregators } from './aggregators/run-aggregator';
import type { RunConnector } from './connector/invoker-facts';
import type { EventPlace, RecordedExchange, RunEvent, RunError, Sample } from './events';
import type { CallTiming } from './run/time-budget';
import type { ValueMap } from './value';

/** A complete HTTP request; nothing in it is evaluated. */
export interface OutboundRequest extends CallTiming {
  method: string;
  /** Absolute `http:` or `https:` URL. */
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** False: do not verify certificates. */
  verifyTls?: boolean;
  /** Cookie store of the run to send from and save to. */
  cookies?: CookieStore;
  /** Called before each redirect; false ends the call. Default: all redirects are allowed. */
  allowRedirect?: (to: URL) => boolean;
  /** Replaces the headers that are sent to a redirect target. */
  headersTo?: (to: URL, headers: Readonly<Record<string, string>>) => Record<string, string>;
}

/** Stores cookies of remote systems; the rules are up to the implementation. */
export interface CookieStore {
  readonly isEmpty: boolean;
  /** Stores the `Set-Cookie` headers of an answer. */
  store(url: URL, header: string | string[] | undefined): void;
  /** Returns the `Cookie` header for a request: stored cookies and those of the request. */
  headerFor(url: URL, own: string | undefined): string | undefined;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case. A `Content-Encoding` is one that was not decoded. */
  headers: Record<string, string | string[]>;
  body: Buffer;
  /** Words of the `Content-Encoding` that name no compression and were ignored. */
  ignoredCodings?: readonly string[];
}

/**
 * Calls remote systems. A failed call rejects with an Error whose `code` is documented
 * (`OUTBOUND_TIMEOUT`, ...) and becomes the code of the run error. Stops when the signal aborts.
 */
export interface HttpPort {
  send(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse>;
  /** Creates an empty cookie store. If missing, no cookies are kept between calls. */
  createCookies?(): CookieStore;
}

/** A script with its input: code of the workflow, and values as JSON, which are not evaluated. */
export interface ScriptCall {
  /** Language as in the workflow (`js`, `python`, ...); may be empty. */
  readonly language: string;
  readonly code: string;
  readonly variables: readonly (readonly [name: string, json: string])[];
}

/**
 * Evaluates scripts. A failure rejects with an Error whose `code` is documented (`SCRIPT_ERROR`,
 * ...). Stops when the signal aborts.
 */
interface ScriptPort {
  /**
   * Resolves when scripts in these languages can start, or cannot run at all. Not part of the step
   * timeout. Never rejects.
   */
  ready?(languages: readonly string[], signal: AbortSignal): Promise<void>;
  /** Returns the value of `RESULT_VAR` as JSON. */
  evaluate(script: ScriptCall, signal: AbortSignal): Promise<string>;
}

/** Identifies an attempt of a step for its observer. */
export interface StepPlaceName {
  readonly index: string;
  readonly methodType: string;
  /** From 1. */
  readonly attempt: number;
}

/** Notified of steps when they happen: events are emitted later. */
export interface StepObserver {
  /** @param hide replaces the secrets of the run in a text */
  started(step: StepPlaceName, hide: (text: string) => string): void;
  /** @param error code of the failure; `CANCELLED`; null for success */
  ended(error: string | null): void;
}

/** Returns the values in a text that masking rules select. */
export type RuledValues = (text: string, contentType: string | null) => readonly string[];

/** Where a run is in its workflow. */
export interface RunPlace {
  readonly step: string | null;
  /** Name of the step; missing if it has none. */
  readonly name?: string;
  readonly index: string;
  readonly loopIndex: readonly number[];
  readonly attempt: number;
}

/** Keeps what a run learns from outside, so that another process can go on with it. */
export interface JournalPort {
  /** What earlier processes have kept, in order. */
  readonly lines: readonly string[];
  /** The idempotency keys of the run derive from it. */
  readonly key: string;
  /** The journal has reached its maximum: nothing more is kept. */
  readonly isFull: boolean;
  /**
   * Keeps a line. A returned promise resolves when there is room for the next.
   * @param open the step that is about to send something that must not be sent twice
   */
  add(line: string, open: RunPlace | null): void | Promise<void>;
  /** Resolves when all lines are stored. */
  settle(): Promise<void>;
}

/** Dependencies of the engine on the rest of the service. */
export interface Ports {
  http: HttpPort;
  /** HTTP port for WEBHOOK steps. Default: `http`. */
  webhooks?: HttpPort;
  /**
   * Receives the events of the run in order. A returned promise is awaited, so that a slow store
   * slows the run down instead of filling memory. An `EngineError` means that no more events are
   * accepted and ends the run.
   */
  emit(event: RunEvent, place: EventPlace): void | Promise<void>;
  /** Default: nothing observes the steps. */
  steps?: StepObserver;
  /** Called before work that may block the process: events from `emit` should be sent before it. */
  flush?(): void;
  clock: { now(): Date };
  /**
   * Returns the values in a recorded text that masking rules select; the run hides them like
   * secrets from then on. `contentType` is null if the text is not a body.
   */
  ruledValues?: RuledValues;
  /**
   * Loads the masking rules of a run that is not recorded, when one of its steps has failed. Never
   * rejects. Null: they are unknown, so requests and responses are not kept. Default: the run is
   * recorded, and `ruledValues` are its rules.
   */
  loadRules?: () => Promise<RuledValues | null>;
  /** Only the named secrets that the workflow uses, by `secretKey`; never logged. */
  secrets?: ReadonlyMap<string, NamedSecret>;
  /** Only the connectors that the workflow calls, by id, with credentials. */
  connectors?: ReadonlyMap<number, RunConnector>;
  /** Existing aggregators of the workflow by id. If missing, no aggregator is evaluated. */
  aggregators?: RunAggregators;
  /** For field bindings and aggregators. */
  scripts: ScriptPort;
  /** Missing: no other process can go on with the run. */
  journal?: JournalPort;
}

export interface RunLimits {
  /** Maximum iterations of one loop. */
  maxLoopTurns: number;
  /** Maximum iterations of all loops together. */
  maxTurns: number;
  /** Maximum events of the run, except the last one. */
  maxEvents: number;
  /** Maximum bytes of all responses kept for later steps. */
  maxKeptBytes: number;
  /** Maximum bytes of all calls kept for aggregators. */
  maxAggregatedBytes: number;
  /** Maximum bytes of a request body. */
  maxRequestBytes: number;
  /** Maximum bytes of a response body; the HTTP port usually has a lower limit. */
  maxResponseBytes: number;
  /** Maximum characters of a payload in an event. */
  maxSegmentLength: number;
}

/** Number of retries of a failed step and the first delay. */
export interface RetryPolicy {
  readonly retries: number;
  readonly backoffMs: number;
}

/** Samples of the steps by colour, in upper case. */
export type Samples = ReadonlyMap<string, Sample>;

/** The part of a workflow that a test executes. */
export interface RunPart {
  /** The run ends when this step has ended once; null: at the end of the workflow. */
  readonly until: string | null;
  /** Only this method is executed, with the loops around it in one iteration; null: all. */
  readonly only: string | null;
  /** Answers in place of the methods that are not executed. */
  readonly samples: Samples;
}

export interface RunOptions {
  /** Aborting it cancels the run. */
  signal: AbortSignal;
  /** Default timeout of a step including retries, ms. */
  stepTimeoutMs: number;
  /** Default retries of idempotent steps. If missing, a step is tried once. */
  retrying?: RetryPolicy;
  runTimeoutMs?: number;
  /** Parameters of the webhook call that started the run: `${name}` in the workflow. */
  parameters?: ValueMap;
  /** True for test runs and logged runs: events contain requests and responses, secrets masked. */
  recordSegments: boolean;
  /** Whether the result contains the request and the response of the step that ended the run. */
  recordFailure?: boolean;
  /** Default: the whole workflow. */
  part?: RunPart;
  limits?: Partial<RunLimits>;
}

export interface RunResult {
  state: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** Present when the run failed. */
  error?: RunError;
  /** What the step that ended the run sent and received, masked; missing if it is not kept. */
  exchange?: RecordedExchange;
  /** Number of executed methods, counting each loop iteration. */
  steps: number;
  /** Number of warnings in the events. */
  warnings: number;
  /** Values of aggregators; empty if the run failed. */
  values: readonly AggregatedValue[];
  /** Cause of the error for the log; may contain details that users must not see. */
  cause?: unknown;
}
