import { readZip } from '../../../src/platform/archive/read-zip';
import { testService } from '../../support/service/harness';
import { jobResult } from '../../support/service/jobs';
import { testRemote } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended, runEvents } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const [IBAN, PIN, ACCOUNT, CUSTOMER] = [
  'DE89370400440532013000',
  'pin-of "Ada"',
  '44556677',
  'customer-0815',
];
const VALUES = [IBAN, PIN, JSON.stringify(PIN).slice(1, -1), ACCOUNT, CUSTOMER];
const SELECTED = {
  people: [{ iban: IBAN }],
  account: Number(ACCOUNT),
  line: `customer=${CUSTOMER};kept`,
};

const service = testService();
const remote = testRemote(({ path, body }) => {
  if (path === '/xml')
    return {
      headers: { 'content-type': 'application/xml' },
      text: `<p><pin>${PIN.replaceAll('"', '&quot;')}</pin></p>`,
    };
  if (path === '/large') return { body: { padding: 'x'.repeat(200_000), ...SELECTED } };
  return { body: path === '/selected' ? SELECTED : { echoed: body, kept: 'still here' } };
});

const call = (index: string, path: string, color: string, fields: object | null = null): object => {
  const endpoint = remote.url + path;
  return method(index, endpoint, {
    color,
    request: {
      endpoint,
      method: 'POST',
      header: {},
      body: fields && { type: 'object', format: 'json', data: 'raw', fields },
    },
  });
};
const from = (color: string, path: string): string => `{%${color}.(response).body.${path}%}`;
/** Reads values in one step and sends them in the next one under names that no rule selects. */
const copying = (source: string): object =>
  workflow([
    call('0', source, '#FFCFB5'),
    call('1', '/xml', '#C77E7E'),
    call(
      '2',
      `/copy?to=${from('#FFCFB5', 'people[0].iban')}&pin=${from('#C77E7E', 'p.pin')}`,
      '#6477AB',
      {
        to: `IBAN ${from('#FFCFB5', 'people[0].iban')}`,
        number: from('#FFCFB5', 'account'),
        line: from('#FFCFB5', 'line'),
        word: CUSTOMER,
        pin: from('#C77E7E', 'p.pin'),
      },
    ),
  ]);
const RULES = [
  { type: 'JSONPath', expression: '$..iban' },
  { type: 'JSONPath', expression: '$.account' },
  { type: 'XPath', expression: '//pin' },
  { type: 'regex', expression: 'customer=[^;]+' },
];
const runOf = async (id: number): Promise<number> => {
  const runId = await started(service, id, true);
  expect((await ended(service, runId)).error).toBeNull();
  return runId;
};
async function bundleOf(workflowId: number, rules: object[] = []): Promise<Record<string, string>> {
  const supportLogCreate = await service.mutate(
    'supportLogCreate',
    { workflowId, rules },
    'job { databaseId } userErrors { code }',
  );
  const { filename } = await jobResult(service, supportLogCreate.job.databaseId);
  const response = await fetch(
    `${service.url}/api/connection/support-file/${workflowId}/${filename}`,
    { headers: { authorization: service.adminToken } },
  );
  const files: Record<string, string> = {};
  for await (const file of readZip(Buffer.from(await response.arrayBuffer())))
    files[file.name] = file.bytes.toString('utf8');
  return files;
}
const shownIn = (text: string): string[] =>
  VALUES.filter(
    (value) =>
      text.includes(value) ||
      text.includes(encodeURIComponent(value)) ||
      text.includes(JSON.stringify(value).slice(1, -1)),
  );

it.each(['/selected', '/large'])(
  'a value that a workflow rule selects in a response (%s) is masked in later requests, responses, logs and bundles',
  async (source) => {
    const id = await saved(service, copying(source));
    expect(await service.status('POST', `/api/connection/${id}/rule/list`, { body: RULES })).toBe(
      201,
    );
    remote.forget();
    const runId = await runOf(id);
    // The remote system receives the unmasked value.
    expect(JSON.parse(remote.received.at(-1)?.body ?? '')).toMatchObject({
      to: `IBAN ${IBAN}`,
      number: Number(ACCOUNT),
      pin: PIN,
    });
    const files = await bundleOf(id);
    const texts = [
      JSON.stringify(await storeConnection().collection('run_event_batches').find({}).toArray()),
      JSON.stringify(await runEvents(service, runId)),
      (await service.api('GET', `/api/execution/${runId}/raw/log`)).text,
      files[`runs/${runId}/events.jsonl`] ?? '',
    ];
    for (const text of texts)
      expect([text.includes('still here'), shownIn(text)]).toEqual([true, []]);
  },
);

it('a value that a bundle rule selects in an event is masked in later events and files', async () => {
  const id = await saved(service, copying('/selected'));
  const runId = await runOf(id);
  const files = await bundleOf(
    id,
    RULES.map(({ type, expression }) => ({ type: type.toUpperCase(), expression })),
  );
  expect(files[`runs/${runId}/events.jsonl`]).toContain('still here');
  for (const [name, text] of Object.entries(files))
    expect([name, shownIn(text)]).toEqual([name, []]);
  expect(JSON.parse(files['workflow.json'] ?? '')).toEqual(expect.any(Object));
});
