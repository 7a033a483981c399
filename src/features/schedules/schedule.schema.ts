import { z } from 'zod';
import { AnswerId, BodyId, INT32_MAX, requiring } from '../../platform/http/scalars';
import { CRON_LENGTH, NEVER_CRON } from '../../platform/clock/cron';
import {
  MAX_TITLE_LENGTH,
  DEFAULT_MISSED_FIRES,
  MISSED_FIRES_NAMES,
  DEFAULT_OVERLAP_POLICY,
  OVERLAP_POLICIES,
  OVERLAP_POLICY_NAMES,
} from './schedule-options';
import type { ScheduleChange } from './schedule.model';
import { NotificationBody, NotificationInput } from '../notifications/notification.presenter';
import { ReleasedWebhookBody, WebhookBody } from '../webhooks/webhook.presenter';

export { MAX_TITLE_LENGTH } from './schedule-options';

const Execution = z
  .object({
    taId: z.string().meta({ description: 'Id of the schedule, a hyphen, id of the run.' }),
    startTime: z.int().meta({ description: 'ms since 1970.' }),
    endTime: z.int().meta({ description: 'ms since 1970.' }),
    duration: z.int().meta({ description: 'ms' }),
  })
  .meta({ id: 'SchedulerExecution' });

const LastExecution = z
  .object({
    lastExecutionId: AnswerId.meta({ description: 'The newer of the two runs.' }),
    success: Execution.nullable().meta({ description: 'The last successful run.' }),
    fail: Execution.nullable().meta({
      description: 'The last run that failed, was interrupted or was cancelled.',
    }),
  })
  .meta({ id: 'SchedulerLastExecution' });

/**
 * The container of all workflows since 5.0. It is not a connector, so all fields of connectors are
 * null.
 */
const Holder = z
  .object({
    connectorId: z.literal(-1),
    title: z.literal('DEFAULT'),
    icon: z.null(),
    sslCert: z.null(),
    timeout: z.null(),
    invoker: z.null(),
  })
  .meta({
    id: 'SchedulerContainer',
    description:
      'The container of its steps. It is not a connector and is shown without its steps.',
  });

const ScheduledConnection = z
  .object({
    connectionId: AnswerId.meta({
      description:
        'The workflow. For a test: a hidden one, which exists as long as the run, or a saved one.',
    }),
    title: z.string(),
    description: z.string().nullable(),
    icon: z.string().nullable(),
    categoryId: AnswerId.nullable(),
    fromConnector: Holder,
    toConnector: z.null(),
    fieldBinding: z.array(z.looseObject({})),
  })
  .meta({
    id: 'SchedulerConnection',
    description: 'Users who may not read workflows see only its id and title.',
  });

const MissedFires = z.enum(MISSED_FIRES_NAMES).meta({
  description:
    'What happens with due times at which no process was running: one run makes up for all of them, or they are skipped.',
});

const overlapPolicies = OVERLAP_POLICY_NAMES.map(
  (name) => `${name}: ${OVERLAP_POLICIES[name]}`,
).join(' ');
const OverlapPolicy = z.enum(OVERLAP_POLICY_NAMES).meta({
  description: `What happens when it is due by \`cronExp\` and another run of it has not ended. ${overlapPolicies}`,
});

/** Format of the released APIs, plus time zone and next due times. */
export const SchedulerBody = z
  .object({
    schedulerId: AnswerId,
    runId: AnswerId.optional().meta({
      description: 'For the schedule of a test: its run, for the subscription `testRunEvents`.',
    }),
    title: z.string(),
    status: z.boolean().meta({ description: 'False: it does not fire by itself.' }),
    debugMode: z
      .boolean()
      .meta({ description: 'Whether events of its runs contain requests and responses.' }),
    cronExp: z.string().meta({ description: 'Empty: it never fires by itself.' }),
    timeZone: z.string().meta({
      description: 'IANA name of the time zone of `cronExp`.',
    }),
    nextFireTimes: z
      .array(z.int())
      .meta({ description: 'The next due times, at most five, ms since 1970.' }),
    missedFires: MissedFires,
    overlapPolicy: OverlapPolicy,
    connection: ScheduledConnection,
    lastExecution: LastExecution.nullable(),
    webhook: WebhookBody.nullable().meta({
      description: 'Null if there is none, or if the user may not start the schedule.',
    }),
    notification: z.array(NotificationBody),
  })
  .meta({ id: 'Scheduler' });

/** What the released clients read differently. */
export const ReleasedSchedulerBody = SchedulerBody.extend({
  status: z.literal([0, 1]).meta({ description: '0: it does not fire by itself.' }),
  lastExecution: LastExecution.extend({
    success: Execution.extend({ hasLog: z.boolean() }).nullable(),
    fail: Execution.extend({ hasLog: z.boolean() }).nullable(),
  })
    .meta({ id: 'ReleasedLastExecution' })
    .nullable(),
  webhook: ReleasedWebhookBody.nullable(),
}).meta({ id: 'ReleasedScheduler' });

/** A schedule with a running workflow. */
export const RunningJobBody = z
  .object({
    schedulerId: AnswerId,
    title: z.string(),
    avgDuration: z.number().meta({
      description:
        'Average duration of its runs that succeeded or failed, ms; 0 if there are none.',
    }),
    fromConnector: z.literal('DEFAULT'),
    toConnector: z.null(),
  })
  .meta({ id: 'RunningJob' });

export const ReleasedRunningJobBody = RunningJobBody.extend({
  fromConnector: z.string().meta({ description: 'Title of the source connector, or empty.' }),
  toConnector: z.string().meta({ description: 'Title of the target connector, or empty.' }),
}).meta({ id: 'ReleasedRunningJob' });

/** Installed frontends send a number. */
const Enabled = z.union([z.boolean(), z.literal([0, 1])], {
  error: 'Expected true or false, or 1 or 0.',
});

const SchedulerInput = z
  .object({
    schedulerId: BodyId.nullish().meta({ description: 'For a change: the id in the path.' }),
    connectionId: BodyId.nullish().meta({ description: 'The workflow to run.' }),
    title: z.string().nullish().meta({
      minLength: 1,
      maxLength: MAX_TITLE_LENGTH,
      description: 'Unique without regard to case.',
    }),
    status: Enabled.nullish().meta({
      description: 'True or 1: it fires by itself. Default for a new one: false.',
    }),
    cronExp: z.string().nullish().meta({
      maxLength: CRON_LENGTH,
      description: 'Six or seven fields in the syntax of Quartz. Empty or null: never.',
    }),
    timeZone: z.string().nullish().meta({
      description: 'Such as `Europe/Berlin`. Default for a new one: that of the configuration.',
    }),
    debugMode: z.boolean().nullish().meta({
      description:
        'Record requests and responses in the events of its runs. Default for a new one: false.',
    }),
    missedFires: MissedFires.nullish().meta({
      description: `Default for a new one: ${DEFAULT_MISSED_FIRES}.`,
    }),
    overlapPolicy: OverlapPolicy.nullish().meta({
      description: `What happens when it is due and another run of it has not ended. Default for a new one: ${DEFAULT_OVERLAP_POLICY}.`,
    }),
    notificationResources: z.array(NotificationInput).optional().meta({
      description:
        'Notifications to add, or with `notificationId` to change. Others stay: an empty list removes none.',
    }),
  })
  .meta({ id: 'SchedulerInput' });

export const NewSchedulerInput = requiring(SchedulerInput, 'title', 'connectionId').meta({
  id: 'NewScheduler',
});
export const ChangedSchedulerInput = SchedulerInput.meta({ id: 'ChangedScheduler' });
export const SchedulerTitleInput = z.object({ title: z.string() }).meta({ id: 'SchedulerTitle' });
export const SchedulerStatusInput = z.object({ status: Enabled }).meta({ id: 'SchedulerStatus' });

/** Converts a request body to a change of the service. */
export function scheduleChange({
  title,
  connectionId,
  status,
  cronExp,
  timeZone,
  debugMode,
  missedFires,
  overlapPolicy,
}: z.output<typeof SchedulerInput>): ScheduleChange {
  return {
    title,
    workflowId: connectionId ?? undefined,
    enabled: status == null ? undefined : Boolean(status),
    timeZone: timeZone ?? undefined,
    logging: debugMode ?? undefined,
    missedFires: missedFires ?? undefined,
    overlapPolicy: overlapPolicy ?? undefined,
    ...(cronExp !== undefined && { cron: cronExp ?? NEVER_CRON }),
  };
}

/** A schedule of no workflow, for the API examples. */
export const SCHEDULER_EXAMPLE = {
  title: 'Every working day at 6',
  connectionId: INT32_MAX,
  cronExp: '0 0 6 ? * MON-FRI',
  timeZone: 'Europe/Berlin',
  status: false,
  debugMode: false,
  notificationResources: [],
};
