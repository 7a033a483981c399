import { isKeyword, parseExpression, parseLoop } from '../expression/parse';
import { operatorTypeOf } from './plan';
import type { LoopNode, OperatorType } from './plan';
import type { OperatorDoc } from '../snapshot';
import { conditionToExpression } from './condition';
import type { ProblemReport } from './problems';

const ITERATOR = /^[A-Za-z_][A-Za-z0-9_]*$/;
const LETTERS = 'ijklmnopqrstuvwxyz';

export function operatorKind(operator: OperatorDoc, report: ProblemReport): OperatorType | null {
  const type = operatorTypeOf(operator.type);
  if (type !== null) return type;
  report.add(
    'OPERATOR_TYPE_UNKNOWN',
    'type',
    `An operator is of the type if or loop, not ${JSON.stringify(operator.type ?? null)}.`,
  );
  return null;
}

/** Returns the expression, or for 4.x documents the converted condition. */
export function operatorText(operator: OperatorDoc): string {
  const text = operator.expression?.trim() ?? '';
  return text === '' ? (conditionToExpression(operator) ?? '') : text;
}

export function readCondition(
  text: string,
  report: ProblemReport,
): ReturnType<typeof parseExpression> | null {
  return report.attempt('expression', 'EXPRESSION_SYNTAX', () => parseExpression(text));
}

export function readLoop(text: string, report: ProblemReport): ReturnType<typeof parseLoop> | null {
  return report.attempt('expression', 'EXPRESSION_SYNTAX', () => parseLoop(text));
}

/** Default loop variable by depth: i, j, k, ..., then ii, jj, ... */
export function implicitIterator(depth: number): string {
  return LETTERS.charAt(depth % LETTERS.length).repeat(1 + Math.floor(depth / LETTERS.length));
}

/** Returns the configured loop variable, or the default one. */
export function readIterator(
  operator: OperatorDoc,
  around: readonly LoopNode[],
  report: ProblemReport,
): string {
  const iterator = operator.iterator?.trim() || implicitIterator(around.length);
  if (!ITERATOR.test(iterator) || isKeyword(iterator)) {
    report.add(
      'ITERATOR_INVALID',
      'iterator',
      `${JSON.stringify(iterator)} cannot be the name of a loop variable.`,
    );
  } else if (around.some((loop) => loop.iterator === iterator)) {
    report.add(
      'ITERATOR_INVALID',
      'iterator',
      `The loop variable "${iterator}" is already used by a loop around this one.`,
    );
  }
  return iterator;
}
