import type {
  AggregatedValue,
  NamedSecret,
  RecordedExchange,
  RetryPolicy,
  RunAggregators,
  RunConnector,
  RunError,
  RunLimits,
  RunPart,
  RunPlace,
  WorkflowSnapshot,
} from '../../../engine';
import type { MaskingRule } from '../../../platform/redaction';
import type { MeasuredSpan } from '../../../platform/tracing/tracing';

/** How to recognise calls to the service itself, and the header that marks them. */
export interface CallMarking {
  /** Base URLs of the service. */
  readonly addresses: readonly string[];
  readonly header: string;
  /** Signed by the service: child processes have no key. */
  readonly mark: string;
}

/** Input of one run. Plain data, so that it can be sent to another process. */
export interface RunTask {
  readonly document: WorkflowSnapshot;
  /** Only the secrets that the workflow and its operations name, by `secretKey`. */
  readonly secrets: ReadonlyMap<string, NamedSecret>;
  /** Only the connectors that the workflow calls, with the credentials it needs, by id. */
  readonly connectors: ReadonlyMap<number, RunConnector>;
  /** Only the aggregators that the workflow names, by id. */
  readonly aggregators: RunAggregators;
  /** Start parameters: a JSON object as text, parsed by the process that executes the run. */
  readonly parameters: string | null;
  readonly stepTimeoutMs: number;
  readonly retrying: RetryPolicy;
  readonly runTimeoutMs: number;
  /** Whether events contain requests and responses. */
  readonly recordSegments: boolean;
  /** Whether the outcome contains the request and the response of the step that ended the run. */
  readonly recordFailure: boolean;
  /** Masking rules of the workflow for recorded requests and responses, in addition to secrets. */
  readonly rules: readonly MaskingRule[];
  readonly callMarking: CallMarking;
  readonly trace?: RunTrace;
  /** Missing: the run executes the whole workflow. */
  readonly part?: RunPart;
  /** Missing: no other process can go on with the run. */
  readonly journal?: TaskJournal;
}

/** What is known of a run that another process may go on with. */
export interface TaskJournal {
  /** The idempotency keys of its calls derive from it. */
  readonly key: string;
  /** What earlier processes have kept. */
  readonly lines: readonly string[];
  readonly maxBytes: number;
  /** Number of its own events that are stored already. */
  readonly storedEvents: number;
  /** Number of stored events that say that it goes on. */
  readonly resumes: number;
}

/** What the spans of a run are attached to. */
interface RunTrace {
  readonly runId: number;
  readonly workflowId: number;
  /** `traceparent` of what started the run; null if it is not traced. */
  readonly parent: string | null;
  /** `traceparent` of the run itself. Missing: its steps are not traced. */
  readonly span?: string;
}

/** An event as it is stored. `body` is JSON text, so that storing needs no serialisation. */
export interface EventRow {
  readonly sequence: number;
  readonly at: Date;
  readonly kind: string;
  readonly body: string;
  /**
   * Line of the event in the log; missing if the log does not show it, or if the run has no log.
   */
  readonly element?: string;
}

/** Cause of an internal failure, for the log of the service. */
export interface RunFault {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code: string | null;
}

export interface RunOutcome {
  readonly state: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly error: RunError | null;
  /** What the step that ended the run sent and received; missing if it is not kept. */
  readonly exchange?: RecordedExchange;
  readonly steps: number;
  /** Number of warnings in its events. */
  readonly warnings: number;
  readonly values: readonly AggregatedValue[];
  /** Its last events, which are stored together with its end. */
  readonly rest: readonly EventRow[];
  readonly fault: RunFault | null;
}

export interface ExecutionLimits extends Partial<RunLimits> {
  /** Total bytes of the events of a run. */
  readonly maxStoredBytes: number;
}

export interface StepCall {
  readonly token: string;
  /** The address is not known as one of this service; a proxy in front of it may have others. */
  readonly isElsewhere: boolean;
  /** The query with its `?`; empty for none. */
  readonly search: string;
  readonly body: string | null;
  readonly contentType: string | undefined;
}

export interface CallingRun {
  readonly runId: number;
  readonly workflowId: number;
  /** Position of the run in a chain of runs that started each other, from 1. */
  readonly depth: number;
  /** `traceparent` of the request that started it. */
  readonly trace?: string;
}

/** Where a run is in its workflow: the step that it started last. */
export type StepPlace = RunPlace;

/** Reason of a signal that stops a run which may go on later: what it was doing did not end. */
export const INTERRUPTED = 'interrupted';

export interface Supervision {
  /** Aborting it cancels the run. */
  readonly signal: AbortSignal;
  /**
   * Receives the events in order, except those in the outcome. Resolves when they are stored; a
   * rejection ends the run.
   */
  readonly store: (rows: readonly EventRow[]) => Promise<void>;
  /**
   * Starts the schedule of a webhook of this service. Never rejects. Resolves with the HTTP status
   * when the run is queued, or with null if the address is elsewhere and no webhook here has the
   * token.
   */
  readonly startWebhook: (call: StepCall) => Promise<number | null>;
  /**
   * Called once, before the first request, which waits for it. If it rejects, the request is not
   * sent.
   */
  readonly beforeFirstSend: (place: StepPlace | null) => Promise<void>;
  /**
   * Stores lines of the journal, in order, before the events that follow them. Null: it has reached
   * its maximum. `open` is the step that is about to send something that must not be sent twice.
   */
  readonly keep?: (text: string | null, open: StepPlace | null) => Promise<void>;
  /**
   * Whether this process certainly holds the run. While it is false, no further request is sent.
   */
  readonly isHeld: () => boolean;
  /**
   * Loads the masking rules of a run that is not recorded, when it fails. Never rejects. Null: they
   * are unknown.
   */
  readonly loadRules: () => Promise<readonly MaskingRule[] | null>;
  /** Receives the spans of steps and outgoing calls, if the run is traced. */
  readonly spans?: (spans: readonly MeasuredSpan[]) => void;
}

/** A reserved place for one run, in a process that is ready. */
export interface RunSeat {
  /** Never rejects: errors are in the outcome. Events may still be on their way to the store. */
  execute(task: RunTask, supervision: Supervision): Promise<RunOutcome>;
  /** Call at the end, also if nothing was executed. */
  release(): void;
}

export interface RunEngine {
  /**
   * Resolves when a process is ready for a run; there is no time limit.
   * @throws ProcessStartFailed, the reason of the signal; Unavailable if the engine is closed
   */
  reserve(signal: AbortSignal): Promise<RunSeat>;
  /** What runs without a process wait for, as a sentence for users. */
  startState(): string;
  /** Number of executing runs that wait for other systems; Infinity if it is unknown. */
  waitingRuns(): number;
  /** Starts processes ahead of need; called when the service is ready for clients. */
  warm(): void;
  close(): Promise<void>;
}
