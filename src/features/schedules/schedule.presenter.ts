import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { withKnownClient } from '../../platform/http/dialects/released-client';
import type { Audience } from '../../platform/http/dialects/released-client';
import { DEFAULT_MISSED_FIRES, DEFAULT_OVERLAP_POLICY } from './schedule-options';
import { AnswerId } from '../../platform/http/scalars';
import type { RunningScheduleRun } from './running-schedules';
import type { RunningReader, ScheduledWorkflow, ScheduleView } from './schedule-overview.service';
import type { ScheduleExecution, ScheduleRecord } from './schedule.model';
import {
  ReleasedRunningJobBody,
  ReleasedSchedulerBody,
  RunningJobBody,
  SchedulerBody,
} from './schedule.schema';
import { presentNotification } from '../notifications/notification.presenter';
import type { RunAudience } from '../runs/run.presenter';
import { presentReleasedWebhook, presentWebhook } from '../webhooks/webhook.presenter';
import { idOf } from '../workflows/workflow-document.service';

type ScheduleViews = AsyncIterable<ScheduleView> | readonly ScheduleView[];

interface SchedulePresenters {
  readonly one: Presenter<[ScheduleView, RunAudience]>;
  readonly list: Presenter<[ScheduleViews, RunAudience]>;
  readonly running: Presenter<[readonly ScheduleRecord[], RunningReader]>;
  /** As sent over STOMP. */
  readonly runningNow: Presenter<[readonly RunningScheduleRun[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly schedules: SchedulePresenters;
  }
}

type Scheduler = z.output<typeof SchedulerBody>;

/** Shows the workflow without steps and layout. */
function presentWorkflow(
  connectionId: number,
  { title, document }: ScheduledWorkflow,
): Scheduler['connection'] {
  return {
    connectionId,
    title,
    description: document?.description ?? null,
    icon: typeof document?.icon === 'string' ? document.icon : null,
    categoryId: idOf(document?.categoryId),
    fromConnector: {
      connectorId: -1,
      title: 'DEFAULT',
      icon: null,
      sslCert: null,
      timeout: null,
      invoker: null,
    },
    toConnector: null,
    fieldBinding: [...(document?.fieldBinding ?? [])],
  };
}

const presentExecution = (
  schedulerId: number,
  { runId, startedAt, finishedAt, durationMs }: ScheduleExecution,
) => ({
  taId: `${schedulerId}-${runId}`,
  startTime: startedAt.getTime(),
  endTime: finishedAt.getTime(),
  duration: durationMs,
});

function presentLast({
  _id,
  lastSuccess,
  lastFailure,
}: ScheduleRecord): Scheduler['lastExecution'] {
  const [newest] = [lastSuccess, lastFailure]
    .filter((execution) => execution !== null)
    .sort((one, other) => other.startedAt.getTime() - one.startedAt.getTime());
  if (!newest) return null;
  return {
    lastExecutionId: newest.runId,
    success: lastSuccess && presentExecution(_id, lastSuccess),
    fail: lastFailure && presentExecution(_id, lastFailure),
  };
}

/** The released format, with null fields; for a test with its run. */
function presentSchedule(shown: ScheduleView, { baseUrl }: Pick<Audience, 'baseUrl'>): Scheduler {
  const {
    schedule: { _id: schedulerId, title, workflowId },
  } = shown;
  const common = {
    schedulerId,
    title,
    connection: presentWorkflow(workflowId, shown.workflow),
  };
  if (shown.kind === 'test') {
    return {
      ...common,
      runId: shown.schedule.runId,
      status: true,
      debugMode: true,
      cronExp: '',
      timeZone: 'UTC',
      nextFireTimes: [],
      missedFires: DEFAULT_MISSED_FIRES,
      overlapPolicy: DEFAULT_OVERLAP_POLICY,
      lastExecution: null,
      webhook: null,
      notification: [],
    };
  }
  const {
    schedule: { enabled, logging, cron, timeZone, missedFires, overlapPolicy },
    nextFireTimes,
    webhook,
    notifications,
  } = shown;
  return {
    ...common,
    status: enabled,
    debugMode: logging,
    cronExp: cron,
    timeZone,
    missedFires,
    overlapPolicy,
    nextFireTimes: nextFireTimes.map((time) => time.getTime()),
    lastExecution: presentLast(shown.schedule),
    webhook: webhook && presentWebhook(webhook, baseUrl),
    notification: notifications.map(presentNotification),
  };
}

/** Presents a list while it is read. */
async function* presentEach(
  schedules: ScheduleViews,
  { baseUrl }: Audience,
): AsyncGenerator<Scheduler, void, void> {
  for await (const schedule of schedules) yield presentSchedule(schedule, { baseUrl });
}

const RunningExecution = RunningJobBody.extend({
  execId: AnswerId,
  connectionId: AnswerId,
  startTime: z.iso.datetime(),
}).meta({ id: 'RunningExecution' });

const presentRunning = ({
  _id: schedulerId,
  title,
  executions,
  executionsMs,
}: Pick<ScheduleRecord, '_id' | 'title' | 'executions' | 'executionsMs'>): z.output<
  typeof RunningJobBody
> => ({
  schedulerId,
  title,
  avgDuration: executions === 0 ? 0 : executionsMs / executions,
  fromConnector: 'DEFAULT',
  toConnector: null,
});

export const documentedSchedules: SchedulePresenters = {
  one: presenter(SchedulerBody, presentSchedule),
  list: presenter(z.array(SchedulerBody), presentEach),
  running: presenter(z.array(RunningJobBody), (saved: readonly ScheduleRecord[]) =>
    saved.map(presentRunning),
  ),
  runningNow: presenter(z.array(RunningExecution), (all: readonly RunningScheduleRun[]) =>
    all.map(({ run, schedule }) => ({
      ...presentRunning(schedule),
      execId: run._id,
      connectionId: run.workflowId,
      startTime: (run.startedAt ?? run.queuedAt).toISOString(),
    })),
  ),
};

type ReleasedScheduler = z.output<typeof ReleasedSchedulerBody>;

const runsOf = ({ kind, schedule }: ScheduleView): number[] =>
  kind === 'test'
    ? []
    : [schedule.lastSuccess, schedule.lastFailure].flatMap((last) => (last ? [last.runId] : []));

function presentReleasedLast(
  shown: ScheduleView,
  logged: ReadonlySet<number>,
): ReleasedScheduler['lastExecution'] {
  if (shown.kind === 'test') return null;
  const { _id, lastSuccess, lastFailure } = shown.schedule;
  const last = presentLast(shown.schedule);
  const present = (execution: ScheduleExecution | null) =>
    execution && {
      ...presentExecution(_id, execution),
      hasLog: logged.has(execution.runId),
    };
  return last && { ...last, success: present(lastSuccess), fail: present(lastFailure) };
}

function presentReleased(
  shown: ScheduleView,
  audience: Audience,
  logged: ReadonlySet<number>,
): ReleasedScheduler {
  const { status, ...same } = presentSchedule(shown, audience);
  const webhook = shown.kind === 'test' ? null : shown.webhook;
  return {
    ...same,
    status: status ? 1 : 0,
    lastExecution: presentReleasedLast(shown, logged),
    webhook: webhook && presentReleasedWebhook(webhook, audience),
  };
}

const SCHEDULES_AT_ONCE = 200;

/** Reads in batches which runs have a log. */
async function* presentReleasedEach(
  schedules: ScheduleViews,
  audience: Audience,
  withLog: RunAudience['withLog'],
): AsyncGenerator<ReleasedScheduler, void, void> {
  let batch: ScheduleView[] = [];
  const present = async (): Promise<ReleasedScheduler[]> => {
    const logged = await withLog(batch.flatMap(runsOf));
    return batch.map((shown) => presentReleased(shown, audience, logged));
  };
  for await (const shown of schedules) {
    batch.push(shown);
    if (batch.length < SCHEDULES_AT_ONCE) continue;
    yield* await present();
    batch = [];
  }
  if (batch.length > 0) yield* await present();
}

/**
 * The 4.x client shows the titles of both connectors. The 5.x editor takes a test that is missing
 * here for ended when its page is reloaded.
 */
async function presentRunningAndTests(
  saved: readonly ScheduleRecord[],
  reader: RunningReader,
): Promise<z.output<typeof ReleasedRunningJobBody>[]> {
  const tests = await reader.tests();
  const schedules = [
    ...saved,
    ...tests.map((test) => ({ ...test, executions: 0, executionsMs: 0 })),
  ];
  const sides = await reader.sidesOf(schedules);
  return schedules.map((schedule) => {
    const [from, to = from] = sides.get(schedule.workflowId) ?? [];
    return { ...presentRunning(schedule), fromConnector: from ?? '', toConnector: to ?? '' };
  });
}

export const releasedSchedules: SchedulePresenters = {
  ...documentedSchedules,
  running: presenter(z.array(ReleasedRunningJobBody), presentRunningAndTests),
  one: presenter(ReleasedSchedulerBody, async (shown: ScheduleView, context: RunAudience) =>
    presentReleased(shown, context, await context.withLog(runsOf(shown))),
  ),
  list: presenter(z.array(ReleasedSchedulerBody), (all: ScheduleViews, context: RunAudience) =>
    presentReleasedEach(all, withKnownClient(context), context.withLog),
  ),
};
