import { testService } from '../../support/service/harness';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const QUERY = `query($workflowId: ID!, $stepId: ID!) { stepReferences(workflowId: $workflowId, stepId: $stepId) {
  stepId name color number availability iterators loops { stepId iterator list } } }`;
const url = 'http://remote.test/';
const step = (index: string, color: string, more: object = {}): object =>
  method(index, url, { color, ...more });
const operator = (index: string, type: string, expression: string, more: object = {}): object => ({
  id: `o${index}`,
  index,
  type,
  expression,
  ...more,
});
const LIST = '{%#AAAAAA.(response).body.tickets%}';
const TAGS = '{%#AAAAAA.(response).body.tickets[i].tags%}';

it('stepReferences lists earlier steps with the loops that iterate over their data', async () => {
  const workflowId = await saved(
    service,
    workflow(
      [
        step('0', '#AAAAAA', { label: 'Get tickets' }),
        step('3_0', '#BBBBBB'),
        step('5_0', '#CCCCCC'),
        step('5_2_1', '#DDDDDD'),
        step('5_2_4', '#EEEEEE'),
        step('5_7_0', '#FFFFFF'),
        step('8', '#111111'),
      ],
      [
        operator('3', 'loop', 'For([1, 2])'),
        operator('5', 'loop', `For(${LIST})`, { iterator: 'i' }),
        operator('5_2', 'loop', TAGS),
        operator('5_7', 'if', '1 = 1'),
      ],
    ),
  );
  const referencesOf = (stepId: string): Promise<any[]> =>
    service.field(QUERY, { workflowId, stepId });
  const listOf = async (stepId: string): Promise<unknown[]> =>
    (await referencesOf(stepId)).map(({ number, availability, iterators }) => [
      number,
      availability,
      iterators,
    ]);
  const loops = [
    { stepId: 'o5', iterator: 'i', list: LIST },
    { stepId: 'o5_2', iterator: 'j', list: TAGS },
  ];
  expect((await referencesOf('m5_2_4'))[0]).toEqual({
    stepId: 'm0',
    name: 'Get tickets',
    color: '#AAAAAA',
    number: '1',
    availability: 'ALWAYS',
    iterators: ['i', 'j'],
    loops,
  });
  expect(await listOf('m5_2_4')).toEqual([
    ['1', 'ALWAYS', ['i', 'j']],
    ['2.1', 'SAME_POSITION', []],
    ['3.1', 'ALWAYS', []],
    ['3.2.1', 'ALWAYS', []],
  ]);
  // The list of a loop is evaluated outside of it.
  expect((await referencesOf('o5_2'))[0].loops).toEqual(loops.slice(0, 1));
  expect(await listOf('m5_7_0')).toEqual([
    ['1', 'ALWAYS', ['i']],
    ['2.1', 'SAME_POSITION', []],
    ['3.1', 'ALWAYS', []],
  ]);
  expect(await listOf('m8')).toEqual([['1', 'ALWAYS', []]]);
  expect(await listOf('m0')).toEqual([]);
  expect(
    (await service.gql(QUERY, { workflowId, stepId: 'x' })).errors?.[0]?.extensions.reason,
  ).toBe('STEP_NOT_FOUND');
});

it('stepReferences marks a step inside a condition', async () => {
  const workflowId = await saved(
    service,
    workflow([step('0_0', '#AAAAAA'), step('1', '#BBBBBB')], [operator('0', 'if', '1 = 1')]),
  );
  const [reference] = await service.field(QUERY, { workflowId, stepId: 'm1' });
  expect(reference).toMatchObject({ number: '1.1', availability: 'CONDITIONAL', loops: [] });
});
