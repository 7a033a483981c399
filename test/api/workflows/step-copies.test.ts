import { testService } from '../../support/service/harness';
import { read } from '../../support/calls/patches';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const copyOf = async (workflowId: number, stepId: string): Promise<unknown> =>
  (
    await service.field(
      'query($id: ID!, $stepId: ID!) { workflow(id: $id) { stepCopy(stepId: $stepId) } }',
      { id: workflowId, stepId },
    )
  ).stepCopy;
const paste = (input: object): Promise<any> =>
  service.mutate(
    'stepPaste',
    input,
    'stepId workflow { version validation { code } } userErrors { code path }',
  );

const REFERENCE = '#AAAAAA.(response).body.rows[i].name';
const LOOP = {
  id: 'loop',
  index: '1',
  type: 'loop',
  expression: 'For({%#AAAAAA.(response).body.rows%})',
};
const source = (): object =>
  workflow(
    [
      method('0', 'http://a.test', { color: '#AAAAAA' }),
      method('1_0', 'http://b.test', { color: '#BBBBBB', extra: { deep: [1] } }),
      method('1_1', 'http://b.test/{%#BBBBBB.(response).body.id%}', {
        color: '#CCCCCC',
        request: {
          endpoint: 'http://b.test/{%#BBBBBB.(response).body.id%}',
          method: 'POST',
          body: { format: 'json', fields: { title: REFERENCE } },
        },
      }),
    ],
    [LOOP],
    {
      fieldBinding: [
        {
          id: 'binding',
          from: [{ color: '#BBBBBB', type: 'response', field: 'body.rows[i]' }],
          to: [{ color: '#CCCCCC', type: 'request', field: 'title' }],
          enhancement: { expertVar: '//var VAR_0 = #BBBBBB.(response).body.rows[i];' },
        },
      ],
    },
  );

const partsOf = async (workflowId: number) => {
  const { fromConnector, fieldBinding } = (await read(service, workflowId)).body;
  const at = (index: string): any =>
    [...fromConnector.methods, ...fromConnector.operators].find((step) => step.index === index);
  return { at, fieldBinding };
};

describe('copies of steps', () => {
  it('keep unknown fields, and follow new colours and loop variables inside their own workflow', async () => {
    const workflowId = await saved(service, source());
    const pasted = await paste({
      workflowId,
      content: await copyOf(workflowId, 'loop'),
      parentStepId: 'loop',
    });
    expect(pasted).toMatchObject({ userErrors: [], workflow: { version: 2, validation: [] } });
    const { at, fieldBinding } = await partsOf(workflowId);
    expect(at('1_2')).toMatchObject({ id: pasted.stepId, type: 'loop' });
    const [first, second] = [at('1_2_0'), at('1_2_1')];
    expect(first.extra).toEqual({ deep: [1] });
    expect(new Set([first.color, second.color, '#BBBBBB', '#CCCCCC']).size).toBe(4);
    expect(second.request).toMatchObject({
      endpoint: `http://b.test/{%${first.color}.(response).body.id%}`,
      body: { fields: { title: REFERENCE.replace('[i]', '[j]') } },
    });
    expect(fieldBinding).toHaveLength(2);
    expect(fieldBinding[1]).toMatchObject({
      from: [{ color: first.color, field: 'body.rows[j]' }],
      to: [{ color: second.color }],
      enhancement: { expertVar: `//var VAR_0 = ${first.color}.(response).body.rows[j];` },
    });
    expect(fieldBinding[1].id).not.toBe('binding');
  });

  it('are pasted into another workflow with their colours, if these are free there', async () => {
    const content = await copyOf(await saved(service, source()), 'm1_1');
    const target = await saved(service, workflow([method('0', 'http://a.test')]));
    const { stepId } = await paste({ workflowId: target, content, position: 0 });
    const { at, fieldBinding } = await partsOf(target);
    expect(at('0')).toMatchObject({ id: stepId, color: '#CCCCCC' });
    expect(fieldBinding).toHaveLength(1);
  });

  it.each([['text'], [{}], [{ methods: 1 }], [{ methods: [1] }], [{ operators: [[]] }]])(
    'are refused if they are %j',
    async (content) => {
      const workflowId = await saved(service, workflow([]));
      const { userErrors } = await paste({ workflowId, content });
      expect(userErrors).toEqual([{ code: 'STEPS_INVALID', path: ['content'] }]);
    },
  );
});
