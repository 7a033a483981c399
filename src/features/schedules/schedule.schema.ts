import { z } from 'zod';
import { BadInput } from '../../platform/errors/errors';
import { AnswerId, BodyId, requiring } from '../../platform/http/scalars';
import { WebhookBody } from '../webhooks/webhook.schema';
import { CRON_LENGTH, NEVER } from './cron';
import { DEFAULT_MISSED_FIRES, MISSED_FIRES_NAMES } from './missed-fires';
import { DEFAULT_OVERLAP_POLICY, OVERLAP_POLICIES, OVERLAP_POLICY_NAMES } from './overlap-policy';
import { SCHEDULE_LENGTHS } from './schedule.rules';
import type { ScheduleChange } from './schedule.rules';

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
    lastExecutionId: AnswerId.meta({ description: 'The newer one of the two runs.' }),
    success: Execution.nullable().meta({ description: 'The last run that ended well.' }),
    fail: Execution.nullable().meta({
      description: 'The last run that did not: it failed, was interrupted or was cancelled.',
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
    description: 'The container of its steps, which is no connector, and is shown without them.',
  });

const ScheduledConnection = z
  .object({
    connectionId: AnswerId.meta({
      description:
        'The workflow. Of a test: a hidden one, which exists while the run does, or a saved one.',
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
    description: 'Who may not read workflows sees its id and title.',
  });

const MissedFires = z.enum(MISSED_FIRES_NAMES).meta({
  description:
    'What becomes of times at which no process was there: one run makes up for all of them, or they are left out.',
});

const describeOverlapPolicies = OVERLAP_POLICY_NAMES.map(
  (name) => `${name}: ${OVERLAP_POLICIES[name]}`,
).join(' ');
const OverlapPolicy = z.enum(OVERLAP_POLICY_NAMES).meta({
  description: `What happens when it is due by \`cronExp\` and another run of it has not ended. ${describeOverlapPolicies}`,
});

/** Format of the released APIs, plus time zone and next due times. */
export const SchedulerBody = z
  .object({
    schedulerId: AnswerId,
    runId: AnswerId.optional().meta({
      description: 'Of the schedule of a test: its run, for the subscription `testRunEvents`.',
    }),
    title: z.string(),
    status: z.boolean().meta({ description: 'False: it does not fire by itself.' }),
    debugMode: z
      .boolean()
      .meta({ description: 'Events of its runs carry requests and responses.' }),
    cronExp: z.string().meta({ description: 'Empty: it never fires by itself.' }),
    timeZone: z.string().meta({
      description: 'Name of the time zone that `cronExp` is meant in, as in the IANA database.',
    }),
    nextFireTimes: z
      .array(z.int())
      .meta({ description: 'When it is due next, five times at most, ms since 1970.' }),
    missedFires: MissedFires,
    overlapPolicy: OverlapPolicy,
    connection: ScheduledConnection,
    lastExecution: LastExecution.nullable(),
    webhook: WebhookBody.nullable().meta({
      description: 'Null where there is none, and for whoever may not start the schedule.',
    }),
    notification: z.array(z.never()).max(0),
  })
  .meta({ id: 'Scheduler' });

/** A schedule with a running workflow. */
export const RunningJobBody = z
  .object({
    schedulerId: AnswerId,
    title: z.string(),
    avgDuration: z
      .number()
      .meta({ description: 'Of its runs that have ended by themselves, ms; 0 where none has.' }),
    fromConnector: z.literal('DEFAULT'),
    toConnector: z.null(),
  })
  .meta({ id: 'RunningJob' });

/** Installed frontends send a number. */
const Enabled = z.union([z.boolean(), z.literal([0, 1])], {
  error: 'Expected true or false, or 1 or 0.',
});

const SchedulerInput = z
  .object({
    schedulerId: BodyId.nullish().meta({ description: 'Of a change: the one in the path.' }),
    connectionId: BodyId.nullish().meta({ description: 'The workflow that it runs.' }),
    title: z.string().nullish().meta({
      minLength: 1,
      maxLength: SCHEDULE_LENGTHS.title,
      description: 'Unique without regard to case.',
    }),
    status: Enabled.nullish().meta({
      description: 'True or 1: it fires by itself. Of a new one left out: false.',
    }),
    cronExp: z.string().nullish().meta({
      maxLength: CRON_LENGTH,
      description: 'Six or seven fields in the syntax of Quartz. Empty or null: never.',
    }),
    timeZone: z.string().nullish().meta({
      description: 'Such as `Europe/Berlin`. Of a new one left out: that of the configuration.',
    }),
    debugMode: z.boolean().nullish().meta({
      description:
        'Record requests and responses in the events of its runs. Of a new one left out: false.',
    }),
    missedFires: MissedFires.nullish().meta({
      description: `Of a new one left out: ${DEFAULT_MISSED_FIRES}.`,
    }),
    overlapPolicy: OverlapPolicy.nullish().meta({
      description: `What happens when it is due and another run of it has not ended. Of a new one left out: ${DEFAULT_OVERLAP_POLICY}.`,
    }),
    notificationResources: z.array(z.unknown()).optional().meta({ description: 'Must be empty.' }),
  })
  .meta({ id: 'SchedulerInput' });

export const NewSchedulerInput = requiring(SchedulerInput, 'title', 'connectionId').meta({
  id: 'NewScheduler',
});
export const ChangedSchedulerInput = SchedulerInput.meta({ id: 'ChangedScheduler' });
export const SchedulerTitleInput = z.object({ title: z.string() }).meta({ id: 'SchedulerTitle' });
export const SchedulerStatusInput = z.object({ status: Enabled }).meta({ id: 'SchedulerStatus' });

/**
 * Converts a request body to a change of the service.
 * @throws BadInput NOTIFICATIONS_UNAVAILABLE
 */
export function scheduleChange({
  title,
  connectionId,
  status,
  cronExp,
  timeZone,
  debugMode,
  missedFires,
  overlapPolicy,
  notificationResources,
}: z.output<typeof SchedulerInput>): ScheduleChange {
  if ((notificationResources ?? []).length > 0) {
    throw new BadInput(
      'NOTIFICATIONS_UNAVAILABLE',
      'Notifications are not sent by this version: the list must be empty.',
      { path: ['notificationResources'] },
    );
  }
  return {
    title,
    workflowId: connectionId ?? undefined,
    enabled: status == null ? undefined : Boolean(status),
    timeZone: timeZone ?? undefined,
    logging: debugMode ?? undefined,
    missedFires: missedFires ?? undefined,
    overlapPolicy: overlapPolicy ?? undefined,
    ...(cronExp !== undefined && { cron: cronExp ?? NEVER }),
  };
}
