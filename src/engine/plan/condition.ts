import { unaryOf } from '../expression/parse';
import { printText } from '../expression/tree';
import { ExpressionError } from '../errors';
import { inResponse, printReference, printWebhookParameter } from '../reference/reference';
import { parseTemplate, soleSources } from '../text/template';
import type { WrittenSource } from '../text/template';
import type { OperatorDoc } from '../snapshot';

interface Statement {
  readonly color: string;
  readonly type: string;
  readonly field: string;
  readonly rightPropertyValue: string;
}

/** For these relations the left side is one property of all elements. */
export const CONTAINS_FAMILY = new Set([
  'contains',
  'notcontains',
  'containssubstr',
  'notcontainssubstr',
]);
/** Valid spelling of a relation; other text could inject more of an expression. */
const RELATION = /^(?:[A-Za-z]+|[=<>!]+)$/;

/**
 * Converts the condition of a 4.x operator to an expression; returns null if there is none.
 * Statements with a colour become references, others literals, which may contain webhook
 * parameters.
 */
export function conditionToExpression(
  operator: Pick<OperatorDoc, 'type' | 'condition'>,
): string | null {
  const condition = recordOf(operator.condition);
  if (condition === null) return null;
  const left = statementOf(condition.leftStatement);
  const right = statementOf(condition.rightStatement);
  const relation = textOf(condition.relationalOperator).trim();
  if (left === null) return null;
  if (operator.type?.toLowerCase() === 'loop') return loopExpression(relation, left, right);
  if (!RELATION.test(relation)) return null;
  return ifExpression(relation, left, right);
}

function ifExpression(relation: string, left: Statement, right: Statement | null): string {
  const name = relation.toLowerCase();
  const property = left.rightPropertyValue || right?.rightPropertyValue || '';
  const subject =
    CONTAINS_FAMILY.has(name) && property !== ''
      ? { ...left, field: `${left.field}.${property}` }
      : left;
  if (unaryOf(name) !== undefined) return `(${operand(subject)} ${relation})`;
  return `(${operand(subject)} ${relation} ${right === null ? 'null' : operand(right)})`;
}

function loopExpression(relation: string, left: Statement, right: Statement | null): string {
  const name = relation.toLowerCase();
  if (name === 'splitstring')
    return `SplitString(${operand(left)}, ${right === null ? '""' : operand(right)})`;
  return `${name === 'forin' ? 'ForIn' : 'For'}(${operand(left)})`;
}

function operand(statement: Statement): string {
  if (statement.color === '') return constant(statement.field);
  const { color } = statement;
  const field = bracketed(statement.field);
  if (statement.type === 'request')
    return `{%${color}.(request)${field === '' ? '' : `.${field}`}%}`;
  return `{%${color}.(response).${inResponse(field)}%}`;
}

const NAME = /(?:^|\.)([^.[\]']+)(?=[.[]|$)/g;

/** Quotes names in a path that contain special characters of expressions. */
const bracketed = (path: string): string =>
  path.replace(NAME, (match, name: string) => (/[~%{}]/.test(name) ? `['${name}']` : match));

/**
 * Constants stay text, as in 4.x: `=` compares different types as text and `<` parses numeric text.
 * A single webhook parameter or reference keeps its type; combined with text it becomes text.
 */
function constant(text: string): string {
  try {
    const only = text === text.trim() ? soleSources(text) : null;
    if (only?.length === 1) return printSource(only[0]);
    const pieces = parseTemplate(text);
    if (pieces.every((piece) => typeof piece === 'string')) return printText(text);
    return `("" + ${pieces.map((piece) => (typeof piece === 'string' ? printText(piece) : printSource(piece))).join(' + ')})`;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    // Keep a broken reference broken, so that validation reports it: as text it would equal
    // nothing.
    return text.includes('{%') ? text.slice(text.indexOf('{%')) : `{%${text}%}`;
  }
}

/** Conditions cannot use secrets: the mark is plain text, as in 4.x. */
function printSource(source: WrittenSource): string {
  switch (source.kind) {
    case 'reference':
      return `{%${printReference(source.reference)}%}`;
    case 'webhook':
      return printWebhookParameter(source.parameter);
    case 'secret':
      return printText(`{%secret.${source.name}%}`);
    case 'given':
      return printText(`{${source.name}}`);
  }
}

function statementOf(value: unknown): Statement | null {
  const statement = recordOf(value);
  if (statement === null) return null;
  return {
    color: textOf(statement.color).trim(),
    type: textOf(statement.type),
    field: textOf(statement.field),
    rightPropertyValue: textOf(statement.rightPropertyValue),
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
