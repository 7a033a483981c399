import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTraceparent } from '../../src/platform/tracing/tracing';
import { ADMIN_EMAIL, ADMIN_PASSWORD, reachedAt } from '../support/service/harness';
import type { ReachedService } from '../support/service/harness';
import { ROOT, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { ended, socketOf } from '../support/service/watch';
import { method, saved, workflow } from '../support/documents/workflows';
import { attributeOf, openCollector } from './collector';
import type { Collector, SentSpan } from './collector';
import { valuesOf } from './support';

/* The built service: the exporter of OpenTelemetry loads modules in a way that Jest does not support. */

const METRICS_TOKEN = 'metrics-token-of-a-test';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT_ID = 'b7ad6b7169203331';
const SERVER = 2;
const CLIENT = 3;
/** Values that must appear in no metric, span or log line. */
const PLANTED = {
  query: 'planted-in-a-query',
  header: 'planted-in-a-header',
  named: 'planted-as-a-named-secret',
  master: 'planted-master-password',
  login: 'planted-as-a-password',
  token: 'planted-as-a-webhook-token-000000000000000',
  collector: 'planted-for-the-collector',
};

let dataDir: string;
let collector: Collector;
let remote: RemoteSystem;
let running: Running;
let service: ReachedService;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hypha-test-'));
  collector = await openCollector();
  remote = await remoteSystem(({ path }) => ({ status: path.startsWith('/broken') ? 500 : 200 }));
  running = startProcess({
    PORT: '0',
    DATA_DIR: dataDir,
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    HYPHA_LOG_LEVEL: 'debug',
    HYPHA_STEP_RETRIES: '0',
    HYPHA_METRICS_TOKEN: METRICS_TOKEN,
    HYPHA_CONNECTOR_MASTER_PASSWORD: PLANTED.master,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `api-key=${PLANTED.collector}`,
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  service = await reachedAt(await readyUrl(running));
});
afterAll(async () => {
  running.child.kill('SIGTERM');
  await running.exit;
  await remote.close();
  await collector.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const metrics = async (): Promise<string> =>
  (await service.api('GET', '/metrics', { token: `Bearer ${METRICS_TOKEN}` })).text;

async function savedWithSecrets(): Promise<number> {
  const { status } = await service.api('POST', '/api/secret', {
    body: { name: 'PLANTED', note: null, value: PLANTED.named, origins: [remote.url] },
  });
  expect(status).toBe(201);
  return saved(
    service,
    workflow([
      method('0', `${remote.url}/fine?key=${PLANTED.query}`),
      method('1', remote.url, {
        request: {
          endpoint: `${remote.url}/broken/{%secret.PLANTED%}`,
          method: 'GET',
          header: { Authorization: `Bearer ${PLANTED.header}` },
          body: null,
        },
      }),
    ]),
  );
}

it('a request, its run, the steps and their calls are one trace, across processes', async () => {
  const { body } = await service.api('POST', '/graphql', {
    headers: { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` },
    body: {
      query:
        'mutation Chosen($id: ID!) { workflowRun(input: { workflowId: $id }) { run { databaseId } } }',
      variables: { id: await savedWithSecrets() },
    },
  });
  const { state } = await ended(service, body.data.workflowRun.run.databaseId);
  expect(state).toBe('FAILED');
  const named =
    (spanName: string) =>
    ({ name, traceId }: SentSpan): boolean =>
      name === spanName && traceId === TRACE_ID;
  const request = await collector.until(named('mutation workflowRun'));
  const run = await collector.until(named('run'));
  expect([request.parentSpanId, request.kind]).toEqual([PARENT_ID, SERVER]);
  expect(attributeOf(request, 'http.response.status_code')).toBe(200);
  expect(run.parentSpanId).toBe(request.spanId);
  expect([attributeOf(run, 'hypha.run.state'), attributeOf(run, 'error.type')]).toEqual([
    'FAILED',
    'HTTP_STATUS_ERROR',
  ]);
  const below = (parent: SentSpan): SentSpan[] =>
    collector.spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
  const steps = below(run);
  expect(steps.map((step) => [step.name, attributeOf(step, 'hypha.step.index')])).toEqual([
    ['step', '0'],
    ['step', '1'],
  ]);
  const calls = steps.flatMap(below);
  expect(
    calls.map((call) => [call.name, call.kind, attributeOf(call, 'http.response.status_code')]),
  ).toEqual([
    ['GET', CLIENT, 200],
    ['GET', CLIENT, 500],
  ]);
  expect(remote.received.map(({ headers }) => headers.traceparent)).toEqual(
    calls.map(({ traceId, spanId }) => writeTraceparent({ traceId, spanId, isSampled: true })),
  );
  for (const span of [request, run, ...steps, ...calls])
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
  expect(collector.texts[0]).toContain('deployment.environment.name');
});

it('operations of sockets have spans, and runs that they start belong to them', async () => {
  const workflowId = await saved(service, workflow([method('0', `${remote.url}/fine`)]));
  const client = socketOf(service);
  const answers = client.iterate<any>({
    query: 'mutation($id: ID!) { workflowRun(input: { workflowId: $id }) { run { databaseId } } }',
    variables: { id: workflowId },
  });
  const { value } = await answers.next();
  const runId = value.data.workflowRun.run.databaseId as number;
  await client.dispose();
  await ended(service, runId);
  const run = await collector.until(
    (span) => span.name === 'run' && String(attributeOf(span, 'hypha.run.id')) === String(runId),
  );
  const operation = await collector.until(({ spanId }) => spanId === run.parentSpanId);
  expect([operation.name, attributeOf(operation, 'hypha.interface')]).toEqual([
    'mutation workflowRun',
    'websocket',
  ]);
});

it('neither probes nor requests that the client does not sample have spans', async () => {
  await service.api('GET', '/healthz');
  await service.api('GET', '/api/user/all', {
    headers: { traceparent: `00-${TRACE_ID}-${PARENT_ID}-00` },
  });
  await service.api('GET', '/api/component/all');
  await collector.until(({ name }) => name === 'GET /component/all');
  const names = collector.spans.map(({ name }) => name);
  expect(names).not.toContain('GET /user/all');
  expect(names.filter((name) => name.includes('health'))).toEqual([]);
});

it('outgoing calls of run processes are counted', async () => {
  expect(valuesOf(await metrics(), 'hypha_outbound_calls_total')).toMatchObject({
    '{outcome="server_error"}': 1,
  });
});

it('planted secrets are in no metric, span or log line', async () => {
  await service.api('POST', '/login', {
    token: null,
    body: { email: 'nobody@hypha.test', password: PLANTED.login },
  });
  await service.api('GET', `/api/webhook/execute/${PLANTED.token}`, { token: null });
  await service.api('GET', '/api/connector/all', {
    headers: { 'X-Master-Password': PLANTED.master },
  });
  await service.api('GET', `/${PLANTED.token}`, { headers: { 'X-Api-Key': PLANTED.header } });
  await service.gql(`query ${PLANTED.query.replaceAll('-', '_')} { me { email } }`);
  await service.api('GET', '/api/invoker/all');
  await collector.until(({ name }) => name === 'GET /invoker/all');
  const sources = { metrics: await metrics(), spans: collector.texts.join('\n') };
  for (const [source, text] of Object.entries(sources)) {
    expect(text.length).toBeGreaterThan(1_000);
    for (const value of Object.values(PLANTED))
      for (const form of [value, value.replaceAll('-', '_')])
        expect([source, text.includes(form)]).toEqual([source, false]);
  }
  expect(running.output).toContain('"path":"/api/invoker/all"');
  const { token: _path, ...values } = PLANTED;
  for (const value of Object.values(values)) expect(running.output).not.toContain(value);
  expect(running.output).not.toContain(`webhook/execute/${PLANTED.token}`);
});

it('a collector that does not respond is logged once, and a stop does not wait for it', async () => {
  const lost = await openCollector();
  await lost.close();
  const dir = mkdtempSync(join(tmpdir(), 'hypha-test-'));
  const other = startProcess({
    PORT: '0',
    DATA_DIR: dir,
    OTEL_EXPORTER_OTLP_ENDPOINT: lost.url,
    OTEL_BSP_SCHEDULE_DELAY: '20',
  });
  try {
    const url = await readyUrl(other);
    await fetch(`${url}/config.json`);
    await other.says(/Spans could not be sent to the OpenTelemetry collector/);
    other.child.kill('SIGTERM');
    expect((await other.exit).code).toBe(0);
    expect(other.output.match(/Spans could not be sent/g)).toHaveLength(1);
  } finally {
    other.child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
});

/** Starts the built service and prints how many files of these packages are loaded. */
const LOADED = `
  const { startApp } = require('./dist/app.js');
  const { loadConfig } = require('./dist/config/load.js');
  const { createLogger } = require('./dist/platform/log/logger.js');
  const { config } = loadConfig(process.env, process.cwd());
  startApp(config, { log: createLogger(config) }).then(async (app) => {
    const files = Object.keys(require.cache);
    await app.stop();
    console.log(files.filter((path) => /prom-client|@opentelemetry/.test(path)).length);
    process.exit();
  });
`;

it('a service without metrics and tracing loads none of their packages', () => {
  const dir = mkdtempSync(join(tmpdir(), 'hypha-test-'));
  const loadedWith = (env: Record<string, string>): number =>
    Number(
      execFileSync(process.execPath, ['-e', LOADED], {
        cwd: ROOT,
        env: {
          PATH: process.env.PATH,
          DATA_DIR: dir,
          PORT: '0',
          HYPHA_LOG_LEVEL: 'silent',
          ...env,
        },
      }).toString(),
    );
  try {
    expect(loadedWith({})).toBe(0);
    expect(loadedWith({ HYPHA_METRICS_PORT: '0', OTEL_TRACES_EXPORTER: 'otlp' })).toBeGreaterThan(
      10,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
