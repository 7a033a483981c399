import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { unique } from './harness';
import type { TestService } from './harness';
import type { Calls } from './rest-calls';

/** A workflow whose run goes on until it is cancelled: whoever it calls says nothing. */
async function endless(): Promise<object> {
  const silent = createServer((socket) => socket.unref()).unref();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const methods = [{ id: 'm', index: '0', methodType: 'HTTP_REQUEST', request: { endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, method: 'GET' } }];
  return { title: unique('described'), fromConnector: { methods } };
}

/** For each operation on runs and schedules a request that succeeds. `saved` makes a workflow whose run ends by itself. */
export function runCalls(service: TestService, saved: () => Promise<number>): Calls {
  const run = async (workflowId: number): Promise<number> => (await service.api('POST', `/api/connection/${workflowId}/execution`)).body.executionId;
  const endlessRun = async (): Promise<number> => run((await service.api('POST', '/api/connection', { body: await endless() })).body.connectionId);
  /** Of a test: it goes with it. */
  const schedule = async (): Promise<number> => (await service.api('POST', '/api/connection/execution/test', { body: await endless() })).body.schedulerId;
  return {
    'POST /api/connection/{id}/execution': async () => ({ path: `/api/connection/${await saved()}/execution?logging=true` }),
    'GET /api/execution/{id}': async () => ({ path: `/api/execution/${await run(await saved())}` }),
    'POST /api/execution/{id}/cancel': async () => ({ path: `/api/execution/${await endlessRun()}/cancel` }),
    'GET /api/scheduler/all': async () => ({ path: `/api/scheduler/all?made=${await schedule()}` }),
    'GET /api/scheduler/{id}': async () => ({ path: `/api/scheduler/${await schedule()}` }),
    'GET /api/scheduler/terminate/{id}': async () => ({ path: `/api/scheduler/terminate/${await schedule()}` }),
  };
}
