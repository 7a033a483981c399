import type { ErrorCode } from '../../../platform/errors/codes';
import { DomainError, reasonsOf } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import type { Findings } from '../../../platform/errors/findings';
import { isJsonObject } from '../json';
import type { JsonObject } from '../json';
import { nameOfStep, NO_STEP, problemAt, WORKFLOW_PROBLEM_CODES } from './problem';
import type { WorkflowProblem, WorkflowProblemCode } from './problem';

/** What a save would be refused for, as problems of the steps it is about. Empty expressions are left to the engine, which knows their place in the order. */
export function shapeProblems(found: Findings, shape: JsonObject): WorkflowProblem[] {
  return reasonsAmong(found).flatMap(({ code, path, message }) => {
    if (code === 'OPERATOR_EXPRESSION_IS_EMPTY') return [];
    const [container, list, position, ...rest] = path;
    const step = container === 'fromConnector' && typeof position === 'number' ? stepAt(shape, String(list), position) : undefined;
    const field = step === undefined || rest.length === 0 ? path : rest;
    return [problemAt(step === undefined ? NO_STEP : nameOfStep(step), fieldOf(field), knownCode(code), message)];
  });
}

function reasonsAmong(found: Findings): ReturnType<typeof reasonsOf> {
  try {
    found.refuse();
    return [];
  } catch (error) {
    if (error instanceof DomainError) return reasonsOf(error);
    throw error;
  }
}

function stepAt({ fromConnector }: JsonObject, list: string, position: number): unknown {
  const steps = isJsonObject(fromConnector) ? fromConnector[list] : undefined;
  return Array.isArray(steps) ? steps[position] : undefined;
}

const fieldOf = (path: InputPath): string | null => (path.length === 0 ? null : path.join('.'));

const knownCode = (code: ErrorCode): WorkflowProblemCode => (code in WORKFLOW_PROBLEM_CODES ? code as WorkflowProblemCode : 'WORKFLOW_INVALID');
