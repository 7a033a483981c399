import { spawnSync } from 'node:child_process';
import { startService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { ended, socketOf } from '../support/service/watch';
import { method, saved, started, workflow } from '../support/documents/workflows';
import { expressions, namesIn, valuesOf } from './support';

const TOKEN = 'metrics-token-of-a-test';
const withPromtool = spawnSync('promtool', ['--version']).status === 0 ? it : it.skip;
const BEARER = { token: `Bearer ${TOKEN}` };

describe('a service with a token for metrics', () => {
  let service: TestService;
  let remote: RemoteSystem;
  beforeAll(async () => {
    remote = await remoteSystem(({ path }) => ({ status: path === '/broken' ? 500 : 200 }));
    service = await startService({ env: { HYPHA_METRICS_TOKEN: TOKEN, HYPHA_STEP_RETRIES: '0' } });
  });
  afterAll(async () => {
    await service.close();
    await remote.close();
  });
  const metrics = async (): Promise<string> => {
    const answer = await service.api('GET', '/metrics', BEARER);
    expect(answer.status).toBe(200);
    return answer.text;
  };

  it('serves them only with the token', async () => {
    for (const token of [null, 'Bearer metrics-token-of-a-tesT', service.adminToken]) {
      const answer = await service.api('GET', '/metrics', { token });
      expect([answer.status, answer.body.message, answer.body.error]).toEqual([
        401,
        'ACCESS_DENIED',
        'Send the token of hypha.metrics.token as Authorization: Bearer.',
      ]);
      expect(answer.text).not.toContain('hypha_');
    }
    const answer = await service.api('GET', '/metrics', BEARER);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await service.api('POST', '/metrics', BEARER)).status).toBe(405);
  });

  it('counts requests by interface and operation, and errors by code', async () => {
    await service.api('GET', '/api/user/all');
    await service.api('GET', '/api/user/987654321');
    await service.api('GET', '/api/nothing-there');
    await service.gql('query AnyName { me { email } }');
    await service.gql('{ me { email } userGroups { nodes { name } } }');
    await service.gql('{ nothing }');
    const text = await metrics();
    const counts = valuesOf(text, 'hypha_request_duration_seconds_count');
    const of = (api: string, operation: string): number | undefined =>
      counts[`{interface="${api}",operation="${operation}"}`];
    expect(of('rest', 'GET /user/all')).toBe(1);
    expect(of('rest', 'GET /user/:id')).toBe(1);
    expect(of('graphql', 'query me')).toBe(1);
    expect(of('graphql', 'query other')).toBe(1);
    expect(of('graphql', 'other')).toBe(1);
    expect(text).not.toMatch(/AnyName|nothing-there|987654321/);
    const errors = valuesOf(text, 'hypha_errors_total');
    expect(errors).toMatchObject({
      '{interface="rest",code="USER_NOT_EXIST"}': 1,
      '{interface="other",code="NOT_FOUND"}': 1,
      '{interface="graphql",code="GRAPHQL_VALIDATION_FAILED"}': 1,
    });
  });

  it('counts sockets, their operations and subscriptions', async () => {
    const client = socketOf(service);
    const events = client.iterate({ query: 'subscription { dashboard { runningNow { title } } }' });
    await events.next();
    const me = client.iterate({ query: '{ me { email } }' });
    await me.next();
    const text = await metrics();
    expect(valuesOf(text, 'hypha_sockets')).toEqual({
      '{protocol="graphql"}': 1,
      '{protocol="stomp"}': 0,
    });
    expect(valuesOf(text, 'hypha_subscriptions')).toEqual({ '': 1 });
    expect(
      valuesOf(text, 'hypha_request_duration_seconds_count')[
        '{interface="websocket",operation="query me"}'
      ],
    ).toBe(1);
    await client.dispose();
  });

  it('counts runs, steps, outgoing calls and transactions', async () => {
    const before = valuesOf(await metrics(), 'hypha_store_transactions_total');
    for (const path of ['/fine', '/broken']) {
      const id = await saved(service, workflow([method('0', remote.url + path)]));
      await ended(service, await started(service, id));
    }
    const text = await metrics();
    expect(valuesOf(text, 'hypha_runs_ended_total')).toEqual({
      '{state="SUCCEEDED",trigger="MANUAL"}': 1,
      '{state="FAILED",trigger="MANUAL"}': 1,
    });
    expect(valuesOf(text, 'hypha_run_steps_total')).toEqual({ '': 2 });
    expect(valuesOf(text, 'hypha_outbound_calls_total')).toEqual({
      '{outcome="ok"}': 1,
      '{outcome="server_error"}': 1,
    });
    expect(valuesOf(text, 'hypha_runs')).toEqual({
      '{state="QUEUED"}': 0,
      '{state="RUNNING"}': 0,
    });
    expect(valuesOf(text, 'hypha_processes')).toEqual({
      '{state="alive"}': 1,
      '{state="late"}': 0,
      '{state="dead"}': 0,
    });
    expect(valuesOf(text, 'hypha_run_queue_oldest_seconds')).toEqual({ '': 0 });
    const after = valuesOf(text, 'hypha_store_transactions_total');
    expect(after['{outcome="committed"}']).toBeGreaterThan(before['{outcome="committed"}']);
  });

  withPromtool('gives promtool no reason to complain', async () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: await metrics(),
      encoding: 'utf8',
    });
    expect([status, stdout + stderr]).toEqual([0, '']);
  });

  it('shows every metric that the dashboard and the alerts use', async () => {
    const text = await metrics();
    const shown = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    const used = [...new Set(expressions().flatMap(namesIn))];
    expect(used.length).toBeGreaterThan(15);
    const isShown = (name: string): boolean =>
      shown.has(name) || shown.has(name.replace(/_(?:bucket|count|sum)$/, ''));
    expect(used.filter((name) => !isShown(name))).toEqual([]);
    const ofOurs = [...shown].filter((name) => name.startsWith('hypha_'));
    const isUsed = (name: string): boolean => used.some((each) => each.startsWith(name));
    expect(ofOurs.filter((name) => !isUsed(name))).toEqual([]);
  });
});

it('metrics with a port of their own are not served at the port of the service', async () => {
  const service = await startService({ env: { HYPHA_METRICS_PORT: '0' } });
  try {
    const { metricsUrl } = service.app;
    const answer = await fetch(String(metricsUrl));
    expect(await answer.text()).toContain('hypha_store_size_bytes');
    expect((await fetch(new URL('/api/user/all', String(metricsUrl)))).status).toBe(404);
    const elsewhere = await service.api('GET', '/metrics');
    expect([elsewhere.status, elsewhere.body.message]).toEqual([404, 'NOT_FOUND']);
  } finally {
    await service.close();
  }
});

it('metrics are off without a setting, and the answer names the settings', async () => {
  const service = await startService();
  try {
    expect(service.app.metricsUrl).toBeNull();
    const { status, body } = await service.api('GET', '/metrics');
    expect([status, body.error]).toEqual([
      404,
      'Metrics are not served at this address. Set hypha.metrics.token to serve them here, or hypha.metrics.port for a port of their own.',
    ]);
  } finally {
    await service.close();
  }
});
