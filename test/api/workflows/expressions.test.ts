import { testService } from '../../support/service/harness';

const service = testService();

const OPERAND = '{ kind text }';
const RULE = `{ left ${OPERAND} operator right ${OPERAND} }`;
const FORM = `query($text: String!) { expressionForm(text: $text) {
  form { loop { kind list ${OPERAND} delimiter }
    condition { joinedBy items { rule ${RULE} group { joinedBy rules ${RULE} } } } }
  problem { code message line column } } }`;
const TEXT = 'query($form: ExpressionFormInput!) { expressionText(form: $form) }';

const text = (value: string): object => ({ kind: 'TEXT', text: value });
const number = (value: number): object => ({ kind: 'NUMBER', text: String(value) });

it('expressionForm and expressionText convert a condition to a form and back', async () => {
  const condition = {
    joinedBy: 'AND',
    items: [
      {
        rule: {
          left: { kind: 'REFERENCE', text: '{%#FFCFB5.(response).body.tickets[i].state%}' },
          operator: '=',
          right: text('say "open"'),
        },
        group: null,
      },
      {
        rule: null,
        group: {
          joinedBy: 'OR',
          rules: [
            { left: { kind: 'EXPRESSION', text: 'i + 1' }, operator: '>', right: number(3) },
            { left: { kind: 'EXPRESSION', text: '[]' }, operator: 'IsEmpty', right: null },
          ],
        },
      },
    ],
  };
  const written = await service.field(TEXT, { form: { condition } });
  expect(written).toBe(
    String.raw`{%#FFCFB5.(response).body.tickets[i].state%} = "say \"open\"" && (i + 1 > 3 || [] IsEmpty)`,
  );
  expect(await service.field(FORM, { text: written })).toEqual({
    form: { loop: null, condition },
    problem: null,
  });
});

it('expressionForm says where a text is wrong, and shows no form for more than two levels', async () => {
  expect(await service.field(FORM, { text: 'true &&\n = 1' })).toEqual({
    form: null,
    problem: {
      code: 'EXPRESSION_SYNTAX',
      message: 'Line 2, column 2: expected a value, found "=".',
      line: 2,
      column: 2,
    },
  });
  expect((await service.field(FORM, { text: ' ' })).problem).toMatchObject({
    code: 'OPERATOR_EXPRESSION_IS_EMPTY',
    line: null,
  });
  expect(await service.field(FORM, { text: '!(1 = 1)' })).toEqual({ form: null, problem: null });
});

it.each<[string, object]>([
  ['nothing', {}],
  ['both', { loop: { kind: 'FOR', list: number(1) }, condition: { joinedBy: 'OR', items: [] } }],
  ['no rules', { condition: { joinedBy: 'AND', items: [] } }],
  ['an unknown operator', { condition: ruleWith('is') }],
  ['no right side', { condition: ruleWith('=') }],
  ['a test of two values', { condition: ruleWith('IsNull', number(1)) }],
  ['a number that is none', { condition: ruleWith('=', { kind: 'NUMBER', text: 'x' }) }],
  [
    'two expressions in one',
    { condition: ruleWith('=', { kind: 'EXPRESSION', text: '1) || (1' }) },
  ],
  ['too many characters', { condition: ruleWith('=', text('x'.repeat(65_536))) }],
  ['no delimiter', { loop: { kind: 'SPLIT_STRING', list: text('a') } }],
])('expressionText refuses a form with %s', async (_what, form) => {
  const { errors } = await service.gql(TEXT, { form });
  expect(errors?.[0]?.extensions.reason).toBe('EXPRESSION_FORM_INVALID');
});

function ruleWith(operator: string, right?: object): object {
  return { joinedBy: 'AND', items: [{ rule: { left: number(1), operator, right } }] };
}

it('expressionFunctions lists operators with labels', async () => {
  const functions = await service.field(
    '{ expressionFunctions { name aliases kind form label description example } }',
  );
  expect(functions).toContainEqual({
    name: 'Matches',
    aliases: ['RegExp', 'RegEx'],
    kind: 'TEXT',
    form: 'BINARY',
    label: 'matches the pattern',
    description: 'The whole text matches a regular expression (RE2).',
    example: '{%#FFCFB5.(response).body.number%} Matches "[A-Z]{2}[0-9]+"',
  });
});
