/** What ended a run. `step` is the id of the method or operator, null when the run failed as a whole. */
export interface RunError {
  step: string | null;
  index: string | null;
  /** The turns, from 0, of the loops around the step, the outermost first. Missing where the run failed as a whole. */
  loopIndex?: readonly number[];
  /** 1 for the first try. */
  attempt: number;
  /** Of `ENGINE_ERROR_CODES`, or of a port: `HTTP_STATUS_ERROR`, `EXPRESSION_TYPE_MISMATCH`, `OUTBOUND_TIMEOUT`. */
  code: string;
  /** For people. Names the call that failed: method, address without query string, status. Secrets are hidden. */
  message: string;
}

export type StepState = 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

/** The error of one step; where it happened is said by the event around it. */
export interface StepError {
  code: string;
  message: string;
}

/** What was sent, secrets masked, payload cut to a limit. */
export interface RequestSegment {
  url: string;
  method: string;
  header: Record<string, string>;
  payload: string;
}

/** What came back, secrets masked, payload cut to a limit. */
export interface ResponseSegment {
  status: number;
  durationMs: number;
  header: Record<string, string>;
  payload: string;
}

/** The place in the workflow an event is about. */
export interface Place {
  stepId: string | null;
  index: string;
  /** The turns (from 0) of all enclosing loops, outermost first. Tells the turns of one step apart. */
  loopIndex: number[];
}

export interface RunStarted {
  kind: 'RunStarted';
  /** Methods and operators of the workflow. */
  methods: number;
  operators: number;
}

/** The connector that a step calls, as it was called when the run began. */
export interface CalledConnector {
  id: number;
  title: string;
}

export interface StepStarted extends Place {
  kind: 'StepStarted';
  name: string | null;
  label: string | null;
  /** Null where it calls none, and where that is not there. */
  connector: CalledConnector | null;
  methodType: string | null;
  attempt: number;
}

export interface StepFinished extends Place {
  kind: 'StepFinished';
  name: string | null;
  methodType: string | null;
  attempt: number;
  state: StepState;
  /** Of the remote answer, null when there was none. */
  statusCode: number | null;
  durationMs: number;
  error: StepError | null;
  /** Only with `recordSegments`. */
  request?: RequestSegment;
  response?: ResponseSegment;
}

export interface ConditionEvaluated extends Place {
  kind: 'ConditionEvaluated';
  expression: string;
  result: boolean;
}

/** A condition or a loop that could not be evaluated; it ends the run. Such a loop has not begun. */
export interface OperatorFailed extends Place {
  kind: 'OperatorFailed';
  operator: 'if' | 'loop';
  /** What could not be evaluated, as it was saved. */
  expression: string;
  /** Null of a condition. */
  iterator: string | null;
  error: StepError;
}

/** A loop begins, also one that has nothing to go over; `loopIndex` names the loops around it, not itself. */
export interface LoopStarted extends Place {
  kind: 'LoopStarted';
  iterator: string;
  /** The turns it will have. */
  size: number;
}

/** A loop came to its end; one that a failure or a stop ended has none. */
export interface LoopFinished extends Place {
  kind: 'LoopFinished';
  turns: number;
}

/** One turn of a loop with a method in its body, at any depth; the turns of others are only counted. */
export interface LoopIteration extends Place {
  kind: 'LoopIteration';
  iterator: string;
  /** From 0. */
  turn: number;
  size: number;
  /** The value of the iterator: index, key or part. Keys and parts are data, so they are null without `recordSegments`. */
  value: string | number | null;
}

export interface RunLog {
  kind: 'RunLog';
  level: 'INFO' | 'WARN';
  stepId: string | null;
  index: string | null;
  message: string;
}

export interface RunFinished {
  kind: 'RunFinished';
  state: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  error: RunError | null;
  steps: number;
  durationMs: number;
}

export type RunEvent =
  | RunStarted
  | StepStarted
  | StepFinished
  | ConditionEvaluated
  | OperatorFailed
  | LoopStarted
  | LoopIteration
  | LoopFinished
  | RunLog
  | RunFinished;

/** Where an event stands in its run: numbered from 1 without gaps. */
export interface EventPlace {
  readonly sequence: number;
  readonly at: Date;
}
