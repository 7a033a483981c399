import { ExpressionError } from '../errors';
import { parseExpression, parseLoop } from '../expression/parse';
import { RELATIONS } from '../expression/operators';
import { printExpression, printLoop } from '../expression/tree';
import type { Expression, LoopExpression } from '../expression/tree';
import { printReference, printWebhookParameter } from '../reference/reference';
import type { Reference } from '../reference/reference';
import { CONTAINS_FAMILY, conditionToExpression } from './condition';

/** One side of a condition of the 4.x line. */
interface ConditionStatement {
  readonly color: string;
  readonly type: string;
  readonly field: string | number;
  readonly rightPropertyValue: string;
}

/** The condition of a 4.x operator. */
export interface OperatorCondition {
  readonly leftStatement: ConditionStatement;
  readonly relationalOperator: string;
  readonly rightStatement: ConditionStatement;
}

/**
 * Converts an expression to the condition of a 4.x operator; returns null if no condition means the
 * same. The 4.x line has no name for the body of every response, so `body` becomes `success`.
 */
export function expressionToCondition(
  type: string | null | undefined,
  text: string,
): OperatorCondition | null {
  const isLoop = isLoopType(type);
  const condition = orNull(() =>
    isLoop ? ofLoop(parseLoop(text)) : ofRelation(parseExpression(text)),
  );
  const back = condition && conditionToExpression({ type, condition });
  return back != null && isSameCondition(type, back, text) ? condition : null;
}

/**
 * Returns whether two expressions are the same condition for a 4.x client: they differ at most in
 * how they are written, and in `body` and `success`.
 */
export function isSameCondition(
  type: string | null | undefined,
  one: string,
  other: string,
): boolean {
  if (one === other) return true;
  const print = (text: string): string | null =>
    orNull(() =>
      isLoopType(type)
        ? printLoop(comparableLoop(parseLoop(text)))
        : printExpression(comparable(parseExpression(text))),
    );
  const printed = print(one);
  return printed !== null && printed === print(other);
}

const isLoopType = (type: string | null | undefined): boolean => type?.toLowerCase() === 'loop';

function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

const EMPTY: ConditionStatement = { color: '', type: '', field: '', rightPropertyValue: '' };

function ofLoop(loop: LoopExpression): OperatorCondition | null {
  const leftStatement = statement(loop.over);
  const delimiter = loop.kind === 'SplitString' ? statement(loop.delimiter) : EMPTY;
  if (leftStatement === null || delimiter === null) return null;
  return { leftStatement, relationalOperator: LOOP_NAMES[loop.kind], rightStatement: delimiter };
}

/** The 4.x client knows a loop over a list by its empty name. */
const LOOP_NAMES = { For: '', ForIn: 'forin', SplitString: 'SplitString' } as const;

function ofRelation(written: Expression): OperatorCondition | null {
  const expression = comparable(written, false);
  if (expression.kind === 'unary') {
    const leftStatement = statement(expression.operand);
    return (
      leftStatement && { leftStatement, relationalOperator: expression.name, rightStatement: EMPTY }
    );
  }
  if (expression.kind !== 'relation') return null;
  const { name, left, right } = expression;
  const isContains = CONTAINS_FAMILY.has(name.toLowerCase());
  const leftStatement = isContains ? listStatement(left) : statement(left);
  const rightStatement = statement(right);
  if (leftStatement === null || rightStatement === null) return null;
  return {
    leftStatement,
    relationalOperator: name === 'Matches' ? 'RegExp' : name,
    rightStatement,
  };
}

/** The left side of the `Contains` family: a list, and the name of a property of its elements. */
function listStatement(expression: Expression): ConditionStatement | null {
  if (expression.kind === 'reference') {
    const { segments } = expression.reference;
    const last = segments.at(-1);
    const isInList = segments.slice(0, -1).some(({ kind }) => kind !== 'field' && kind !== 'key');
    if (last?.kind === 'field' && isInList) {
      const list = { ...expression.reference, segments: segments.slice(0, -1) };
      const shown = statement({ kind: 'reference', reference: list });
      return shown && { ...shown, rightPropertyValue: last.name };
    }
  }
  return statement(expression);
}

/** Returns null for an expression that is more than one value. */
function statement(expression: Expression): ConditionStatement | null {
  switch (expression.kind) {
    case 'reference':
      return ofReference(expression.reference);
    case 'webhook':
      return { ...EMPTY, field: printWebhookParameter(expression.parameter) };
    case 'literal':
      return ofLiteral(expression.value);
    case 'or':
    case 'and':
    case 'not':
    case 'relation':
    case 'unary':
    case 'sum':
    case 'product':
    case 'list':
    case 'iterator':
      return null;
  }
}

const ofLiteral = (
  value: Extract<Expression, { kind: 'literal' }>['value'],
): ConditionStatement | null =>
  value === null ? null : { ...EMPTY, field: typeof value === 'number' ? value : String(value) };

const REQUEST = /^#.{6}\.\(request\)\.?/;
const RESPONSE = /^#.{6}\.\(response\)\./;

/** The 4.x line has no references to headers and the status. */
function ofReference(reference: Reference): ConditionStatement | null {
  const { color, part } = reference;
  if (part === 'header' || part === 'status') return null;
  if (part === 'request')
    return {
      ...EMPTY,
      color,
      type: 'request',
      field: printReference(reference).replace(REQUEST, ''),
    };
  const shown = printReference(asSuccess(reference)).replace(RESPONSE, '');
  return { ...EMPTY, color, type: 'response', field: shown };
}

const asSuccess = (reference: Reference): Reference =>
  reference.part === 'body' ? { ...reference, part: 'success' } : reference;

/**
 * Removes differences that a condition does not express. Constants of conditions are texts, which
 * every relation treats like the number or boolean on its right side.
 */
function comparable(expression: Expression, isTextual = true): Expression {
  const inner = (part: Expression): Expression => comparable(part, isTextual);
  switch (expression.kind) {
    case 'reference':
      return { kind: 'reference', reference: asSuccess(expression.reference) };
    case 'or':
    case 'and':
      return { ...expression, operands: expression.operands.map(inner) };
    case 'not':
    case 'unary':
      return { ...expression, operand: inner(expression.operand) };
    case 'relation': {
      const { name } = expression;
      const [left, right] = [inner(expression.left), inner(expression.right)];
      if (right.kind === 'literal' && right.value === null && (name === '=' || name === '!='))
        return { kind: 'unary', name: name === '=' ? 'IsNull' : 'NotNull', operand: left };
      if (!isTextual) return { ...expression, left, right };
      return {
        kind: 'relation',
        name,
        left: RELATIONS[name].kind === 'comparison' ? asText(left) : left,
        right: asText(right),
      };
    }
    case 'sum':
    case 'product':
      return {
        ...expression,
        first: inner(expression.first),
        rest: expression.rest.map(({ sign, value }) => ({ sign, value: inner(value) })),
      };
    case 'list':
      return { ...expression, items: expression.items.map(inner) };
    case 'literal':
    case 'webhook':
    case 'iterator':
      return expression;
  }
}

const comparableLoop = (loop: LoopExpression): LoopExpression =>
  loop.kind === 'SplitString'
    ? { ...loop, over: comparable(loop.over), delimiter: comparable(loop.delimiter) }
    : { ...loop, over: comparable(loop.over) };

function asText(expression: Expression): Expression {
  if (expression.kind !== 'literal' || expression.value === null) return expression;
  const { value } = expression;
  return Object.is(value, -0) ? expression : { kind: 'literal', value: String(value) };
}
