import { ownAddresses } from '../../src/config/own-addresses';
import { createRunMarks } from '../../src/platform/crypto/run-marks';
import { startService } from '../support/harness';
import type { TestService } from '../support/harness';
import { remoteSystem } from '../support/remote-system';
import type { RemoteSystem } from '../support/remote-system';
import { ended } from '../support/watch';
import { method, saved, workflow } from '../support/workflows';

let service: TestService;
let remote: RemoteSystem;
beforeAll(async () => {
  remote = await remoteSystem(() => ({}));
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await remote.close();
});

/** Starts the workflow `id` at this address of the service, then calls somebody else. */
const starting = (id: number, at: string, header: Record<string, string> = {}): object => workflow([
  method('0', '', { request: { endpoint: `${at}/api/connection/${id}/execution`, method: 'POST', header: { Authorization: service.adminToken, ...header }, body: null } }),
  method('1', `${remote.url}/other`),
]);

/** A workflow that starts itself. */
async function selfStarting(at: string, header?: Record<string, string>): Promise<number> {
  const id = await saved(service, workflow([]));
  const put = await service.api('PUT', `/api/connection/${id}`, { body: starting(id, at, header) });
  expect(put.status).toBe(200);
  return id;
}

async function start(id: number, headers: Record<string, string> = {}): Promise<number> {
  const { status, body } = await service.api('POST', `/api/connection/${id}/execution`, { headers });
  expect(status).toBe(202);
  return body.executionId as number;
}

async function runsOf(id: number): Promise<any[]> {
  const RUNS = 'query($id: ID!) { runs(filter: { workflow: { eq: $id } }, first: 100) { nodes { databaseId state error { code } } } }';
  return (await service.data(RUNS, { id })).runs.nodes.sort((a: any, b: any) => a.databaseId - b.databaseId);
}

const DEEP = [...Array.from({ length: 10 }, () => 'SUCCEEDED'), 'RUN_TOO_DEEP'];

it.each([['the address it listens at', (url: string) => url, {}], ['another name of it', (url: string) => url.replace('127.0.0.1', 'localhost'), { 'X-Hypha-Run': '1.1.forged' }]])('a workflow that starts itself at %s ends with the eleventh run', async (_, addressOf, header) => {
  remote.forget();
  const id = await selfStarting(addressOf(service.url), header);
  let last = await start(id);
  for (const code of DEEP) {
    const run = await ended(service, last);
    expect(run.error?.code ?? run.state).toBe(code);
    const next = (await runsOf(id)).find(({ databaseId }) => databaseId > last);
    if (next) last = next.databaseId;
  }
  expect(await runsOf(id)).toHaveLength(11);
  // What the last one would have done is not done, and nobody else hears of runs.
  expect(remote.received).toHaveLength(10);
  expect(remote.received.flatMap(({ headers }) => Object.keys(headers)).filter((name) => /hypha/i.test(name))).toEqual([]);
});

it('believes no mark but its own', async () => {
  const id = await saved(service, workflow([]));
  const [forged, foreign] = [`7.10.${'A'.repeat(43)}`, createRunMarks(Buffer.from('the secret of somebody else, long enough')).sign({ runId: 7, depth: 10 })];
  for (const mark of [forged, foreign, '7.10.', 'x'.repeat(10_000)]) {
    expect((await ended(service, await start(id, { 'X-Hypha-Run': mark }))).state).toBe('SUCCEEDED');
  }
  const marks = createRunMarks(Buffer.from('a secret that is long enough for this'));
  expect(marks.read(marks.sign({ runId: 7, depth: 3 }))).toEqual({ runId: 7, depth: 3 });
  expect(marks.read(marks.sign({ runId: 7, depth: 3 }).replace('.3.', '.2.'))).toBeNull();
});

it('knows the service by its public URL, and by every address where it listens at all of them', () => {
  expect(ownAddresses({ host: '10.0.0.7', publicUrl: 'https://Flows.example.com:443/hypha' }, 80)).toEqual(
    ['http://localhost/', 'http://127.0.0.1/', 'http://[::1]/', 'http://10.0.0.7/', 'https://flows.example.com/hypha/']);
  expect(ownAddresses({ host: '0.0.0.0', publicUrl: null }, 8080)).toEqual(expect.arrayContaining(['http://localhost:8080/', 'http://127.0.0.1:8080/']));
});
