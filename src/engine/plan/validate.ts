import type { WorkflowSnapshot } from '../snapshot';
import { atOnce } from '../turns';
import type { Steps, Turn } from '../turns';
import { planSteps } from './build';
import type { StepProblem } from './problems';

/** Returns all problems of the steps in walking order; empty if the workflow can run. */
export const validateWorkflowSteps = (snapshot: WorkflowSnapshot): StepProblem[] =>
  atOnce((turn) => validateInTurns(snapshot, turn));

/** The same in time slices, for `POST /connection/validate`. */
export function* validateInTurns(snapshot: WorkflowSnapshot, turn: Turn): Steps<StepProblem[]> {
  return (yield* planSteps(snapshot, turn, null)).problems;
}
