import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { unique } from './harness';
import type { TestService } from './harness';
import type { Calls } from './rest-calls';

/** For each operation on runs a request that succeeds. `saved` makes a workflow whose run ends by itself. */
export function runCalls(service: TestService, saved: () => Promise<number>): Calls {
  const run = async (workflowId: number): Promise<number> => (await service.api('POST', `/api/connection/${workflowId}/execution`)).body.executionId;
  /** It goes on until it is cancelled: whoever it calls says nothing. */
  const endless = async (): Promise<number> => {
    const silent = createServer((socket) => socket.unref()).unref();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const methods = [{ id: 'm', index: '0', methodType: 'HTTP_REQUEST', request: { endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, method: 'GET' } }];
    const { body } = await service.api('POST', '/api/connection', { body: { title: unique('described'), fromConnector: { methods } } });
    return run(body.connectionId);
  };
  return {
    'POST /api/connection/{id}/execution': async () => ({ path: `/api/connection/${await saved()}/execution?logging=true` }),
    'GET /api/execution/{id}': async () => ({ path: `/api/execution/${await run(await saved())}` }),
    'POST /api/execution/{id}/cancel': async () => ({ path: `/api/execution/${await endless()}/cancel` }),
  };
}
