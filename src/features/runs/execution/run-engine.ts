import type { AggregatedValue, NamedSecret, RetryPolicy, RunAggregators, RunConnector, RunError, RunLimits, WorkflowSnapshot } from '../../../engine';
import type { CallsHome } from './calls-home';

/** Everything that one run needs. Plain data: it may cross to another process. */
export interface RunTask {
  readonly document: WorkflowSnapshot;
  /** Those the workflow names and no others, by `secretKey`. */
  readonly secrets: ReadonlyMap<string, NamedSecret>;
  /** Those the workflow calls and no others, with their credentials, by id. */
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
  readonly callsHome: CallsHome;
}

/** An event as it is stored: its own fields are JSON text already, so whoever stores it looks at none of them. */
export interface EventRow {
  readonly sequence: number;
  readonly at: Date;
  readonly kind: string;
  readonly body: string;
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

export interface Supervision {
  /** Aborting it cancels the run. */
  readonly signal: AbortSignal;
  /** Takes the events in order, all but those in the outcome. Resolves when they are stored; when it rejects, the run ends. */
  readonly store: (rows: readonly EventRow[]) => Promise<void>;
}

/** What executes runs. */
export interface RunEngine {
  /** Never rejects: whatever happens is in the outcome. Events may still be on their way into the store when it resolves. */
  execute(task: RunTask, supervision: Supervision): Promise<RunOutcome>;
  /** Gets ready ahead of need; called when the service is there for its clients. */
  warm(): void;
  /** Ends what is still executed, and lets go of everything. */
  close(): Promise<void>;
}
