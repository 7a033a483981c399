import type { WorkflowSnapshot } from '../snapshot';
import { atOnce } from '../turns';
import type { Steps, Turn } from '../turns';
import { planSteps } from './build';
import type { StepProblem } from './problems';

/** Everything that is wrong with the steps of a workflow, in walking order; empty when it could run. */
export const validateWorkflowSteps = (snapshot: WorkflowSnapshot): StepProblem[] =>
  atOnce((turn) => validateInTurns(snapshot, turn));

/** The same in turns: yields when `turn.over`. For `POST /connection/validate`. */
export function* validateInTurns(snapshot: WorkflowSnapshot, turn: Turn): Steps<StepProblem[]> {
  return (yield* planSteps(snapshot, turn, null)).problems;
}
