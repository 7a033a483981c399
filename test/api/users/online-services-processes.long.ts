import type { Domain } from '../../../src/domain';
import type { Actor } from '../../../src/platform/access/actor';
import { unique } from '../../support/service/harness';
import { invokerXml } from '../../support/documents/invokers';
import { movingClock } from '../../support/service/moving-clock';
import { startPortal } from '../../support/peers/portal';
import type { TestPortal } from '../../support/peers/portal';
import { twoProcesses } from '../../support/service/two-processes';
import type { TwoProcesses } from '../../support/service/two-processes';
import { until } from '../../support/until';

/* Synchronisations of two processes that share nothing but the store. */

const DAY_MS = 24 * 60 * 60 * 1_000;
const LIST = '/portal/v1/invokers';

const clocks = { left: movingClock(), right: movingClock() };
let portal: TestPortal;
let processes: TwoProcesses;
let left: Domain;
let right: Domain;
let admin: Actor;
beforeAll(async () => {
  portal = await startPortal();
  processes = await twoProcesses({
    env: { ...portal.env, HYPHA_ONLINE_SERVICES_INVOKER_SYNC_ACTIVE: 'true' },
    left: { clock: clocks.left, scheduleTickMs: 20 },
    right: { clock: clocks.right, scheduleTickMs: 20 },
  });
  ({ left, right, admin } = processes);
});
afterAll(async () => {
  await processes.close();
  await portal.close();
});

const synchronise = ({ services }: Domain) =>
  services.synchronisations.synchronise(admin, {
    kind: 'INVOKER',
    isDryRun: false,
    report: () => undefined,
  });
const history = () => left.services.synchronisationHistory.newest(10, 'INVOKER');

it('one process refuses to synchronise what the other synchronises', async () => {
  const held = new Promise<() => void>((resolve) =>
    portal.instead.set(LIST, (_request, response) => resolve(() => response.end('{"items":[]}'))),
  );
  const first = synchronise(left);
  const release = await held;
  await expect(synchronise(right)).rejects.toMatchObject({ code: 'SYNCHRONISATION_RUNNING' });
  await right.services.synchronisationHistory.endInterrupted();
  portal.instead.delete(LIST);
  release();
  expect((await first).state).toBe('SUCCEEDED');
  expect((await synchronise(right)).state).toBe('SUCCEEDED');
});

it('a synchronisation whose process died ends when the next one starts', async () => {
  const { _id } = (await left.services.synchronisationHistory.begin({
    kind: 'INVOKER',
    isDryRun: false,
    startedBy: null,
    dueAt: null,
  }))!;
  await expect(synchronise(right)).rejects.toMatchObject({ code: 'SYNCHRONISATION_RUNNING' });
  clocks.right.forward(31_000);
  await synchronise(right);
  expect((await history()).find((each) => each._id === _id)).toMatchObject({ state: 'FAILED' });
});

it('a due synchronisation is done by one of two processes', async () => {
  const name = unique('Portal');
  portal.files.invokers.set(name, invokerXml(name));
  const before = await history();
  for (const domain of [left, right]) domain.services.synchronisations.start();
  const [at] = left.services.synchronisations.sources();
  expect(right.services.synchronisations.sources()[0]).toEqual(at);
  for (const clock of Object.values(clocks)) clock.forward(DAY_MS);
  for (const { services } of [left, right])
    await until(() => services.synchronisations.sources()[0].nextAt! > at.nextAt!);
  await until(async () => {
    const [{ dueAt, state }] = await history();
    return dueAt !== null && state === 'SUCCEEDED';
  });
  await Promise.all([left, right].map(({ services }) => services.synchronisations.stop()));
  const after = await history();
  expect(after.length - before.length).toBe(1);
  expect(after[0]).toMatchObject({ startedBy: null, dueAt: at.nextAt, counts: { ADDED: 1 } });
});
