import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { DEFAULT_MISSED_FIRES, DEFAULT_OVERLAP_POLICY } from './schedule-options';
import type { ScheduledWorkflow, ScheduleView } from './schedule-overview.service';
import type { ScheduleExecution, ScheduleRecord } from './schedule.model';
import { RunningJobBody, SchedulerBody } from './schedule.schema';
import { presentNotification } from '../notifications/notification.presenter';
import { presentWebhook } from '../webhooks/webhook.presenter';
import { idOf } from '../workflows/workflow-document.service';

interface SchedulePresenters {
  readonly one: Presenter<[ScheduleView, string]>;
  readonly list: Presenter<[AsyncIterable<ScheduleView> | readonly ScheduleView[], string]>;
  readonly running: Presenter<[readonly ScheduleRecord[]]>;
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
function presentSchedule(shown: ScheduleView, baseUrl: string): Scheduler {
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
    webhook: webhook && presentWebhook(webhook, webhook.token, baseUrl),
    notification: notifications.map(presentNotification),
  };
}

/** Presents a list while it is read. */
async function* presentEach(
  schedules: AsyncIterable<ScheduleView> | Iterable<ScheduleView>,
  baseUrl: string,
): AsyncGenerator<Scheduler, void, void> {
  for await (const schedule of schedules) yield presentSchedule(schedule, baseUrl);
}

const presentRunning = ({
  _id: schedulerId,
  title,
  executions,
  executionsMs,
}: ScheduleRecord): z.output<typeof RunningJobBody> => ({
  schedulerId,
  title,
  avgDuration: executions === 0 ? 0 : executionsMs / executions,
  fromConnector: 'DEFAULT',
  toConnector: null,
});

export const documentedSchedules: SchedulePresenters = {
  one: presenter(SchedulerBody, presentSchedule),
  list: presenter(z.array(SchedulerBody), presentEach),
  running: presenter(z.array(RunningJobBody), (all) => all.map(presentRunning)),
};
