import type { WorkflowSnapshot } from '../snapshot';
import { runWithoutYielding } from '../../platform/event-loop';
import type { Yielding, TimeSlice } from '../../platform/event-loop';
import { planSteps } from './build';
import type { StepProblem } from './problems';

/** Returns all problems of the steps in walking order; empty if the workflow can run. */
export const validateWorkflowSteps = (snapshot: WorkflowSnapshot): StepProblem[] =>
  runWithoutYielding((slice) => validateInTurns(snapshot, slice));

/** The same in time slices, for `POST /connection/validate`. */
export function* validateInTurns(
  snapshot: WorkflowSnapshot,
  slice: TimeSlice,
): Yielding<StepProblem[]> {
  return (yield* planSteps(snapshot, slice, null)).problems;
}
