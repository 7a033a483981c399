import type { WorkflowSnapshot } from '../snapshot';
import { runWithoutYielding } from '../../platform/event-loop';
import type { Yielding, TimeSlice } from '../../platform/event-loop';
import { planSteps } from './build';
import type { Plan } from './plan';
import type { StepProblem } from './problems';

/** Returns all problems of the steps in walking order; empty if the workflow can run. */
export const validateWorkflowSteps = (snapshot: WorkflowSnapshot): StepProblem[] =>
  runWithoutYielding((slice) => validateInTurns(snapshot, slice)).problems;

/** The same in time slices, for `POST /connection/validate`, with the references of the steps. */
export function* validateInTurns(
  snapshot: WorkflowSnapshot,
  slice: TimeSlice,
): Yielding<Pick<Plan, 'problems' | 'reads'>> {
  return yield* planSteps(snapshot, slice, null);
}
