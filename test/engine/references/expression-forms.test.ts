import fc from 'fast-check';
import {
  EXPRESSION_OPERATORS,
  expressionToForm,
  formToExpression,
  parseExpression,
  parseLoop,
  printExpression,
} from '../../../src/engine';
import type { Expression } from '../../../src/engine';
import { evaluate } from '../../../src/engine/expression/evaluate';
import { RELATIONS, UNARIES } from '../../../src/engine/expression/operators';
import type { RelationName, UnaryName } from '../../../src/engine/expression/tree';
import { expressionTree, scopeOf } from '../support/expressions';
import { rounds } from '../../support/rounds';

const rule: fc.Arbitrary<Expression> = fc.oneof(
  fc.record({
    kind: fc.constant('relation' as const),
    name: fc.constantFrom(...(Object.keys(RELATIONS) as RelationName[])),
    left: expressionTree,
    right: expressionTree,
  }),
  fc.record({
    kind: fc.constant('unary' as const),
    name: fc.constantFrom(...(Object.keys(UNARIES) as UnaryName[])),
    operand: expressionTree,
  }),
);
const chainOf = (part: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
  fc.oneof(
    part,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      operands: fc.array(part, { minLength: 2, maxLength: 3 }),
    }),
  );

/** The value of an expression, or the code of its error. */
function outcomeOf(text: string): unknown {
  try {
    return evaluate(parseExpression(text), scopeOf({}));
  } catch (error) {
    return { code: (error as { code?: string }).code };
  }
}

it('conditions of two levels are forms, which mean the same and stay the same', () => {
  fc.assert(
    fc.property(chainOf(chainOf(rule)), (tree) => {
      const text = printExpression(tree);
      const form = expressionToForm(text);
      const back = formToExpression(form ?? {});
      expect(expressionToForm(back)).toEqual(form);
      expect(outcomeOf(back)).toEqual(outcomeOf(text));
    }),
    { numRuns: rounds(1_000) },
  );
});

it.each([
  ['For({%#FFCFB5.(response).body.a%})', 'FOR', 'REFERENCE', null],
  ['{%#FFCFB5.(response).body.a%}', 'FOR', 'REFERENCE', null],
  ['forin ( [1, 2] )', 'FOR_IN', 'EXPRESSION', null],
  [`SplitString("a,b", ',')`, 'SPLIT_STRING', 'TEXT', ','],
])('%s is the form of a loop', (text, kind, operand, delimiter) => {
  const form = expressionToForm(text);
  expect(form).toMatchObject({
    loop: { kind, list: { kind: operand }, delimiter },
    condition: null,
  });
  expect(expressionToForm(formToExpression(form ?? {}))).toEqual(form);
});

it.each([
  '!(1 = 2)',
  '1 + 2',
  'true',
  '((1 = 1 || 2 = 2) && 3 = 3) || 4 = 4',
  'SplitString("a", 1)',
])('%s is more than a form shows', (text) => expect(expressionToForm(text)).toBeNull());

it('the list of operators is what the parser knows', () => {
  for (const { name, aliases, form, example } of EXPRESSION_OPERATORS) {
    const parse = form === 'call' ? parseLoop : parseExpression;
    expect(parse(example)).toBeDefined();
    for (const word of [name, ...aliases]) {
      const text = {
        binary: `true ${word} true`,
        unary: `1 ${word.toLowerCase()}`,
        prefix: `${word} true`,
        call: `${word}(1${word === 'SplitString' ? ', ","' : ''})`,
      }[form];
      expect([word, JSON.stringify(parse(text))]).toEqual([
        word,
        expect.stringContaining(form === 'call' || form === 'unary' ? name : '"kind"'),
      ]);
    }
  }
});
