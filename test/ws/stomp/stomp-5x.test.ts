/** @jest-environment node */
import { imported, newConnector, TICKETS } from '../../support/documents/connector-invokers';
import { testService, unique } from '../../support/service/harness';
import { holdingRemote } from '../../support/peers/remote-system';
import { frontend } from '../../support/calls/stomp';
import { until } from '../../support/until';
import { method, saved, workflow } from '../../support/documents/workflows';
import { openForTests } from '../../support/open-for-tests';

const service = testService();
const remote = openForTests(holdingRemote);

const open = (token?: string) => frontend(service, { prefix: '/released/ws', token });
const call = async (verb: string, path: string, body?: object): Promise<any> =>
  (await service.api(verb, `/released/api/${path}`, { body })).body;
const schedule = async (connectionId: number): Promise<any> =>
  call('POST', 'scheduler', { title: unique('Schedule '), connectionId, cronExp: '' });

it('the running schedules are sent complete, and again after each change', async () => {
  const connectionId = await saved(service, workflow([method('0', `${remote.url}/held`)]));
  const { schedulerId, title } = await schedule(connectionId);
  const client = await open();
  const topic = '/scheduler/running/all';
  client.subscribe(topic);
  await client.until(topic, (all) => all.length === 1);
  await call('GET', `scheduler/execute/${schedulerId}`);
  const [, [running]] = await client.until(topic, (all) => all.length === 2);
  expect(running).toEqual({
    execId: expect.any(Number),
    schedulerId,
    connectionId,
    title,
    startTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    avgDuration: 0,
    fromConnector: 'DEFAULT',
    toConnector: null,
  });
  remote.release();
  expect(await client.until(topic, (all) => all.length === 3)).toEqual([[], [running], []]);
  await client.close();
});

it('a test is in the list that the editor reads after a reload, until it has ended', async () => {
  const remaining = async (): Promise<number[]> =>
    (await call('GET', 'scheduler/running/all')).map((one: any) => one.schedulerId);
  const { schedulerId } = await call(
    'POST',
    'connection/execution/test?channelId=c1',
    workflow([method('0', `${remote.url}/held`)]),
  );
  expect(await remaining()).toEqual([schedulerId]);
  expect((await service.api('GET', '/documented/api/scheduler/running/all')).body).toEqual([]);
  const other = await service.userWith(['SCHEDULE:READ']);
  expect(
    (await service.api('GET', '/released/api/scheduler/running/all', { token: other.token })).body,
  ).toEqual([]);
  expect(await call('GET', `scheduler/terminate/${schedulerId}`)).toBe('');
  await until(async () => (await remaining()).length === 0);
});

it('the metrics count the runs and describe the machine', async () => {
  const { schedulerId } = await schedule(
    await saved(service, workflow([method('0', `${remote.url}/quick`)])),
  );
  const counted = async (): Promise<any> => {
    const client = await open();
    client.subscribe('/subscription/system/metrics');
    const [sample] = await client.until('/subscription/system/metrics', (all) => all.length > 0);
    await client.close();
    return sample;
  };
  await call('GET', `scheduler/execute/${schedulerId}`);
  while ((await call('GET', `scheduler/${schedulerId}`)).lastExecution === null);
  const sample = await counted();
  expect(Object.keys(sample)).toEqual(
    expect.arrayContaining(['total_execs', 'total_failed_execs', 'exec_log_size', 'timestamp']),
  );
  for (const name of [
    'total_execs',
    'average_runtime_s',
    'total_runtime',
    'memory_usage',
    'max_memory_size',
    'disk',
    'timestamp',
  ])
    expect([name, sample[name] > 0]).toEqual([name, true]);
  expect(sample.cpu_usage).toBeLessThanOrEqual(100);
  expect(sample.memory_usage).toBeLessThan(sample.max_memory_size);
});

it('the state of a connector is sent when it was checked', async () => {
  const id = await newConnector(service, await imported(service, TICKETS), {
    url: remote.url,
    token: 't',
  });
  const client = await open();
  client.subscribe('/connector/status', { receipt: 'there' });
  await client.receipt('there');
  const refreshed = await call('POST', `connector/${id}/status/refresh`);
  const [row] = await client.until('/connector/status', (all) => all.length > 0);
  expect(row).toEqual(refreshed);
  expect(row).toMatchObject({ connectorId: id, status: 'UP' });
  expect(await call('GET', 'connector/meta/all')).toContainEqual(row);
  await client.close();
});

it('a user receives only what they may read', async () => {
  const { token } = await service.userWith(['SCHEDULE:READ']);
  const client = await open(token);
  for (const topic of ['/subscription/system/metrics', '/connector/status', '/subscription'])
    client.subscribe(topic);
  client.subscribe('/scheduler/running/all');
  await client.until('/scheduler/running/all', (all) => all.length > 0);
  await client.until('/subscription', (all) => all.length > 0);
  expect(client.messages['/subscription/system/metrics'] ?? []).toEqual([]);
  expect(client.errors).toEqual([]);
  await client.close();
});
