import type { NamedSecret } from '../platform/secrets';
import type { AggregatedValue, RunAggregators } from './aggregators/run-aggregator';
import type { RunConnector } from './connector/invoker-facts';
import type { EventPlace, RunEvent, RunError } from './events';
import type { ValueMap } from './value';

/** One HTTP call, complete: nothing in it is evaluated any more. */
export interface OutboundRequest {
  method: string;
  /** Absolute `http:` or `https:` URL. */
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** For the whole call, body included, in milliseconds. */
  timeoutMs: number;
  /** False: no certificate is judged. */
  verifyTls?: boolean;
  /** Cookies of earlier calls of the run, which are sent, and to which those of the answers are added. */
  cookies?: CookieStore;
  /** Asked before each redirect is followed, with where it leads; false ends the call. Without it: anywhere. */
  allowRedirect?: (to: URL) => boolean;
  /** What is sent where a redirect leads, in the place of the headers that would go there. Without it: those. */
  headersTo?: (to: URL, headers: Readonly<Record<string, string>>) => Record<string, string>;
}

/** Cookies that remote systems set, with the rules of whoever made it. */
export interface CookieStore {
  readonly isEmpty: boolean;
  /** Stores the `Set-Cookie` headers of an answer. */
  store(url: URL, header: string | string[] | undefined): void;
  /** The `Cookie` header of a request, with those it has by itself. */
  headerFor(url: URL, own: string | undefined): string | undefined;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/**
 * How the engine reaches remote systems. A call that cannot be answered rejects with an Error whose `code` is a documented text
 * (`OUTBOUND_TIMEOUT`, ...), which becomes the code of the run's error. It stops at once when the signal is aborted.
 */
export interface HttpPort {
  send(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse>;
  /** An empty store of cookies. Without it: none are kept between calls. */
  createCookies?(): CookieStore;
}

/** A script, complete: code of the workflow, and values as JSON, which nobody evaluates. */
export interface ScriptCall {
  /** `js`, `python`, ... as the workflow has it, empty where it names none. */
  readonly language: string;
  readonly code: string;
  readonly variables: readonly (readonly [name: string, json: string])[];
}

/**
 * How the engine has scripts evaluated. One that leaves no value rejects with an Error whose `code` is a documented text (`SCRIPT_ERROR`, ...).
 * It stops at once when the signal is aborted.
 */
export interface ScriptPort {
  /** Resolves when scripts in these languages can be evaluated at once, or cannot be at all: that is not part of the time of a step. Never rejects. */
  ready?(languages: readonly string[], signal: AbortSignal): Promise<void>;
  /** What the script leaves in `RESULT_VAR`, as JSON. */
  evaluate(script: ScriptCall, signal: AbortSignal): Promise<string>;
}

/** Everything the engine knows of the world. */
export interface Ports {
  http: HttpPort;
  /** How WEBHOOK steps call, where that is another way. */
  webhooks?: HttpPort;
  /**
   * Receives the events of the run in order. A returned promise is awaited, so a slow store slows the run down instead of filling the memory.
   * An `EngineError` says that it takes no more of them: the run ends with it.
   */
  emit(event: RunEvent, place: EventPlace): void | Promise<void>;
  /** Called before work that may hold up the process: what `emit` received and somebody waits for should have left it by then. */
  flush?(): void;
  clock: { now(): Date };
  /** The values in a recorded text that masking rules select: from then on the run hides them like secrets. `contentType` is null where it is no body. */
  ruledValues?: (text: string, contentType: string | null) => readonly string[];
  /** The named secrets that the workflow uses, by `secretKey`, and no others: none of them is ever written. */
  secrets?: ReadonlyMap<string, NamedSecret>;
  /** The connectors that the workflow calls, by id, with their credentials, and no others. */
  connectors?: ReadonlyMap<number, RunConnector>;
  /** The aggregators that its methods name and that are there, by id. Without them: whatever is named is not evaluated. */
  aggregators?: RunAggregators;
  /** For enhancements of field bindings, and for aggregators. */
  scripts: ScriptPort;
}

export interface RunLimits {
  /** Turns of one loop. */
  maxLoopTurns: number;
  /** Turns of all loops together. */
  maxTurns: number;
  /** Events of the run but the last. */
  maxEvents: number;
  /** Bytes of the responses that later steps may still read, all together. */
  maxKeptBytes: number;
  /** Bytes of the calls that aggregators are given, all together. */
  maxAggregatedBytes: number;
  /** Bytes of one request body. */
  maxRequestBytes: number;
  /** Bytes of one response body; the http port usually refuses earlier. */
  maxResponseBytes: number;
  /** Characters of one payload in an event. */
  maxSegmentLength: number;
}

/** How often a step that failed is tried again, and what the first pause is. */
export interface RetryPolicy {
  readonly retries: number;
  readonly backoffMs: number;
}

export interface RunOptions {
  /** Aborting it cancels the run. */
  signal: AbortSignal;
  /** Longest a step may take, with all its tries, where it does not say so itself. */
  stepTimeoutMs: number;
  /** For steps that may be repeated and say nothing themselves; without it a step is tried once. */
  retrying?: RetryPolicy;
  runTimeoutMs?: number;
  /** What the webhook that started the run was sent: `${name}` in the workflow. */
  parameters?: ValueMap;
  /** True for test runs and logged runs: events carry what was sent and received, with secrets masked. */
  recordSegments: boolean;
  limits?: Partial<RunLimits>;
}

export interface RunResult {
  state: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** Present when the run failed. */
  error?: RunError;
  /** Steps (methods) that were executed; each turn of a loop counts. */
  steps: number;
  /** What aggregators left; none when the run did not end well. */
  values: readonly AggregatedValue[];
  /** What lies behind the error, for the log; it may say more than people outside may see. */
  cause?: unknown;
}
