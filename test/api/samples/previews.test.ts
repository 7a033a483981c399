import { testService } from '../../support/service/harness';
import { method, saved, workflow } from '../../support/documents/workflows';

/* Previews: what texts and scripts of a step become with the samples of the steps before it. */

const service = testService();

const first = method('0', 'http://a.test') as { color: string };
const ref = (path: string): string => `${first.color}.(response).${path}`;
const VALUES = `query ($id: ID!, $stepId: ID!, $texts: [String!]!, $iteration: [Int!], $kind: PreviewKind! = TEXT) {
  valuePreview(workflowId: $id, stepId: $stepId, texts: $texts, iteration: $iteration, kind: $kind) { value text truncated missing problem { code message line column } } }`;
const ANSWER = {
  tickets: [
    { title: 'Printer', id: 1 },
    { title: 'Screen', id: 2 },
  ],
  names: { ada: 36, bob: 41 },
  token: 'secret',
};

async function withSample(answer: unknown = ANSWER): Promise<string> {
  const id = await saved(
    service,
    workflow(
      [first, method('1_0_0', 'http://b.test')],
      [
        {
          id: 'o',
          index: '1',
          type: 'loop',
          iterator: 'i',
          expression: `For({%${ref('body.tickets')}%})`,
        },
        {
          id: 'p',
          index: '1_0',
          type: 'loop',
          iterator: 'k',
          expression: `ForIn({%${ref('body.names')}%})`,
        },
      ],
    ),
  );
  await service.mutate(
    'sampleSet',
    { workflowId: String(id), stepId: 'm0', answer },
    'userErrors { code }',
  );
  return String(id);
}
const preview = async (id: string, texts: string[], more: object = {}): Promise<any[]> =>
  service.field(VALUES, { id, stepId: 'm1_0_0', texts, ...more });
const plain = { truncated: false, missing: false, problem: null };

it('evaluates texts as a run does, in the first or the given iterations', async () => {
  const id = await withSample();
  const texts = [
    ref('body.tickets[i]'),
    `https://x.test/{%${ref('body.tickets[i].id')}%}?n={%${ref('body.names')}%}`,
    ref('body.token'),
    'no reference',
    `{%${ref('status')}%}`,
  ];
  expect(await preview(id, texts)).toEqual([
    { value: { title: 'Printer', id: 1 }, text: '{"title":"Printer","id":1}', ...plain },
    { value: 'https://x.test/1?n={"ada":36,"bob":41}', text: expect.any(String), ...plain },
    { value: '***', text: '***', ...plain },
    { value: 'no reference', text: 'no reference', ...plain },
    { value: 200, text: '200', ...plain },
  ]);
  expect(await preview(id, [ref('body.tickets[i].title')], { iteration: [1] })).toMatchObject([
    { value: 'Screen' },
  ]);
  expect(
    await preview(
      id,
      [
        'k',
        `{%${ref('body.tickets[i].id')}%} + 1`,
        `{%${ref('body.tickets')}%} Contains 3`,
        `For({%${ref('body.names')}%})`,
      ],
      { kind: 'EXPRESSION', iteration: [1, 1] },
    ),
  ).toMatchObject([{ value: 'bob' }, { value: 3 }, { value: false }, { value: ANSWER.names }]);
});

it('says what is missing and what is wrong, and bounds the output', async () => {
  const id = await withSample();
  expect(
    await preview(id, [ref('body.titel'), ref('body.tickets[i].id'), `{%${first.color}.(oops%}`], {
      iteration: [7],
    }),
  ).toMatchObject([
    { value: null, missing: true, problem: null },
    { value: null, missing: true, problem: null },
    { value: null, text: null, problem: { line: 1, column: expect.any(Number) } },
  ]);
  expect(await preview(id, ['1 +', '1 / 0'], { kind: 'EXPRESSION' })).toMatchObject([
    { problem: { code: 'EXPRESSION_SYNTAX', line: 1, column: 4 } },
    { problem: { code: 'EXPRESSION_DIVISION_BY_ZERO', line: null } },
  ]);
  const large = await withSample({ tickets: [], text: 'x'.repeat(100_000) });
  const [whole, many] = await preview(large, [
    ref('body.text'),
    `{%${ref('body.text')}%}`.repeat(101),
  ]);
  expect(whole).toMatchObject({ value: null, truncated: true, problem: null });
  expect(whole.text.length).toBeLessThan(2_100);
  expect(many.problem.code).toBe('VALUE_TOO_LARGE');
  for (const texts of [Array.from({ length: 201 }, () => 'x'), ['x'.repeat(300_000)]])
    expect(
      (await service.gql(VALUES, { id, stepId: 'm0', texts })).errors?.[0]?.extensions.code,
    ).toBe('BAD_USER_INPUT');
});

it('reads XML in samples', async () => {
  const id = await withSample('<?xml version="1.0"?><order><item>a</item><item>b</item></order>');
  expect(await preview(id, [ref('body.order.item[1]')])).toMatchObject([{ value: 'b' }]);
});

it('executes the script of a binding in the sandbox', async () => {
  const id = await withSample();
  const script = (expertCode: string): Promise<any> =>
    service.field(
      'query ($id: ID!, $binding: FieldBindingInput!) { scriptPreview(workflowId: $id, stepId: "m1_0_0", iteration: [1], binding: $binding) { inputs result durationMs problem { code message line } } }',
      {
        id,
        binding: {
          from: [{ color: first.color, type: 'response', field: 'body.tickets[i]' }],
          enhancement: { language: 'js', expertCode },
        },
      },
    );
  const inputs = { VAR_0: { title: 'Screen', id: 2 } };
  expect(await script('RESULT_VAR = VAR_0.title.toUpperCase();')).toEqual({
    inputs,
    result: 'SCREEN',
    durationMs: expect.any(Number),
    problem: null,
  });
  expect(await script('RESULT_VAR = VAR_0;')).toMatchObject({
    inputs,
    result: inputs.VAR_0,
    durationMs: null,
  });
  expect(await script('\nnone();')).toMatchObject({
    result: null,
    problem: { code: 'SCRIPT_ERROR', line: 2 },
  });
});
