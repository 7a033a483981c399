import { testService, unique } from '../../support/service/harness';
import { importedInvoker, invokerXml, operationXml } from '../../support/documents/invokers';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { socketOf } from '../../support/service/watch';
import { zipOf } from '../../support/documents/zips';

const service = testService();

const MANY = 150;
const files = (stem: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: MANY }, (_, nth) => [
      `${nth}.xml`,
      invokerXml(
        `${stem} ${nth}`,
        Array.from({ length: 5 }, (__, at) => operationXml(`Read${at}`)).join('\n'),
      ),
    ]),
  );

/** Starts an import over GraphQL and returns the job id. */
async function importing(archive: Buffer, token = service.adminToken): Promise<number> {
  const form = new FormData();
  form.set(
    'operations',
    JSON.stringify({
      query:
        'mutation($file: Upload) { invokerImport(input: { file: $file }) { job { databaseId state } userErrors { code } } }',
      variables: { file: null },
    }),
  );
  form.set('map', JSON.stringify({ 0: ['variables.file'] }));
  form.set('0', new Blob([new Uint8Array(archive)]), 'a.zip');
  const { body } = await service.api('POST', '/graphql', {
    body: form,
    token,
    headers: { 'apollo-require-preflight': 'true' },
  });
  return body.data.invokerImport.job.databaseId as number;
}

const jobOf = (id: number): Promise<any> =>
  service.field(
    'query($id: ID!) { job(id: $id) { databaseId kind state percent message result error { code } } }',
    { id },
  );
const cancel = (id: number): Promise<any> =>
  service.mutate('jobCancel', { id }, 'job { state } userErrors { code }');

async function* progress(id: number): AsyncGenerator<any> {
  const client = socketOf(service);
  try {
    for await (const { data } of client.iterate<any>({
      query: 'subscription($id: ID!) { jobProgress(jobId: $id) { state percent message } }',
      variables: { id },
    }))
      yield data.jobProgress;
  } finally {
    await client.dispose();
  }
}

async function everything(): Promise<unknown> {
  const { invokers, auditEvents } = await service.data(
    '{ invokers(first: 1) { totalCount } auditEvents(filter: { targetType: { eq: INVOKER } }) { totalCount } }',
  );
  return {
    invokers,
    auditEvents,
    sources: await storeConnection().collection('invoker_sources').countDocuments(),
  };
}

longIt('an invoker import reports its progress to queries and subscriptions', async () => {
  const stem = unique('Listed');
  const id = await importing(await zipOf(files(stem)));
  const seen: any[] = [];
  const jobs: any[] = [];
  for await (const job of progress(id)) {
    seen.push(job);
    jobs.push(await jobOf(id));
  }
  const percents = seen.map(({ percent }) => percent as number);
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  expect(new Set(percents).size).toBeGreaterThan(3);
  expect(seen.at(-1)).toMatchObject({ state: 'SUCCEEDED', percent: 100 });
  expect(
    jobs.every(
      ({ kind, percent }, at) => kind === 'INVOKER_IMPORT' && percent >= (percents[at] ?? 0),
    ),
  ).toBe(true);
  const ended = await jobOf(id);
  expect(ended).toMatchObject({ databaseId: id, state: 'SUCCEEDED', percent: 100, error: null });
  expect(ended.result).toEqual(
    Array.from({ length: MANY }, (_, nth) => ({ id: `${stem} ${nth}` })),
  );
  const invokers = await service.field(
    'query($stem: String!) { invokers(first: 1, filter: { name: { startsWith: $stem } }) { totalCount nodes { operationCount } } }',
    { stem },
  );
  expect(invokers).toEqual({ totalCount: MANY, nodes: [{ operationCount: 5 }] });
});

it('an invoker import that is cancelled at 70 percent changes nothing', async () => {
  const at = 70;
  const stem = unique('Cancelled');
  const existing = await importedInvoker(service, `${stem} 3`);
  const { text: xml } = await service.api(
    'GET',
    `/api/invoker/${encodeURIComponent(existing)}/xml`,
  );
  const before = await everything();
  const id = await importing(await zipOf(files(stem)));
  let cancelled: any;
  const seen: any[] = [];
  for await (const job of progress(id)) {
    seen.push(job);
    if (job.percent >= at && job.state === 'RUNNING') cancelled ??= await cancel(id);
  }
  expect(cancelled).toEqual({ job: { state: 'RUNNING' }, userErrors: [] });
  expect(seen.at(-1).state).toBe('CANCELLED');
  expect(await jobOf(id)).toMatchObject({ state: 'CANCELLED', result: null });
  expect(await everything()).toEqual(before);
  expect((await service.api('GET', `/api/invoker/${encodeURIComponent(existing)}/xml`)).text).toBe(
    xml,
  );
  expect(await cancel(id)).toEqual({ job: null, userErrors: [{ code: 'JOB_ALREADY_FINISHED' }] });
});

it('an invoker import that fails on its last file changes nothing', async () => {
  const before = await everything();
  const id = await importing(await zipOf({ ...files(unique('Failed')), 'z.xml': '<invoker/>' }));
  let last: any;
  for await (const job of progress(id)) last = job;
  expect(last.state).toBe('FAILED');
  expect(await jobOf(id)).toMatchObject({
    state: 'FAILED',
    error: { code: 'INVOKER_INVALID' },
    result: null,
  });
  expect(await everything()).toEqual(before);
});
