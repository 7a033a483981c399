import { printText } from '../expression/print';
import type { OperatorDoc } from '../snapshot';

interface Statement {
  readonly color: string;
  readonly type: string;
  readonly field: string;
  readonly rightPropertyValue: string;
}

/** Their left side is the list of one property of the elements. */
const CONTAINS_FAMILY = new Set(['contains', 'notcontains', 'containssubstr', 'notcontainssubstr']);
const UNARIES = new Set(['isnull', 'notnull', 'isempty', 'notempty']);

/**
 * The expression that says the same as the condition of a 4.x operator; null when there is no condition. Statements with a colour become
 * references, the others literals.
 */
export function conditionToExpression(operator: Pick<OperatorDoc, 'type' | 'condition'>): string | null {
  const condition = recordOf(operator.condition);
  if (condition === null) return null;
  const left = statementOf(condition.leftStatement);
  const right = statementOf(condition.rightStatement);
  const relation = textOf(condition.relationalOperator).trim();
  if (left === null) return null;
  if (operator.type?.toLowerCase() === 'loop') return loopExpression(relation, left, right);
  if (relation === '') return null;
  return ifExpression(relation, left, right);
}

function ifExpression(relation: string, left: Statement, right: Statement | null): string {
  const name = relation.toLowerCase();
  const property = left.rightPropertyValue || right?.rightPropertyValue || '';
  const subject = CONTAINS_FAMILY.has(name) && property !== '' ? { ...left, field: `${left.field}.${property}` } : left;
  if (UNARIES.has(name)) return `(${operand(subject)} ${relation})`;
  return `(${operand(subject)} ${relation} ${right === null ? 'null' : operand(right)})`;
}

function loopExpression(relation: string, left: Statement, right: Statement | null): string {
  const name = relation.toLowerCase();
  if (name === 'splitstring') return `SplitString(${operand(left)}, ${printText(right?.field ?? '')})`;
  return `${name === 'forin' ? 'ForIn' : 'For'}(${operand(left)})`;
}

/** Constants stay text: `=` compares across types as text and `<` reads numeric text as numbers, just as the 4.x line did. */
function operand(statement: Statement): string {
  if (statement.color === '') return printText(statement.field);
  const side = statement.type === 'request' ? '(request)' : '(response)';
  return `{%${statement.color}.${side}${statement.field === '' ? '' : `.${statement.field}`}%}`;
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

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '');
