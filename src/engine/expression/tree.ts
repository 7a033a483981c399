import type { Reference, WebhookParameter } from '../reference/reference';

export const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const;
export const WORD_RELATIONS = [
  'Contains',
  'NotContains',
  'ContainsSubStr',
  'NotContainsSubStr',
  'PropertyExists',
  'PropertyNotExists',
  'Like',
  'NotLike',
  'Matches',
  'IsTypeOf',
  'AllowList',
  'DenyList',
] as const;
export const UNARIES = ['IsNull', 'NotNull', 'IsEmpty', 'NotEmpty'] as const;

/** `RegExp` and `RegEx` are aliases of `Matches`, `==` of `=`. */
export type RelationName = (typeof COMPARISONS)[number] | (typeof WORD_RELATIONS)[number];
export type UnaryName = (typeof UNARIES)[number];
export type ArithmeticSign = '+' | '-' | '*' | '/' | '%';

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
    default:
      return [];
  }
}
