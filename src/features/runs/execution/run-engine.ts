import type {
  AggregatedValue,
  NamedSecret,
  RetryPolicy,
  RunAggregators,
  RunConnector,
  RunError,
  RunLimits,
  WorkflowSnapshot,
} from '../../../engine';
import type { MaskingRule } from '../../../platform/masking/rule-mask';
import type { CallsHome } from './calls-home';

/** Everything that one run needs. Plain data: it may cross to another process. */
export interface RunTask {
  readonly document: WorkflowSnapshot;
  /** Those that the workflow and the operations it calls name, and no others, by `secretKey`. */
  readonly secrets: ReadonlyMap<string, NamedSecret>;
  /** Those the workflow calls and no others, with those of their credentials that it needs, by id. */
  readonly connectors: ReadonlyMap<number, RunConnector>;
  /** Those the workflow names and no others, by id. */
  readonly aggregators: RunAggregators;
  /** What it was started with, a JSON object as text: whoever executes the run reads it. */
  readonly parameters: string | null;
  readonly stepTimeoutMs: number;
  readonly retrying: RetryPolicy;
  readonly runTimeoutMs: number;
  /** Its events carry requests and answers. */
  readonly recordSegments: boolean;
  /** Of its workflow, where they do: what is hidden in them beside secrets. */
  readonly rules: readonly MaskingRule[];
  readonly callsHome: CallsHome;
}

/** An event as it is stored: its own fields are JSON text already, so whoever stores it looks at none of them. */
export interface EventRow {
  readonly sequence: number;
  readonly at: Date;
  readonly kind: string;
  readonly body: string;
  /** What the log of the run shows of it; missing where it shows nothing, and where the run has no log. */
  readonly element?: string;
}

/** What lies behind the end of a run, for the log. */
export interface RunFault {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code: string | null;
}

/** How the execution of a run ended. */
export interface RunOutcome {
  readonly state: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly error: RunError | null;
  /** Methods that were executed. */
  readonly steps: number;
  /** What its aggregators left. */
  readonly values: readonly AggregatedValue[];
  /** Its last events, which go into the store together with its end. */
  readonly rest: readonly EventRow[];
  readonly fault: RunFault | null;
}

/** What holds for every run of the service. */
export interface ExecutionLimits extends Partial<RunLimits> {
  /** Bytes of all events of a run together. */
  readonly maxStoredBytes: number;
}

/** A call that a step makes to a webhook. */
export interface StepCall {
  readonly token: string;
  /** Called at an address that is not known as one of this service: a proxy before it may have others. */
  readonly isElsewhere: boolean;
  /** The query, with its question mark; empty for none. */
  readonly search: string;
  /** As it was to be sent; null for none. */
  readonly body: string | null;
  /** As its header was to be sent; undefined for none. */
  readonly contentType: string | undefined;
}

/** The run whose step that is. */
export interface CallingRun {
  readonly runId: number;
  readonly workflowId: number;
  /** The how many-th it is of those that started each other. */
  readonly depth: number;
}

/** Where in its workflow a run is: the step that it began last. */
export interface StepPlace {
  readonly step: string | null;
  readonly index: string;
  readonly loopIndex: readonly number[];
  readonly attempt: number;
}

export interface Supervision {
  /** Aborting it cancels the run. */
  readonly signal: AbortSignal;
  /** Takes the events in order, all but those in the outcome. Resolves when they are stored; when it rejects, the run ends. */
  readonly store: (rows: readonly EventRow[]) => Promise<void>;
  /** Starts the schedule of a webhook of this service. Resolves with the HTTP status of the answer, when it is queued, or null where one elsewhere is none of this service; never rejects. */
  readonly startWebhook: (call: StepCall) => Promise<number | null>;
  /** Called once, before the first request of the run leaves, which waits for it. When it rejects, the request is not sent. */
  readonly beforeFirstSend: (place: StepPlace | null) => Promise<void>;
  /** Is the run certainly this process's? While it is not, no further request leaves. */
  readonly isHeld: () => boolean;
}

/** Room for one run, in a process that is ready for it. */
export interface RunSeat {
  /** Never rejects: whatever happens is in the outcome. Events may still be on their way into the store when it resolves. */
  execute(task: RunTask, supervision: Supervision): Promise<RunOutcome>;
  /** To be called in the end, whether anything was executed or not. */
  release(): void;
}

/** Several processes in a row have ended while they started. */
export class ProcessStartFailed extends Error {
  override readonly name = 'ProcessStartFailed';
}

/** What executes runs. */
export interface RunEngine {
  /**
   * Resolves when a process is ready for a run, however long that takes.
   * @throws ProcessStartFailed, the reason of the signal; Error the engine is closed
   */
  reserve(signal: AbortSignal): Promise<RunSeat>;
  /** What runs wait for that have no process yet, for people. */
  startState(): string;
  /** How much of a processor each run wants that is executed, 0 to 1, as far as it is known; null: that is not known here. */
  demands(): readonly number[] | null;
  /** Gets ready ahead of need; called when the service is there for its clients. */
  warm(): void;
  /** Ends what is still executed, and lets go of everything. */
  close(): Promise<void>;
}
