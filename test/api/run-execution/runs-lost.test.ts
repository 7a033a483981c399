import { LEASE_TIMES } from '../../../src/features/runs/leases/run-leases';
import { testRemote } from '../../support/peers/remote-system';
import { testProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

const PUBLIC_URL = 'https://hypha.test';
/** Longer than a lease and the tolerance for clock differences. */
const OVER_MS = 60_000;
/** Leases that no process renews or checks by itself. */
const LEASES = { runLeases: { ...LEASE_TIMES, beatMs: 3_600_000 } };

const processes = testProcesses({
  env: { HYPHA_PUBLIC_URL: PUBLIC_URL },
  left: LEASES,
  right: LEASES,
});
const remote = testRemote(({ path }) =>
  path === '/held' ? new Promise((resolve) => (answerHeld = () => resolve({}))) : {},
);
let answerHeld: () => void;

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

/** Until its first event is stored: the write would renew a lease that has ended. */
async function untilStarted(runId: number): Promise<void> {
  const { left, admin } = processes;
  const { signal } = new AbortController();
  for await (const { event } of await left.services.runEvents.follow(admin, runId, 0, signal))
    if (event.kind === 'StepStarted') return;
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
  await untilStarted(_id);
  clock.forward(OVER_MS);
  expect(await right.services.runRecovery.recover()).toBe(1);
  answerHeld();
  while (left.services.runQueue.active.has(_id)) await new Promise(setImmediate);
  expect(await connections.right.collection('runs').find().toArray()).toMatchObject([
    { workflowId: calling, state: 'INTERRUPTED' },
  ]);
});
