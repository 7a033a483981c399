import type { EngineError } from '../errors';
import type { ScriptVariable } from './variables';

/** A script to evaluate before the request is built; its result is a source of kind `script`. */
export interface StepScript {
  /** Path in the workflow: `fieldBinding.0`. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
  readonly variables: readonly ScriptVariable[];
  /** Error if the result has no target. */
  readonly misplaced: EngineError | null;
}
