import type { ARITHMETIC, RELATIONS, UNARIES } from './operators';
import type { Reference, WebhookParameter } from '../reference/reference';
import { printReference, printWebhookParameter } from '../reference/reference';

/** Precedence, weakest first; an operand that does not bind stronger needs parentheses. */
const STRENGTH = { or: 1, and: 2, not: 3, relation: 4, unary: 4, sum: 5, product: 6 } as const;
const VALUE = 7;

/** Prints an expression; parsing the result gives the same tree. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'or':
      return expression.operands.map((operand) => at(operand, STRENGTH.and)).join(' || ');
    case 'and':
      return expression.operands.map((operand) => at(operand, STRENGTH.not)).join(' && ');
    case 'not':
      return `!${at(expression.operand, STRENGTH.not)}`;
    case 'relation':
      return `${at(expression.left, STRENGTH.sum)} ${expression.name} ${at(expression.right, STRENGTH.sum)}`;
    case 'unary':
      return `${at(expression.operand, STRENGTH.sum)} ${expression.name}`;
    case 'sum':
      return printArithmetic(expression, STRENGTH.product);
    case 'product':
      return printArithmetic(expression, VALUE);
    case 'literal':
      return printLiteral(expression.value);
    case 'list':
      return `[${expression.items.map(printExpression).join(', ')}]`;
    case 'reference':
      return `{%${printReference(expression.reference)}%}`;
    case 'webhook':
      return printWebhookParameter(expression.parameter);
    case 'iterator':
      return expression.name;
  }
}

export function printLoop(loop: LoopExpression): string {
  const over = at(loop.over, VALUE);
  return loop.kind === 'SplitString'
    ? `SplitString(${over}, ${at(loop.delimiter, VALUE)})`
    : `${loop.kind}(${over})`;
}

export function printText(value: string): string {
  return `"${value
    .replace(/["\\]/g, String.raw`\$&`)
    .replace(/\n/g, String.raw`\n`)
    .replace(/\t/g, String.raw`\t`)}"`;
}

function printArithmetic(
  level: { first: Expression; rest: readonly ArithmeticTerm[] },
  strength: number,
): string {
  return (
    at(level.first, strength) +
    level.rest.map((term) => ` ${term.sign} ${at(term.value, strength)}`).join('')
  );
}

function at(expression: Expression, needed: number): string {
  const text = printExpression(expression);
  return strengthOf(expression) >= needed ? text : `(${text})`;
}

function strengthOf(expression: Expression): number {
  return expression.kind in STRENGTH ? STRENGTH[expression.kind as keyof typeof STRENGTH] : VALUE;
}

function printLiteral(value: string | number | bigint | boolean | null): string {
  if (typeof value === 'string') return printText(value);
  return Object.is(value, -0) ? '-0' : String(value);
}

export type RelationName = keyof typeof RELATIONS;
export type UnaryName = keyof typeof UNARIES;
export type ArithmeticSign = keyof typeof ARITHMETIC;

/** Chains of `or` and `and` are flat, to avoid deep trees. */
export type Expression =
  | { readonly kind: 'or' | 'and'; readonly operands: readonly Expression[] }
  | { readonly kind: 'not'; readonly operand: Expression }
  | {
      readonly kind: 'relation';
      readonly name: RelationName;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'unary'; readonly name: UnaryName; readonly operand: Expression }
  | {
      readonly kind: 'sum' | 'product';
      readonly first: Expression;
      readonly rest: readonly ArithmeticTerm[];
    }
  | { readonly kind: 'literal'; readonly value: string | number | bigint | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'webhook'; readonly parameter: WebhookParameter }
  | { readonly kind: 'iterator'; readonly name: string };

export interface ArithmeticTerm {
  readonly sign: ArithmeticSign;
  readonly value: Expression;
}

export type LoopExpression =
  | { readonly kind: 'For' | 'ForIn'; readonly over: Expression }
  | { readonly kind: 'SplitString'; readonly over: Expression; readonly delimiter: Expression };

export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'or':
    case 'and':
      return expression.operands;
    case 'not':
    case 'unary':
      return [expression.operand];
    case 'relation':
      return [expression.left, expression.right];
    case 'sum':
    case 'product':
      return [expression.first, ...expression.rest.map((term) => term.value)];
    case 'list':
      return expression.items;
    case 'literal':
    case 'reference':
    case 'webhook':
    case 'iterator':
      return [];
  }
}
