/** What the rest of the service may use of the engine. */
export { runWorkflow } from './run-workflow';
export { validateInTurns, validateWorkflowSteps } from './plan/validate';
export { MOST_PROBLEMS, STEP_PROBLEM_CODES } from './plan/problems';
export type { StepProblem, StepProblemCode } from './plan/problems';
export { conditionToExpression } from './plan/condition';
export { parseExpression, parseLoop } from './expression/parse';
export { printExpression, printLoop } from './expression/print';
export type { Expression, LoopExpression } from './expression/tree';
export { ENGINE_ERROR_CODES } from './error-codes';
export type { EngineErrorCode } from './error-codes';
export { EngineError, ExpressionError } from './errors';
export { HTTP_METHODS, OPERATOR_TYPES, operatorTypeOf } from './kinds';
export type { HttpMethod, OperatorType } from './kinds';
export { DEFAULT_LIMITS } from './run/context';
export type * from './events';
export type * from './ports';
export type { NamedSecret } from '../platform/secrets';
export type * from './snapshot';
