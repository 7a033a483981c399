import {
  EngineError,
  ExpressionError,
  ExpressionFormError,
  expressionToForm,
  formToExpression,
} from '../../../engine';
import type { ExpressionForm } from '../../../engine';
import { BadInput } from '../../../platform/errors/errors';
import type { WorkflowProblem } from '../validation/problem';

/** Why a text is no expression. */
export type ExpressionProblem = Pick<WorkflowProblem, 'code' | 'message' | 'line' | 'column'>;

export interface ExpressionFormResult {
  /** Null if the text is invalid, or more than a form can show. */
  readonly form: ExpressionForm | null;
  readonly problem: ExpressionProblem | null;
}

/** The form of an expression, or why the text is none. */
export function readExpressionForm(text: string): ExpressionFormResult {
  const failed = (
    code: ExpressionProblem['code'],
    message: string,
    { line = null, column = null }: { line?: number | null; column?: number | null } = {},
  ): ExpressionFormResult => ({ form: null, problem: { code, message, line, column } });
  if (text.trim() === '') return failed('OPERATOR_EXPRESSION_IS_EMPTY', 'The expression is empty.');
  try {
    return { form: expressionToForm(text), problem: null };
  } catch (error) {
    if (error instanceof ExpressionError) return failed(error.code, error.message, error);
    if (error instanceof EngineError) return failed('EXPRESSION_SYNTAX', error.message);
    throw error;
  }
}

/**
 * The expression that a form means.
 * @throws BadInput EXPRESSION_FORM_INVALID
 */
export function expressionOfForm(form: ExpressionForm): string {
  try {
    return formToExpression(form);
  } catch (error) {
    if (
      error instanceof ExpressionFormError ||
      error instanceof ExpressionError ||
      error instanceof EngineError
    )
      throw new BadInput('EXPRESSION_FORM_INVALID', error.message, { path: ['form'] });
    throw error;
  }
}
