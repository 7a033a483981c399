/** Public API of the engine. */
export { runWorkflow } from './run-workflow';
export { readParameters } from './reference/webhook-parameter';
export { parameterProblems } from './reference/webhook-parameter';
export { holdsRoundedNumber } from './exact-json';
export { xmlParameters } from './reference/xml-path';
export { headerValue, isHeaderOfConnection } from './request/headers';
export { WEBHOOK_TYPES } from './reference/reference';
export { describeStep, nameField } from './plan/step-name';
export { validateWithReads, validateWorkflowSteps } from './plan/validate';
export { MOST_PROBLEMS, STEP_PROBLEM_CODES } from './plan/problems';
export type { StepProblem, StepProblemCode } from './plan/problems';
export { AVAILABILITIES, stepsVisibleFrom } from './plan/visible-steps';
export type { SurroundingLoop, VisibleStep } from './plan/visible-steps';
export { implicitIterator } from './plan/read-operator';
export {
  renamedInExpression,
  renamedInPath,
  renamedInText,
  renamedInVariables,
} from './reference/rename';
export type { Renames } from './reference/rename';
export { conditionToExpression } from './plan/condition';
export { expressionToCondition, isSameCondition } from './plan/condition-of-expression';
export type { OperatorCondition } from './plan/condition-of-expression';
export { wrapBareBody } from './request/body-format';
export { bindingPlaces } from './scripts/binding-places';
export type { BindingPlace } from './scripts/binding-places';
export { parseExpression, parseLoop } from './expression/parse';
export { EXPRESSION_OPERATORS } from './expression/operators';
export type { ExpressionOperator, OperatorForm, OperatorKind } from './expression/operators';
export {
  ExpressionFormError,
  expressionToForm,
  formToExpression,
  LOOP_KINDS,
  OPERAND_KINDS,
} from './expression/form';
export type {
  ConditionForm,
  ConditionGroup,
  ConditionItem,
  ConditionRule,
  ExpressionForm,
  ExpressionOperand,
  LoopForm,
} from './expression/form';
export { printExpression, printLoop } from './expression/tree';
export type { Expression, LoopExpression } from './expression/tree';
export { ENGINE_ERROR_CODES } from './error-codes';
export type { EngineErrorCode } from './error-codes';
export { EngineError, ExpressionError } from './errors';
export { HTTP_METHODS, httpMethodOf, OPERATOR_TYPES, operatorTypeOf } from './plan/plan';
export type { HttpMethod, OperatorType, ReadReference } from './plan/plan';
export { DEFAULT_LIMITS } from './run/context';
export { withEmptyAnswer, withoutLastStep } from './run/journal-lines';
export type * from './events';
export { copiedInput, previewBinding, previewTexts } from './samples/preview';
export type * from './samples/preview';
export { readSampleBody } from './samples/sample';
export { toJson } from './value';
export { replaceTexts } from './run/event-texts';
export type * from './ports';
export type { NamedSecret } from '../platform/secrets';
export type * from './snapshot';
export { STEP_TYPE_NAMES, STEP_TYPES, stepTypeOf } from './step-types';
export type { StepType } from './step-types';
export type { ValueMap } from './value';
export type * from './aggregators/run-aggregator';
export { connectorUses } from './connector/connector-needs';
export type { ConnectorUse } from './connector/connector-needs';
export { connectorNeeds } from './connector/connector-needs';
export { secretsOfCalls } from './connector/connector-needs';
export { suspensionMessage } from './connector/connector-call';
export { FieldReach } from './connector/field-reach';
export type * from './connector/invoker-facts';
