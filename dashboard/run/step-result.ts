import type { RunState } from '../generated/operations';

/** One attempt of a method. */
export interface Attempt {
  readonly startedAt: string;
  readonly durationMs: number | null;
}

/** Result of a step in one iteration of its enclosing loops. */
export interface StepResult {
  readonly loopIndex: readonly number[];
  readonly state: RunState;
  /** Start of the last attempt. */
  readonly startedAt: string;
  readonly attempts: number;
  /** The attempts before the last one, oldest first. */
  readonly earlierAttempts: readonly Attempt[];
  /** Sequence number of the event that ended it. */
  readonly finishedSequence: number | null;
  /** For a call that was read from the log: its element id. */
  readonly elementId: string | null;
  readonly durationMs: number | null;
  readonly statusCode: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Set only for conditions. */
  readonly result: boolean | null;
  /** For a loop: the total number of iterations, and how many have started. */
  readonly size: number | null;
  readonly startedIterations: number;
}

export interface StepResults {
  readonly index: string;
  name: string | null;
  kind: 'method' | 'if' | 'loop';
  readonly results: Map<string, StepResult>;
  /** Number of starts, including those no longer kept. */
  starts: number;
  failures: number;
  /**
   * For a loop: the item of each iteration. The oldest are dropped, with the same limit as results.
   */
  readonly values: Map<string, unknown>;
  /** For a loop: the start of each iteration, with the same limit. */
  readonly iterationStarts: Map<string, string>;
  /** The newest iterations whose results were dropped. */
  droppedUpTo: readonly number[] | null;
}

export interface EngineMessage {
  readonly sequence: number;
  readonly at: string;
  readonly level: 'INFO' | 'WARN';
  readonly message: string;
  readonly index: string | null;
}
