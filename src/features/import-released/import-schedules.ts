import { isCurable, reasonsOf } from '../../platform/errors/errors';
import { MAX_TITLE_LENGTH } from '../schedules/schedule.schema';
import type { ScheduleChange } from '../schedules/schedule.model';
import { DUMP_FILES } from './dump.schema';
import type { DumpEntry } from './dump.schema';
import { FreeNames } from './free-names';
import { importRecord } from './import-context';
import type { ImportContext } from './import-context';
import type { Place } from './report';

const TEST_PREFIX = '!*test_schedule_';

type Schedule = DumpEntry<'schedules'>;

/** What schedules refer to. */
interface Referenced {
  readonly workflows: ReadonlySet<number>;
  readonly messages: ReadonlySet<number>;
  /** E-mails by id. */
  readonly users: ReadonlyMap<number, string>;
}

/** Imports schedules with their webhooks and notifications. */
export async function importSchedules(
  context: ImportContext,
  referenced: Referenced,
): Promise<void> {
  const { report, dump } = context;
  if (dump.schedules.length > 0)
    report.assumed(
      { file: DUMP_FILES.schedules.file, index: null },
      `The cron expressions are read in the configured time zone, ${context.timeZone}.`,
    );
  const names = new FreeNames(MAX_TITLE_LENGTH);
  for (const [index, schedule] of dump.schedules.entries()) {
    const place = { file: DUMP_FILES.schedules.file, index };
    const { schedulerId: id, connection } = schedule;
    if (schedule.title?.startsWith(TEST_PREFIX)) {
      report.leftOut(place, `${schedule.title}: It is left over from a test.`);
      continue;
    }
    if (!referenced.workflows.has(connection)) {
      report.leftOut(
        place,
        `${schedule.title ?? id}: The connection ${connection} does not come over.`,
      );
      continue;
    }
    const title = names.take(schedule.title, `Schedule ${id}`, place, report);
    const done = await importRecord(report, place, title, () =>
      create(context, schedule, title, place),
    );
    if (!done) continue;
    await importWebhook(context, schedule, title, referenced, place);
    await importNotifications(context, schedule, title, referenced, place);
  }
}

/** A cron expression that is not valid, or has no time left, leaves a schedule without times. */
async function create(
  { actor, tx, report, services }: ImportContext,
  { schedulerId: id, connection, cronExp, status, debugMode }: Schedule,
  title: string,
  place: Place,
): Promise<void> {
  const fields: ScheduleChange = {
    title,
    workflowId: connection,
    cron: cronExp ?? '',
    enabled: status ?? false,
    logging: debugMode ?? false,
  };
  try {
    await services.schedules.create(actor, fields, undefined, { id, tx });
  } catch (error) {
    const problem = isCurable(error)
      ? reasonsOf(error).find(({ path }) => path[0] === 'cron')
      : null;
    if (!problem) throw error;
    const changes = { cron: '', enabled: false };
    await services.schedules.create(actor, { ...fields, ...changes }, undefined, { id, tx });
    report.changed(
      place,
      `${title}: The cron expression ${JSON.stringify(cronExp)} cannot be used: ${problem.message} The schedule is disabled and has no times.`,
    );
  }
}

/** The URL of a webhook stays valid: its token is kept. */
async function importWebhook(
  { actor, tx, report, services }: ImportContext,
  { schedulerId: scheduleId, webhook }: Schedule,
  title: string,
  { users }: Referenced,
  place: Place,
): Promise<void> {
  if (!webhook) return;
  const token = tokenIn(webhook.url);
  const refuse = (reason: string): void =>
    report.partLeftOut(
      place,
      `${title}: The webhook ${webhook.webhookId}: ${reason} Create it again.`,
    );
  if (token === null || !services.webhooks.isToken(token))
    return refuse('The URL does not end with a token.');
  if (await services.webhooks.isTaken(token, tx)) return refuse('Another schedule has its token.');
  const userId = ownerIn(token);
  const owner = [...users].find(([id]) => userId === null || id === userId);
  if (!owner) return refuse(ownerMissing(userId));
  const author = { userId: owner[0], email: owner[1] };
  await services.webhooks.adopt(
    actor,
    { scheduleId, token, author },
    { id: webhook.webhookId, tx },
  );
}

const ownerMissing = (userId: number | null): string =>
  userId === null ? 'No user comes over.' : `The user ${userId} who created it does not come over.`;

function tokenIn(url: string): string | null {
  const [path = ''] = url.trim().split(/[?#]/);
  return path.split('/').findLast((part) => part !== '') ?? null;
}

/** Returns the user in the claims of a signed token; null if it names none. */
function ownerIn(token: string): number | null {
  const [, claims = ''] = token.split('.');
  try {
    const { userId } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
      readonly userId?: unknown;
    };
    return typeof userId === 'number' || typeof userId === 'string' ? Number(userId) : null;
  } catch {
    return null;
  }
}

async function importNotifications(
  { actor, tx, report, services }: ImportContext,
  { schedulerId, notification }: Schedule,
  title: string,
  { messages }: Referenced,
  place: Place,
): Promise<void> {
  for (const { notificationId: id, name, eventType, template, recipients } of notification ?? []) {
    const label = `${title}: The notification ${name ?? id}`;
    if (!messages.has(template)) {
      report.partLeftOut(place, `${label}: The message ${template} does not come over.`);
      continue;
    }
    const input = {
      name: name ?? `Notification ${id}`,
      eventType: eventType.trim().toLowerCase(),
      templateId: template,
      recipients: (recipients ?? []).map((each) => each.trim()).filter((each) => each !== ''),
    };
    try {
      await services.notifications.adopt(actor, schedulerId, input, { id, tx });
    } catch (error) {
      if (!isCurable(error)) throw error;
      const reasons = reasonsOf(error).map(({ message }) => message);
      report.partLeftOut(place, `${label}: ${[...new Set(reasons)].join(' ')}`);
    }
  }
}
