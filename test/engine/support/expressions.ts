import fc from 'fast-check';
import { evaluate } from '../../../src/engine/expression/evaluate';
import { isKeyword, parseExpression } from '../../../src/engine/expression/parse';
import type { Expression, RelationName, UnaryName } from '../../../src/engine/expression/tree';
import { RELATIONS, UNARIES } from '../../../src/engine/expression/operators';
import { WEBHOOK_TYPES } from '../../../src/engine/reference/reference';
import type { Reference, Segment, WebhookParameter } from '../../../src/engine/reference/reference';
import type { Exchange, LoopFrame, Scope } from '../../../src/engine/reference/scope';
import type { Value } from '../../../src/engine/value';

export function scopeOf(
  exchanges: Record<string, Partial<Exchange>>,
  loops: readonly LoopFrame[] = [],
): Scope {
  return {
    loops,
    exchange: (color) =>
      Object.hasOwn(exchanges, color)
        ? { request: null, status: 200, headers: {}, body: null, ...exchanges[color] }
        : undefined,
    webhookParameter: () => null,
    secret: () => '***',
    scriptResult: () => null,
    given: () => null,
  };
}

export const forLoop = (iterator: string, turn: number, size = 10): LoopFrame => ({
  iterator,
  kind: 'For',
  size,
  turn,
  value: turn,
  split: null,
});
export const keyLoop = (iterator: string, key: string): LoopFrame => ({
  iterator,
  kind: 'ForIn',
  size: 1,
  turn: 0,
  value: key,
  split: null,
});
export const splitLoop = (
  iterator: string,
  turn: number,
  text: string,
  parts: string[],
): LoopFrame => ({
  iterator,
  kind: 'SplitString',
  size: parts.length,
  turn,
  value: parts[turn],
  split: { text, parts },
});

/** Evaluates an expression in which `x` and `y` have the given values. */
export function valueOf(expression: string, x: Value = null, y: Value = null): Value {
  const text = expression
    .replace(/\bx\b/g, '{%#0000AA.(response).body%}')
    .replace(/\by\b/g, '{%#0000BB.(response).body%}');
  return evaluate(
    parseExpression(text),
    scopeOf({ '#0000AA': { body: x }, '#0000BB': { body: y } }),
  );
}

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0').toUpperCase()}`);
const iterator = fc.stringMatching(/^[a-z_][a-zA-Z0-9_]{0,4}$/).filter((name) => !isKeyword(name));
const fieldName = fc
  .string({ minLength: 1, maxLength: 8, unit: 'binary' })
  .filter((name) => /^[^.[\]~%{}]+$/.test(name) && name.trim() === name);
const webhookName = fieldName.filter((name) => !name.includes(':'));
const label = fc.boolean();

const bracket = fc.oneof(
  fc.record({ kind: fc.constant('element' as const), index: fc.nat({ max: 99_999 }), label }),
  fc.record({ kind: fc.constant('turn' as const), iterator, label }),
  fc.record({ kind: fc.constant('all' as const), label }),
  fc.record({
    kind: fc.constant('key' as const),
    key: fc
      .string({ maxLength: 8 })
      .filter((key) => !key.includes("']"))
      .map((key) => key.replace(/'$/, '')),
    label,
  }),
);
const segmentsWith = (name: fc.Arbitrary<string>): fc.Arbitrary<Segment[]> =>
  fc.array(fc.oneof(fc.record({ kind: fc.constant('field' as const), name }), bracket), {
    maxLength: 4,
  });

export const reference: fc.Arbitrary<Reference> = fc.oneof(
  fc.record({
    color,
    part: fc.constantFrom('request' as const, 'body' as const, 'success' as const, 'fail' as const),
    header: fc.constant(null),
    segments: segmentsWith(fieldName),
  }),
  fc.record({
    color,
    part: fc.constant('status' as const),
    header: fc.constant(null),
    segments: fc.constant([]),
  }),
  fc.record({
    color,
    part: fc.constant('header' as const),
    header: fc.stringMatching(/^[A-Za-z][A-Za-z0-9.-]{0,9}$/),
    segments: fc.constant([]),
  }),
);

export const webhookParameter: fc.Arbitrary<WebhookParameter> = fc.record({
  name: webhookName,
  segments: segmentsWith(webhookName),
  type: fc.constantFrom(null, ...WEBHOOK_TYPES),
});

/** Every tree that the grammar can express. */
export const expressionTree: fc.Arbitrary<Expression> = fc.letrec<{ tree: Expression }>((tie) => {
  const many = fc.array(tie('tree'), { minLength: 2, maxLength: 3 });
  const terms = (...signs: ('+' | '-' | '*' | '/' | '%')[]) =>
    fc.array(fc.record({ sign: fc.constantFrom(...signs), value: tie('tree') }), {
      minLength: 1,
      maxLength: 2,
    });
  return {
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({
        kind: fc.constant('literal' as const),
        value: fc.oneof(
          fc.string(),
          fc.boolean(),
          fc.constant(null),
          fc.integer(),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        ),
      }),
      fc.record({ kind: fc.constant('reference' as const), reference }),
      fc.record({ kind: fc.constant('webhook' as const), parameter: webhookParameter }),
      fc.record({ kind: fc.constant('iterator' as const), name: iterator }),
      fc.record({ kind: fc.constantFrom('or' as const, 'and' as const), operands: many }),
      fc.record({ kind: fc.constant('not' as const), operand: tie('tree') }),
      fc.record({
        kind: fc.constant('relation' as const),
        name: fc.constantFrom(...(Object.keys(RELATIONS) as RelationName[])),
        left: tie('tree'),
        right: tie('tree'),
      }),
      fc.record({
        kind: fc.constant('unary' as const),
        name: fc.constantFrom(...(Object.keys(UNARIES) as UnaryName[])),
        operand: tie('tree'),
      }),
      fc.record({ kind: fc.constant('sum' as const), first: tie('tree'), rest: terms('+', '-') }),
      fc.record({
        kind: fc.constant('product' as const),
        first: tie('tree'),
        rest: terms('*', '/', '%'),
      }),
      fc.record({
        kind: fc.constant('list' as const),
        items: fc.array(tie('tree'), { maxLength: 3 }),
      }),
    ),
  };
}).tree;
