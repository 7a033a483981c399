import { testService } from '../support/service/harness';
import { testRemote } from '../support/peers/remote-system';
import { ended } from '../support/service/watch';
import { method, saved, started, workflow } from '../support/documents/workflows';

/** The default configuration without an engine for other languages. */
const service = testService();
const remote = testRemote(() => ({ body: { name: 'ada' } }));
beforeEach(() => remote.forget());

/** A call whose body field is set by a script after a reference. */
const scripted = (enhancement: object): object =>
  workflow(
    [
      method('0', `${remote.url}/read`, { color: '#00000A' }),
      method('1', remote.url, {
        color: '#00000B',
        request: {
          endpoint: `${remote.url}/written`,
          method: 'POST',
          header: {},
          body: {
            type: 'object',
            format: 'json',
            fields: { name: '#00000A.(response).success.name' },
          },
        },
      }),
    ],
    [],
    {
      fieldBinding: [
        {
          from: [{ color: '#00000A', type: 'response', field: 'success.name' }],
          to: [{ color: '#00000B', type: 'request', field: 'name' }],
          enhancement: { expertCode: 'RESULT_VAR = VAR_0.toUpperCase();', ...enhancement },
        },
      ],
    },
  );
const run = async (enhancement: object): Promise<any> =>
  ended(service, await started(service, await saved(service, scripted(enhancement))));
const written = (): string[] =>
  remote.received.filter(({ path }) => path === '/written').map(({ body }) => body);

it.each([
  [{ language: 'js' }],
  [{ language: 'JavaScript' }],
  [{ language: '' }],
  [{ language: null }],
  [{}],
])(
  'an enhancement in the language %j runs in the sandbox when there is no engine',
  async (enhancement) => {
    expect(await run(enhancement)).toMatchObject({ state: 'SUCCEEDED', error: null, stepCount: 2 });
    expect(written()).toEqual(['{"name":"ADA"}']);
  },
);

it.each([['python'], ['ruby'], ['Python'], [' RUBY ']])(
  'an enhancement in the language %j ends its run before the request when there is no engine',
  async (language) => {
    expect(await run({ language })).toMatchObject({
      state: 'FAILED',
      error: { stepId: 'm1', index: '1', attempt: 1, code: 'SCRIPT_ENGINE_OFF' },
    });
    expect(written()).toEqual([]);
  },
);

it('a binding without an enhancement needs no engine', async () => {
  const document: any = scripted({});
  delete document.fieldBinding[0].enhancement;
  expect(
    await ended(service, await started(service, await saved(service, document))),
  ).toMatchObject({ state: 'SUCCEEDED' });
  expect(written()).toEqual(['{"name":"ada"}']);
});
