import type { EngineError } from '../errors';
import type { ScriptVariable } from './variables';

/** A script that a step needs before its request can be built. Its result stands in the request as a source of the kind `script`. */
export interface StepScript {
  /** Where the workflow says so: `fieldBinding.0`. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
  readonly variables: readonly ScriptVariable[];
  /** Why its result has nowhere to go. */
  readonly misplaced: EngineError | null;
}
