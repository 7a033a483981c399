import type { ScheduleRecord } from '../../../src/features/schedules/schedule.model';
import { Store } from '../../../src/platform/store/store';
import { startMailServer } from '../../support/peers/mail-server';
import type { MailServer } from '../../support/peers/mail-server';
import { twoProcesses } from '../../support/service/two-processes';
import type { TwoProcesses } from '../../support/service/two-processes';
import { until } from '../../support/until';
import { workflow } from '../../support/documents/workflows';

/** The longest pause of a channel after its server failed. */
const PAUSE_MS = 60_000;
/** Of each look at the result. An attempt must end before its lease of three minutes. */
const STEP_MS = 500;
const MAX_WAIT_MS = 10 * 60_000;

let processes: TwoProcesses;
let server: MailServer | undefined;
afterEach(async () => {
  await processes.close();
  await server?.close();
});

const addressOf = (nth: number): string => `reader${nth}@hypha.test`;

/** Stores schedules, each with a notification of its own reader, and the event of an ended run. */
async function storeEvents(count: number): Promise<void> {
  const { admin, left, connections } = processes;
  const { workflows, schedules, scheduleRuns, messageTemplates } = left.services;
  const { notificationRecords } = left.services;
  const { record: saved } = await workflows.save(admin, null, { document: workflow([]) });
  const first = await schedules.create(admin, { title: 'First', workflowId: saved._id });
  const run = await scheduleRuns.fire(first._id, { trigger: 'MANUAL', actor: admin });
  const { _id: templateId } = await messageTemplates.create(admin, {
    name: 'Template',
    channel: 'email',
    contents: [{ language: 'en', subject: '{SCHEDULER_TITLE} ran', body: '{COUNT} {UNKNOWN}' }],
  });
  const ids = Array.from({ length: count }, (_, nth) => 1_000 + nth);
  await connections.left
    .collection<ScheduleRecord>('schedules')
    .insertMany(
      ids.map((_id) => ({ ...first, _id, title: `Schedule ${_id}`, titleKey: `schedule ${_id}` })),
    );
  await notificationRecords.collection.insertMany(
    ids.map((_id, nth) => ({
      ...{ _id, scheduleId: _id, templateId, name: 'Mail', eventType: 'post', version: 1 },
      recipients: [addressOf(nth)],
    })),
  );
  await new Store(connections.left).transaction(async (tx) => {
    for (const _id of ids)
      await notificationRecords.runEnded({ ...run, _id, scheduleId: _id, state: 'SUCCEEDED' }, tx);
  });
}

/** Starts what makes and sends messages, in both processes. */
function startSending(): void {
  for (const { services } of [processes.left, processes.right]) {
    services.notificationSender.start();
    for (const worker of services.deliveryWorkers) worker.start();
  }
}

async function expectDelivered(count: number): Promise<void> {
  const down = await startMailServer();
  await down.close();
  processes = await twoProcesses({ env: down.env });
  const { clock, left } = processes;
  const { deliveries } = left.services.outbox;
  await storeEvents(count);
  startSending();
  await until(async () => (await deliveries.count()) === count, MAX_WAIT_MS);
  await until(() => deliveries.exists({ error: { $ne: null } }));

  // The server is back, but each connection breaks after the message was sent.
  server = await startMailServer({}, down.port);
  const { arrived, mails } = server;
  server.afterData = 'drop';
  clock.forward(PAUSE_MS);
  await until(() => arrived.length > 0);
  server.afterData = 'accept';
  await until(async () => {
    clock.forward(STEP_MS);
    return (await deliveries.count({ state: 'SENT' })) === count;
  }, MAX_WAIT_MS);

  expect(mails.map(({ to }) => to[0]).sort()).toEqual(
    Array.from({ length: count }, (_, nth) => addressOf(nth)).sort(),
  );
  const idOf = new Map(mails.map(({ to, messageId }) => [to[0], messageId]));
  expect(new Set(idOf.values()).size).toBe(count);
  // A repeated message has the id of its first attempt.
  expect(arrived.length).toBeGreaterThan(count);
  expect(arrived.filter(({ to, messageId }) => idOf.get(to[0]) !== messageId)).toEqual([]);
  expect(mails[0].text).toContain('1 {UNKNOWN}');
}

describe('notifications of many schedules', () => {
  it('arrive once each after an outage of the mail server', () => expectDelivered(25));

  it('arrive once each even if there are a thousand', () => expectDelivered(1_000));
});
