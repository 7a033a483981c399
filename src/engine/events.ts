/**
 * What ended a run. `step` is the id of the method or operator; null: the run failed as a whole.
 */
export interface RunError {
  step: string | null;
  /** Name of the step as users know it; missing if it has none. */
  name?: string;
  index: string | null;
  /** Iterations (from 0) of the enclosing loops, outermost first. */
  loopIndex?: readonly number[];
  /** 1 for the first attempt. */
  attempt: number;
  /** Code of `ENGINE_ERROR_CODES` or of a port, such as `OUTBOUND_TIMEOUT`. */
  code: string;
  /**
   * For users: the step, and method, URL without query and status of the failed call. Without
   * secrets.
   */
  message: string;
}

export type StepState = 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

/** Error of one step; the event that contains it has the location. */
export interface StepError {
  code: string;
  message: string;
}

/** The request with secrets masked and the payload truncated. */
export interface RequestSegment {
  url: string;
  method: string;
  header: Record<string, string>;
  payload: string;
}

/** The response with secrets masked and the payload truncated. */
export interface ResponseSegment {
  status: number;
  durationMs: number;
  header: Record<string, string>;
  payload: string;
}

/** The request and the response of one step. */
export interface RecordedExchange {
  request: RequestSegment;
  /** Missing if there was no response. */
  response?: ResponseSegment;
}

/** What a step sent and received, in place of a call; masked, and cut if it is long. */
export interface Sample {
  readonly request: RequestSegment | null;
  readonly response: ResponseSegment | null;
}

/** The step that an event belongs to. */
export interface Place {
  stepId: string | null;
  index: string;
  /** Iterations (from 0) of the enclosing loops, outermost first. */
  loopIndex: number[];
}

export interface RunStarted {
  kind: 'RunStarted';
  /** Methods and operators of the workflow. */
  methods: number;
  operators: number;
}

/** The connector of a step, with its title at the start of the run. */
export interface CalledConnector {
  id: number;
  title: string;
}

export interface StepStarted extends Place {
  kind: 'StepStarted';
  name: string | null;
  label: string | null;
  /** Null if the step calls no connector, or it does not exist. */
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
  /** Status of the response; null if there was none. */
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

/** A condition or loop expression failed, which ends the run; `LoopStarted` is not emitted. */
export interface OperatorFailed extends Place {
  kind: 'OperatorFailed';
  operator: 'if' | 'loop';
  /** The expression as saved. */
  expression: string;
  /** Null for a condition. */
  iterator: string | null;
  error: StepError;
}

/** Also emitted for a loop without iterations. `loopIndex` excludes the loop itself. */
export interface LoopStarted extends Place {
  kind: 'LoopStarted';
  /** The expression as saved; missing in events of older versions. */
  expression?: string;
  iterator: string;
  /** Number of iterations. */
  size: number;
}

/** Not emitted if a failure or a stop ended the loop. */
export interface LoopFinished extends Place {
  kind: 'LoopFinished';
  turns: number;
}

/** One iteration; emitted only for loops that contain a method at any depth. */
export interface LoopIteration extends Place {
  kind: 'LoopIteration';
  iterator: string;
  /** From 0. */
  turn: number;
  size: number;
  /** Value of the iterator. Keys and parts are data: null without `recordSegments`. */
  value: string | number | null;
}

export interface RunLog {
  kind: 'RunLog';
  level: 'INFO' | 'WARN';
  stepId: string | null;
  index: string | null;
  /** As in `Place`; missing in warnings of aggregators, which run after the steps. */
  loopIndex?: number[];
  message: string;
  /** `REFERENCE_EMPTY`: the step read a part of a response that is not there. */
  code?: 'REFERENCE_EMPTY';
  /** The reference that is empty. */
  path?: string;
  /** Names that are there instead. */
  keys?: string[];
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

/** Position of an event in its run; sequence numbers start at 1 without gaps. */
export interface EventPlace {
  readonly sequence: number;
  readonly at: Date;
}
