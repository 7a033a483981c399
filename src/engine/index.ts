/** What the rest of the service may use of the engine. */
export { runWorkflow } from './run-workflow';
export { validateWorkflowSteps } from './plan/validate';
export { STEP_PROBLEM_CODES } from './plan/problems';
export type { StepProblem, StepProblemCode } from './plan/problems';
export { conditionToExpression } from './plan/condition';
export { parseExpression, parseLoop } from './expression/parse';
export { printExpression, printLoop } from './expression/print';
export type { Expression, LoopExpression } from './expression/tree';
export { EngineError, ExpressionError } from './errors';
export { DEFAULT_LIMITS } from './run/context';
export type * from './events';
export type * from './ports';
export type * from './snapshot';
