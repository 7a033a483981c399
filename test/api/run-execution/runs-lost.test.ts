import type { RemoteSystem } from '../../support/peers/remote-system';
import { remoteSystem } from '../../support/peers/remote-system';
import type { TwoProcesses } from '../../support/service/two-processes';
import { twoProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

const PUBLIC_URL = 'https://hypha.test';
/** Longer than a lease and the tolerance for clock differences. */
const OVER_MS = 60_000;

let processes: TwoProcesses;
let remote: RemoteSystem;
let answerHeld: () => void;
beforeAll(async () => {
  remote = await remoteSystem(({ path }) =>
    path === '/held' ? new Promise((resolve) => (answerHeld = () => resolve({}))) : {},
  );
  processes = await twoProcesses({ env: { HYPHA_PUBLIC_URL: PUBLIC_URL } });
});
afterAll(async () => {
  await processes.close();
  await remote.close();
});

const saved = async (methods: object[]): Promise<number> => {
  const { left, admin } = processes;
  return (await left.services.workflows.save(admin, null, { document: workflow(methods) })).record
    ._id;
};

/** The URL of a webhook that starts the workflow. */
async function webhookOf(workflowId: number): Promise<string> {
  const { left, admin } = processes;
  const { schedules, webhooks } = left.services;
  const { _id } = await schedules.create(admin, { title: 'Called', workflowId, enabled: false });
  const { token } = await webhooks.shown(await webhooks.create(admin, _id));
  return `${PUBLIC_URL}/api/webhook/execute/${token}`;
}

it('a run that another process has ended starts no webhook', async () => {
  const { left, right, admin, clock, connections } = processes;
  const called = await saved([method('0', `${remote.url}/`)]);
  const calling = await saved([
    method('0', `${remote.url}/held`),
    method('1', await webhookOf(called), { methodType: 'WEBHOOK' }),
  ]);
  const { _id } = await left.services.runs.run(admin, calling, { logging: false });
  await remote.next();
  clock.forward(OVER_MS);
  expect(await right.services.runRecovery.recover()).toBe(1);
  answerHeld();
  while (left.services.runQueue.active.has(_id)) await new Promise(setImmediate);
  expect(await connections.right.collection('runs').find().toArray()).toMatchObject([
    { workflowId: calling, state: 'INTERRUPTED' },
  ]);
});
