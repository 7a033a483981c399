import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { ended } from '../../support/service/watch';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();
const remote = testRemote(() => answer());
let answer: () => RemoteAnswer | Promise<RemoteAnswer>;
beforeEach(() => {
  answer = () => ({ body: { ok: true } });
  remote.forget();
});

const calling = (): Promise<number> =>
  saved(service, workflow([method('0', `${remote.url}/called`)]));
const start = (id: number, query = '', token?: string) =>
  service.api('POST', `/api/connection/${id}/execution${query}`, { token });
const shown = (executionId: number, token?: string) =>
  service.api('GET', `/api/execution/${executionId}`, { token });
const cancel = (executionId: number, token?: string) =>
  service.api('POST', `/api/execution/${executionId}/cancel`, { token });

function held(): () => void {
  let letGo: (answer: RemoteAnswer) => void = () => undefined;
  const waiting = new Promise<RemoteAnswer>((resolve) => {
    letGo = resolve;
  });
  answer = () => waiting;
  return () => letGo({ body: {} });
}

describe('a run over REST', () => {
  it('is started and observed until its end', async () => {
    const letGo = held();
    const id = await calling();
    const { status, body, headers } = await start(id);
    expect([status, headers.get('location')]).toEqual([
      202,
      `${service.url}/api/execution/${body.executionId}`,
    ]);
    expect(body).toEqual({
      executionId: expect.any(Number),
      connectionId: id,
      title: expect.any(String),
      state: 'QUEUED',
      trigger: 'MANUAL',
      logging: false,
      hasLog: false,
      startedBy: { userId: 1, email: expect.stringContaining('@') },
      queuedTime: expect.any(Number),
      resumable: false,
      retryFrom: [],
      startTime: null,
      endTime: null,
      duration: null,
      steps: null,
      warnings: 0,
      error: null,
      wait: {
        reason: expect.stringMatching(/^(CAPACITY|PROCESS_START)$/),
        message: expect.any(String),
      },
    });
    await remote.next();
    expect((await shown(body.executionId)).body).toMatchObject({
      state: 'RUNNING',
      startTime: expect.any(Number),
      endTime: null,
    });
    letGo();
    await ended(service, body.executionId);
    const { body: last } = await shown(body.executionId);
    expect(last).toMatchObject({ state: 'SUCCEEDED', steps: 1, error: null });
    expect(last.duration).toBe(last.endTime - last.startTime);
    expect(last.queuedTime).toBeLessThanOrEqual(last.startTime);
  });

  it('records requests and responses on request', async () => {
    const {
      body: { executionId, logging },
    } = await start(await calling(), '?logging=true');
    expect(logging).toBe(true);
    expect(await ended(service, executionId)).toMatchObject({ state: 'SUCCEEDED' });
    const run = await service.field(
      'query($id: ID!) { run(id: $id) { logging trigger events { nodes { ... on StepFinished { request { url } } } } } }',
      { id: executionId },
    );
    expect(run).toMatchObject({ logging: true, trigger: 'MANUAL' });
    expect(run.events.nodes.map(({ request }: any) => request?.url).filter(Boolean)).toEqual([
      `${remote.url}/called`,
    ]);
    for (const wrong of ['?logging=yes', '?logging=', '?logging=1'])
      expect((await start(await calling(), wrong)).status).toBe(400);
  });

  it('is cancelled once', async () => {
    const letGo = held();
    const {
      body: { executionId },
    } = await start(await calling());
    await remote.next();
    expect(await cancel(executionId)).toMatchObject({
      status: 200,
      body: { executionId, state: 'CANCELLED' },
    });
    expect(await cancel(executionId)).toMatchObject({
      status: 409,
      body: { message: 'EXECUTION_ALREADY_FINISHED' },
    });
    letGo();
  });

  it('of a test is visible to its user and to administrators', async () => {
    const [tester, other] = await Promise.all([
      service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']),
      service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']),
    ]);
    const {
      body: { runId },
    } = await service.api('POST', '/api/connection/execution/test', {
      token: tester.token,
      body: workflow([method('0', `${remote.url}/test`)]),
    });
    await ended(service, runId);
    for (const token of [tester.token, undefined])
      expect((await shown(runId, token)).body).toMatchObject({
        trigger: 'TEST',
        startedBy: { userId: tester.id },
      });
    for (const act of [shown, cancel])
      expect(await act(runId, other.token)).toMatchObject({
        status: 404,
        body: { message: 'EXECUTION_NOT_FOUND' },
      });
  });
});
