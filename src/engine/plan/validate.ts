import type { WorkflowSnapshot } from '../snapshot';
import { buildPlan } from './build';
import type { StepProblem } from './problems';

/** Everything that is wrong with the steps of a workflow; empty when it could run. For the save rule and `POST /connection/validate`. */
export function validateWorkflowSteps(snapshot: WorkflowSnapshot): StepProblem[] {
  return buildPlan(snapshot).problems;
}
