import { refusedCall } from './refused';
import type { ReachedService, TestService } from '../service/harness';
import { unique } from '../service/harness';
import { invokerXml, operationXml, uploadInvoker } from '../documents/invokers';
import { portalAt } from '../peers/portal';
import type { TestPortal } from '../peers/portal';
import type { Call, CallRefusal, Calls } from './rest-calls';
import { until } from '../until';

const HISTORY = '/api/sync-history';
const START = '/api/online-services/synchronisations';
const ITEMS = '/api/online-services/items';

const portalOf = async (service: TestService): Promise<TestPortal> =>
  portalAt((await service.data('{ onlineServices { address } }')).onlineServices.address);

async function allEnded(service: ReachedService): Promise<void> {
  await until(async () => {
    const { jobs } = await service.data('{ jobs(first: 20) { nodes { kind state } } }');
    return jobs.nodes.every(
      ({ kind, state }: any) =>
        kind !== 'ONLINE_SYNCHRONISATION' || !['QUEUED', 'RUNNING'].includes(state),
    );
  });
}

/** Starts a synchronisation and waits until it has ended. */
export async function synchronised(service: ReachedService, kind: string): Promise<void> {
  await allEnded(service);
  await service.api('POST', START, { body: { kind } });
  await allEnded(service);
}

/** An invoker that exists here with other content than in the portal. */
async function conflicting(service: TestService): Promise<string> {
  const { files } = await portalOf(service);
  const name = unique('Conflict');
  await uploadInvoker(service, invokerXml(name));
  files.invokers.set(name, invokerXml(name, operationXml('Other')));
  await synchronised(service, 'INVOKER');
  return name;
}

const itemIdOf = (name: string): string => `INVOKER/${name.toLowerCase()}`;

/** Successful requests for online services. */
export const onlineCalls = (service: TestService): Calls => ({
  'GET /api/sync-history': () => ({ path: HISTORY }),
  'GET /api/online-services': async () => {
    await conflicting(service);
    return { path: '/api/online-services' };
  },
  'POST /api/online-services/synchronisations': async () => {
    await allEnded(service);
    return { path: START, body: { kind: 'TEMPLATE', dryRun: true } };
  },
  'POST /api/online-services/items/take': async () => ({
    path: `${ITEMS}/take`,
    body: { itemId: itemIdOf(await conflicting(service)) },
  }),
  'POST /api/online-services/items/keep': async () => ({
    path: `${ITEMS}/keep`,
    body: { itemId: itemIdOf(await conflicting(service)) },
  }),
  'PUT /api/invoker/{name}/sync-force': async () => ({
    path: `/api/invoker/${await conflicting(service)}/sync-force`,
  }),
  'PUT /api/invoker/list/sync-force': async () => ({
    path: '/api/invoker/list/sync-force',
    body: { identifiers: [await conflicting(service)] },
  }),
});

/** Provokes the failures of online services. */
export async function* onlineRefusals(service: TestService): AsyncGenerator<CallRefusal> {
  const [one, list] = ['/api/invoker/{name}/sync-force', '/api/invoker/list/sync-force'];
  const none = unique('None');
  const portal = await portalOf(service);
  const lost = await conflicting(service);
  portal.files.invokers.set(lost, 'another file');
  for (const [name, status, code] of [
    [none, 404, 'ONLINE_ITEM_NOT_FOUND'],
    [lost, 400, 'PORTAL_FAILED'],
  ] as const) {
    yield ['PUT', one, { path: `/api/invoker/${name}/sync-force` }, status, code];
    yield refusedCall(status, code, `PUT ${list}`, { body: { identifiers: [name] } });
    const [take, keep] = ['take', 'keep'].map((each) => `${ITEMS}/${each}`);
    const body = { itemId: itemIdOf(name) };
    yield refusedCall(status, code, `POST ${take}`, { body });
    if (name === none) yield refusedCall(status, code, `POST ${keep}`, { body });
  }
  const path = '/portal/v1/templates';
  const held = new Promise<() => void>((resolve) =>
    portal.instead.set(path, (_request, response) =>
      resolve(() => response.end('{"items":[],"next":null}')),
    ),
  );
  const body = { kind: 'TEMPLATE' };
  await allEnded(service);
  await service.api('POST', START, { body });
  const release = await held;
  yield refusedCall(409, 'SYNCHRONISATION_RUNNING', `POST ${START}`, { body });
  portal.instead.delete(path);
  release();
}

/** Requests that fail if the online services are off. */
export const OFF_CALLS: readonly [method: string, path: string, call: Call][] = [
  ['POST', START, { path: START, body: { kind: 'INVOKER' } }],
  ['POST', `${ITEMS}/take`, { path: `${ITEMS}/take`, body: { itemId: 'INVOKER/echo' } }],
  ['PUT', '/api/invoker/{name}/sync-force', { path: '/api/invoker/Echo/sync-force' }],
  [
    'PUT',
    '/api/invoker/list/sync-force',
    { path: '/api/invoker/list/sync-force', body: { identifiers: ['Echo'] } },
  ],
];
