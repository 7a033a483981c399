import type { WorkflowSnapshot } from '../snapshot';
import { planSteps } from './build';
import type { Plan } from './plan';
import type { StepProblem } from './problems';

/** Returns all problems of the steps in walking order; empty if the workflow can run. */
export const validateWorkflowSteps = (snapshot: WorkflowSnapshot): StepProblem[] =>
  planSteps(snapshot, null).problems;

/** The same with what else a check needs, for `POST /connection/validate`. */
export const validateWithReads = (
  snapshot: WorkflowSnapshot,
): Pick<Plan, 'problems' | 'reads' | 'disabled'> => planSteps(snapshot, null);
