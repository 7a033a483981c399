import { beginsLoop, parseExpression, parseLoop, relationOf, unaryOf } from './parse';
import type { Expression, LoopExpression } from './tree';
import { printExpression, printLoop } from './tree';

/** Kinds of operands in forms, with descriptions. */
export const OPERAND_KINDS = {
  TEXT: 'A text, without quotes.',
  NUMBER: 'A number.',
  BOOLEAN: '`true` or `false`.',
  NULL: 'No value; the text is `null`.',
  REFERENCE: 'A part of the request or response of a step: `{%#RRGGBB.(response).body.id%}`.',
  EXPRESSION: 'Any other expression, such as `i + 1`, `[1, 2]` or `${id}`.',
} as const;

export interface ExpressionOperand {
  readonly kind: keyof typeof OPERAND_KINDS;
  readonly text: string;
}

/** `left operator right`, or `left operator` for tests of one value. */
export interface ConditionRule {
  readonly left: ExpressionOperand;
  readonly operator: string;
  readonly right?: ExpressionOperand | null;
}

export interface ConditionGroup {
  readonly joinedBy: 'AND' | 'OR';
  readonly rules: readonly ConditionRule[];
}

/** Either a rule or a group. */
export interface ConditionItem {
  readonly rule?: ConditionRule | null;
  readonly group?: ConditionGroup | null;
}

export interface ConditionForm {
  readonly joinedBy: 'AND' | 'OR';
  readonly items: readonly ConditionItem[];
}

export const LOOP_KINDS = {
  FOR: 'Once per element of a list.',
  FOR_IN: 'Once per field of an object.',
  SPLIT_STRING: 'Once per part of a text.',
} as const;

export interface LoopForm {
  readonly kind: keyof typeof LOOP_KINDS;
  readonly list: ExpressionOperand;
  readonly delimiter?: string | null;
}

/** An expression as a form: either a loop or a condition. */
export interface ExpressionForm {
  readonly loop?: LoopForm | null;
  readonly condition?: ConditionForm | null;
}

/**
 * Returns the form that means the same as an expression; null if it is more than a form can show. A
 * bare list or reference is the list of a loop.
 * @throws ExpressionError the text is no expression
 */
export function expressionToForm(text: string): ExpressionForm | null {
  if (beginsLoop(text)) return loopForm(parseLoop(text));
  const expression = parseExpression(text);
  switch (expression.kind) {
    case 'or':
    case 'and':
    case 'relation':
    case 'unary': {
      const condition = conditionForm(expression);
      return condition && { loop: null, condition };
    }
    case 'reference':
    case 'webhook':
    case 'iterator':
    case 'list':
      return loopForm({ kind: 'For', over: expression });
    case 'literal':
    case 'not':
    case 'sum':
    case 'product':
      return null;
  }
}

const KIND_OF_LOOP = { For: 'FOR', ForIn: 'FOR_IN', SplitString: 'SPLIT_STRING' } as const;

function loopForm(loop: LoopExpression): ExpressionForm | null {
  const list = operandOf(loop.over);
  if (loop.kind !== 'SplitString')
    return { loop: { kind: KIND_OF_LOOP[loop.kind], list, delimiter: null }, condition: null };
  const { delimiter } = loop;
  if (delimiter.kind !== 'literal' || typeof delimiter.value !== 'string') return null;
  return { loop: { kind: 'SPLIT_STRING', list, delimiter: delimiter.value }, condition: null };
}

function conditionForm(expression: Expression): ConditionForm | null {
  const { joinedBy, operands } = partsOf(expression);
  const items = operands.map((operand): ConditionItem | null => {
    const rule = ruleOf(operand);
    if (rule !== null) return { rule, group: null };
    if (operand.kind !== 'and' && operand.kind !== 'or') return null;
    const parts = partsOf(operand);
    const rules = parts.operands.map(ruleOf);
    return hasAll(rules) ? { rule: null, group: { joinedBy: parts.joinedBy, rules } } : null;
  });
  return hasAll(items) ? { joinedBy, items } : null;
}

const hasAll = <T>(values: readonly (T | null)[]): values is readonly T[] => !values.includes(null);

const partsOf = (expression: Expression) =>
  expression.kind === 'or' || expression.kind === 'and'
    ? {
        joinedBy: expression.kind === 'or' ? ('OR' as const) : ('AND' as const),
        operands: expression.operands,
      }
    : { joinedBy: 'AND' as const, operands: [expression] };

function ruleOf(expression: Expression): ConditionRule | null {
  if (expression.kind === 'unary')
    return { left: operandOf(expression.operand), operator: expression.name, right: null };
  if (expression.kind !== 'relation') return null;
  const { left, name, right } = expression;
  return { left: operandOf(left), operator: name, right: operandOf(right) };
}

function operandOf(expression: Expression): ExpressionOperand {
  if (expression.kind === 'literal' && typeof expression.value === 'string')
    return { kind: 'TEXT', text: expression.value };
  return { kind: kindOf(expression), text: printExpression(expression) };
}

function kindOf(expression: Expression): ExpressionOperand['kind'] {
  if (expression.kind === 'reference') return 'REFERENCE';
  if (expression.kind !== 'literal') return 'EXPRESSION';
  if (expression.value === null) return 'NULL';
  return typeof expression.value === 'boolean' ? 'BOOLEAN' : 'NUMBER';
}

/**
 * Returns the expression that a form means.
 * @throws ExpressionFormError
 * @throws ExpressionError the text of an operand is no expression
 */
export function formToExpression({ loop, condition }: ExpressionForm): string {
  // The result is parsed: operands that are valid alone may be too long or too deep together.
  if (loop != null && condition == null) return parsing(printLoop(loopOfForm(loop)), parseLoop);
  if (condition != null && loop == null)
    return parsing(printExpression(conditionOfForm(condition)), parseExpression);
  throw invalidForm('An expression is either a loop or a condition.');
}

function parsing(text: string, parse: (text: string) => unknown): string {
  parse(text);
  return text;
}

function loopOfForm({ kind, list, delimiter }: LoopForm): LoopExpression {
  const over = expressionOf(list);
  if (kind !== 'SPLIT_STRING') return { kind: kind === 'FOR' ? 'For' : 'ForIn', over };
  if (delimiter == null) throw invalidForm('A text is split at a delimiter, which is missing.');
  return { kind: 'SplitString', over, delimiter: { kind: 'literal', value: delimiter } };
}

const conditionOfForm = ({ joinedBy, items }: ConditionForm): Expression =>
  chainOf(
    joinedBy,
    items.map(({ rule, group }) => {
      if (rule != null && group == null) return expressionOfRule(rule);
      if (group != null && rule == null)
        return chainOf(group.joinedBy, group.rules.map(expressionOfRule));
      throw invalidForm('An item of a condition is either a rule or a group.');
    }),
  );

function chainOf(joinedBy: 'AND' | 'OR', operands: readonly Expression[]): Expression {
  const [first] = operands;
  if (first === undefined) throw invalidForm('A condition needs at least one rule.');
  return operands.length === 1 ? first : { kind: joinedBy === 'OR' ? 'or' : 'and', operands };
}

function expressionOfRule({ left, operator, right }: ConditionRule): Expression {
  const unary = unaryOf(operator);
  if (unary !== undefined) {
    if (right != null) throw invalidForm(`${unary} has no value on its right side.`);
    return { kind: 'unary', name: unary, operand: expressionOf(left) };
  }
  const name = relationOf(operator);
  if (name === undefined)
    throw invalidForm(`There is no operator ${JSON.stringify(operator.slice(0, 40))}.`);
  if (right == null) throw invalidForm(`${name} needs a value on its right side.`);
  return { kind: 'relation', name, left: expressionOf(left), right: expressionOf(right) };
}

function expressionOf({ kind, text }: ExpressionOperand): Expression {
  if (kind === 'TEXT') return { kind: 'literal', value: text };
  if (kind === 'NULL') return { kind: 'literal', value: null };
  const expression = parseExpression(text);
  if (kind !== 'EXPRESSION' && kindOf(expression) !== kind)
    throw invalidForm(`${JSON.stringify(text.slice(0, 40))} is not of the kind ${kind}.`);
  return expression;
}

/** A form that describes no expression. */
export class ExpressionFormError extends Error {}

const invalidForm = (message: string): ExpressionFormError => new ExpressionFormError(message);
