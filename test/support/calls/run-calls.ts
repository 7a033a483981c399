import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { unique } from '../service/harness';
import type { TestService } from '../service/harness';
import type { Calls } from './rest-calls';
import { ended } from '../service/watch';

/** A workflow whose run continues until it is cancelled, because its remote system does not answer. */
async function endless(): Promise<object> {
  const silent = createServer((socket) => socket.unref()).unref();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const methods = [
    {
      id: 'm',
      index: '0',
      methodType: 'HTTP_REQUEST',
      request: {
        endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
        method: 'GET',
      },
    },
  ];
  return { title: unique('described'), fromConnector: { methods } };
}

/** A successful request for each operation on runs and schedules. `saved` creates a workflow whose run ends. */
export function runCalls(service: TestService, saved: () => Promise<number>): Calls {
  const run = async (workflowId: number): Promise<number> =>
    (await service.api('POST', `/api/connection/${workflowId}/execution`)).body.executionId;
  const loggedRun = async (): Promise<number> => {
    const runId = (
      await service.api('POST', `/api/connection/${await saved()}/execution?logging=true`)
    ).body.executionId as number;
    await ended(service, runId);
    return runId;
  };
  const endlessRun = async (): Promise<number> =>
    run(
      (await service.api('POST', '/api/connection', { body: await endless() })).body.connectionId,
    );
  /** The workflow of a test is removed with it. */
  const schedule = async (): Promise<number> =>
    (await service.api('POST', '/api/connection/execution/test', { body: await endless() })).body
      .schedulerId;
  const lasting = async (): Promise<{
    schedulerId: number;
    title: string;
    connectionId: number;
  }> => {
    const input = { title: unique('described'), connectionId: await saved() };
    return {
      ...input,
      schedulerId: (await service.api('POST', '/api/scheduler', { body: input })).body.schedulerId,
    };
  };
  const named = async () => ({ identifiers: [(await lasting()).schedulerId] });
  const webhook = async (): Promise<{ webhookId: number; path: string }> => {
    const { body } = await service.api(
      'GET',
      `/api/webhook/url/1/${(await lasting()).schedulerId}`,
    );
    return { webhookId: body.webhookId, path: new URL(body.url as string).pathname };
  };
  return {
    'GET /api/webhook/execute/{token}': async () => ({
      path: `${(await webhook()).path}?name=Ann&list=[1,2]`,
    }),
    'POST /api/webhook/execute/{token}': async () => ({
      path: (await webhook()).path,
      body: { name: 'Ann' },
    }),
    'GET /api/widget/all': () => ({ path: '/api/widget/all' }),
    'GET /api/widget/{id}': () => ({ path: '/api/widget/1' }),
    'POST /api/widget': () => ({
      path: '/api/widget',
      body: { widgetId: 0, i: unique('DESCRIBED_'), icon: 'insights', tooltipTranslationKey: null },
    }),
    'DELETE /api/widget/{id}': async () => ({
      path: `/api/widget/${(await service.api('POST', '/api/widget', { body: { i: unique('DESCRIBED_') } })).body.widgetId}`,
    }),
    'GET /api/widget_setting/user/{userId}': () => ({ path: '/api/widget_setting/user/1' }),
    'POST /api/widget_setting': () => ({
      path: '/api/widget_setting',
      body: {
        userId: 1,
        widgetSettings: [
          {
            widgetId: 1,
            widgetSettingId: null,
            i: 'CONNECTION_OVERVIEW',
            x: 0,
            y: null,
            w: 6,
            h: 4,
            minW: 1,
            minH: 1,
            moved: false,
            static: false,
          },
        ],
      },
    }),
    'GET /api/webhook/health': () => ({ path: '/api/webhook/health' }),
    'GET /api/webhook/supported/types': () => ({ path: '/api/webhook/supported/types' }),
    'GET /api/webhook/url/{userId}/{schedulerId}': async () => ({
      path: `/api/webhook/url/1/${(await lasting()).schedulerId}`,
    }),
    'DELETE /api/webhook/{id}': async () => ({
      path: `/api/webhook/${(await webhook()).webhookId}`,
    }),
    'POST /api/scheduler': async () => ({
      path: '/api/scheduler',
      body: {
        schedulerId: 0,
        title: unique('described'),
        connectionId: await saved(),
        cronExp: '0 0 6 * * ?',
        timeZone: 'Europe/Berlin',
        status: true,
        debugMode: false,
        notificationResources: [],
      },
    }),
    'PUT /api/scheduler/{id}': async () => {
      const made = await lasting();
      return {
        path: `/api/scheduler/${made.schedulerId}`,
        body: { ...made, cronExp: '', status: false, notificationResources: [] },
      };
    },
    'PUT /api/scheduler/{id}/title': async () => ({
      path: `/api/scheduler/${(await lasting()).schedulerId}/title`,
      body: { title: unique('described') },
    }),
    'PUT /api/scheduler/{id}/status': async () => ({
      path: `/api/scheduler/${(await lasting()).schedulerId}/status`,
      body: { status: false },
    }),
    'DELETE /api/scheduler/{id}': async () => ({
      path: `/api/scheduler/${(await lasting()).schedulerId}`,
    }),
    'GET /api/scheduler/execute/{id}': async () => ({
      path: `/api/scheduler/execute/${(await lasting()).schedulerId}`,
    }),
    'GET /api/scheduler/running/all': () => ({ path: '/api/scheduler/running/all' }),
    'POST /api/scheduler/list/get': async () => ({
      path: '/api/scheduler/list/get',
      body: await named(),
    }),
    'PUT /api/scheduler/startAll': async () => ({
      path: '/api/scheduler/startAll',
      body: await named(),
    }),
    'PUT /api/scheduler/enableAll': async () => ({
      path: '/api/scheduler/enableAll',
      body: await named(),
    }),
    'PUT /api/scheduler/disableAll': async () => ({
      path: '/api/scheduler/disableAll',
      body: await named(),
    }),
    'PUT /api/scheduler/list/delete': async () => ({
      path: '/api/scheduler/list/delete',
      body: await named(),
    }),
    'POST /api/connection/{id}/execution': async () => ({
      path: `/api/connection/${await saved()}/execution?logging=true`,
    }),
    'GET /api/execution/log-files': () => ({
      path: '/api/execution/log-files?connectionId=-1&schedulerId=-1&status=s',
    }),
    'GET /api/execution/logs/children': async () => {
      await loggedRun();
      return {
        path: `/api/execution/logs/children?fileName=${(await service.api('GET', '/api/execution/log-files')).body.result[0]}`,
      };
    },
    'GET /api/execution/logs/search': async () => ({
      path: `/api/execution/logs/search?connectionId=${await saved()}&text=a&status=FAIL&type=OPERATION&first=1`,
    }),
    'GET /api/execution/log/element/{elementId}/children': async () => ({
      path: `/api/execution/log/element/${await loggedRun()}/children`,
    }),
    'GET /api/execution/log/element/{elementId}/details': async () => ({
      path: `/api/execution/log/element/${await loggedRun()}/details`,
    }),
    'GET /api/execution/{id}/raw/log': async () => ({
      path: `/api/execution/${await loggedRun()}/raw/log`,
    }),
    'GET /api/execution/{id}': async () => ({ path: `/api/execution/${await run(await saved())}` }),
    ...Object.fromEntries(
      ['GET', 'PUT', 'DELETE'].map((method) => [
        `${method} /api/connection/{id}/error-workflow`,
        async () => ({
          path: `/api/connection/${await saved()}/error-workflow`,
          ...(method === 'PUT' && { body: { connectionId: await saved() } }),
        }),
      ]),
    ),
    ...Object.fromEntries(
      ['GET', 'PUT'].map((method) => [
        `${method} /api/connection/{id}/resume`,
        async () => ({
          path: `/api/connection/${await saved()}/resume`,
          ...(method === 'PUT' && { body: { resume: true } }),
        }),
      ]),
    ),
    'POST /api/execution/{id}/retry': async () => {
      const id = await run(await saved());
      await ended(service, id);
      return { path: `/api/execution/${id}/retry` };
    },
    'POST /api/execution/retry': () => ({
      path: '/api/execution/retry',
      body: {
        connectionIds: [4_711],
        schedulerIds: null,
        codes: ['RUN_CRASHED'],
        from: 0,
        until: 1,
      },
    }),
    'POST /api/execution/{id}/cancel': async () => ({
      path: `/api/execution/${await endlessRun()}/cancel`,
    }),
    'GET /api/scheduler/all': async () => ({ path: `/api/scheduler/all?made=${await schedule()}` }),
    'GET /api/scheduler/{id}': async () => ({ path: `/api/scheduler/${await schedule()}` }),
    'GET /api/scheduler/terminate/{id}': async () => ({
      path: `/api/scheduler/terminate/${await schedule()}`,
    }),
  };
}
