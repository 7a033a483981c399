import type { Actor } from '../../platform/access/actor';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import { BadInput } from '../../platform/errors/errors';
import type { PathTable } from '../../platform/errors/findings';
import { Identifiers, IdParams, NOBODY } from '../../platform/http/scalars';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import type { Audience } from '../../platform/http/dialects/released-client';
import type { Reply, Route } from '../../platform/http/route';
import { routesTagged } from '../../platform/http/route';
import { NOTIFICATION_NOT_SAVED, notificationInput } from '../notifications/notification.presenter';
import type { NotificationInputBody } from '../notifications/notification.presenter';
import { runAudience } from '../runs/run.presenter';
import type { Tx } from '../../platform/store/store';
import type { ScheduleRecord } from './schedule.model';
import { VERSION_OF_TESTS } from './test-schedules';
import { READ_ANY_NEED, schedulePolicy, TERMINATE_ANY_NEED } from './schedule.policy';
import {
  ChangedSchedulerInput,
  NewSchedulerInput,
  SCHEDULER_EXAMPLE,
  scheduleChange,
  SchedulerStatusInput,
  SchedulerTitleInput,
} from './schedule.schema';

const route = routesTagged('Schedules');

const IN_BODY: PathTable = [
  [['workflowId'], ['connectionId']],
  [['cron'], ['cronExp']],
];
const NOT_SAVED = [
  'CONNECTION_NOT_FOUND',
  'TITLE_ALREADY_EXISTS',
  'TITLE_INVALID',
  'CRON_INVALID',
  'CRON_NEVER_DUE',
  'TIME_ZONE_INVALID',
  ...NOTIFICATION_NOT_SAVED,
] as const satisfies readonly ErrorCode[];

const ONE = { params: IdParams, errors: ['SCHEDULER_NOT_FOUND'] } as const;

const scheduleRouteContext = (services: Services, { schedules: shown, requests }: Presenters) => {
  const { schedules, scheduleRuns, scheduleOverview, notifications } = services;
  const within = (audience: Audience) => runAudience(services, audience);
  const reply = async (
    actor: Actor,
    record: ScheduleRecord,
    audience: Audience,
    location?: string,
  ): Promise<Reply> =>
    recordReply(
      await shown.one(await scheduleOverview.view(actor, record), within(audience)),
      record,
      location,
    );
  const saveNotifications =
    (actor: Actor, list: readonly NotificationInputBody[] = []) =>
    async ({ _id }: ScheduleRecord, tx: Tx): Promise<void> =>
      notifications.saveAll(actor, _id, list.map(notificationInput), tx);
  return {
    shown,
    scheduleOverview,
    within,
    scheduleRuns,
    schedules,
    requests,
    saveNotifications,
    reply,
  };
};
type ScheduleRouteContext = ReturnType<typeof scheduleRouteContext>;

const getSchedulerAll = ({ shown, scheduleOverview, within }: ScheduleRouteContext): Route =>
  route('GET /scheduler/all', {
    needs: READ_ANY_NEED,
    summary: 'All schedules',
    description:
      'First those of your running tests; administrators see those of all tests. The others need SCHEDULE:READ.',
    answer: shown.list.answer,
    handle: async ({ actor, audience }) =>
      shown.list(scheduleOverview.all(actor), within(audience)),
  });

const getSchedulerRunningAll = ({
  shown,
  scheduleRuns,
  scheduleOverview,
}: ScheduleRouteContext): Route =>
  route('GET /scheduler/running/all', {
    needs: schedulePolicy.read,
    summary: 'Schedules with running workflows',
    description: 'Each schedule once.',
    answer: shown.running.answer,
    handle: async ({ actor }) =>
      shown.running(await scheduleRuns.running(), scheduleOverview.readerFor(actor)),
  });

const postSchedulerListGet = ({ shown, scheduleOverview, within }: ScheduleRouteContext): Route =>
  route('POST /scheduler/list/get', {
    servedOnFullDisk: true,
    needs: READ_ANY_NEED,
    summary: 'Some schedules',
    description: 'Unknown ids are skipped.',
    body: Identifiers,
    example: { body: NOBODY },
    answer: shown.list.answer,
    handle: async ({ actor, body, audience }) =>
      shown.list(await scheduleOverview.some(actor, body.identifiers), within(audience)),
  });

const getSchedulerExecuteById = ({ scheduleRuns }: ScheduleRouteContext): Route =>
  route('GET /scheduler/execute/:id', {
    needs: schedulePolicy.start,
    ...ONE,
    changesOnGet: true,
    summary: 'Starts a schedule now',
    description: 'Even if it is disabled. Returns as soon as its run is queued.',
    handle: async ({ actor, params }) =>
      void (await scheduleRuns.fire(params.id, { trigger: 'MANUAL', actor })),
  });

const getSchedulerTerminateById = ({ scheduleRuns }: ScheduleRouteContext): Route =>
  route('GET /scheduler/terminate/:id', {
    needs: TERMINATE_ANY_NEED,
    ...ONE,
    changesOnGet: true,
    summary: 'Cancels the runs of a schedule',
    description:
      'Cancels queued and running ones; succeeds if there are none. The schedule of a test is deleted with its run.',
    handle: async ({ actor, params }) => scheduleRuns.cancelAny(actor, params.id),
  });

const getSchedulerById = ({ shown, scheduleOverview, within }: ScheduleRouteContext): Route =>
  route('GET /scheduler/:id', {
    needs: READ_ANY_NEED,
    ...ONE,
    summary: 'One schedule',
    answer: shown.one.answer,
    record: 'shown',
    handle: async ({ actor, params, audience }) => {
      const one = await scheduleOverview.get(actor, params.id);
      return recordReply(
        await shown.one(one, within(audience)),
        one.kind === 'test' ? { version: VERSION_OF_TESTS } : one.schedule,
      );
    },
  });

const postScheduler = ({
  shown,
  schedules,
  saveNotifications,
  reply,
}: ScheduleRouteContext): Route =>
  route('POST /scheduler', {
    needs: schedulePolicy.create,
    success: 201,
    summary: 'Creates a schedule',
    body: NewSchedulerInput,
    example: { body: SCHEDULER_EXAMPLE },
    answer: shown.one.answer,
    errors: NOT_SAVED,
    sentAs: IN_BODY,
    record: 'shown',
    handle: async ({ actor, body, audience }) => {
      const change = scheduleChange(body);
      const record = await schedules.create(
        actor,
        { ...change, title: change.title ?? '', enabled: change.enabled ?? false },
        saveNotifications(actor, body.notificationResources),
      );
      return reply(actor, record, audience, `${audience.baseUrl}/api/scheduler/${record._id}`);
    },
  });

const putSchedulerById = ({
  shown,
  reply,
  schedules,
  saveNotifications,
}: ScheduleRouteContext): Route =>
  route('PUT /scheduler/:id', {
    needs: schedulePolicy.update,
    ...ONE,
    summary: 'Changes a schedule',
    description: 'Missing fields stay unchanged.',
    body: ChangedSchedulerInput,
    example: {
      body: {
        cronExp: '0 0 6 ? * MON-FRI',
        timeZone: 'Europe/Berlin',
        notificationResources: [],
      },
    },
    answer: shown.one.answer,
    errors: ['SCHEDULER_NOT_FOUND', ...NOT_SAVED],
    sentAs: IN_BODY,
    record: 'changed',
    handle: async ({ actor, params, body, audience, expectedVersion }) => {
      if (body.schedulerId != null && body.schedulerId !== params.id)
        throw new BadInput(
          'BAD_REQUEST',
          'The schedulerId in the body differs from the id in the path.',
          { path: ['schedulerId'] },
        );
      return reply(
        actor,
        await schedules.update(
          actor,
          params.id,
          scheduleChange(body),
          expectedVersion,
          saveNotifications(actor, body.notificationResources),
        ),
        audience,
      );
    },
  });

const putSchedulerTitle = ({ shown, reply, schedules }: ScheduleRouteContext): Route =>
  route('PUT /scheduler/:id/title', {
    needs: schedulePolicy.update,
    ...ONE,
    summary: 'Renames a schedule',
    body: SchedulerTitleInput,
    example: { body: { title: 'Every morning' } },
    answer: shown.one.answer,
    errors: ['SCHEDULER_NOT_FOUND', 'TITLE_ALREADY_EXISTS', 'TITLE_INVALID'],
    record: 'changed',
    handle: async ({ actor, params, body: { title }, audience, expectedVersion }) =>
      reply(actor, await schedules.update(actor, params.id, { title }, expectedVersion), audience),
  });

const putSchedulerStatus = ({ schedules }: ScheduleRouteContext): Route =>
  route('PUT /scheduler/:id/status', {
    needs: schedulePolicy.update,
    ...ONE,
    summary: 'Enables or disables a schedule',
    description: 'A disabled schedule does not fire by itself.',
    body: SchedulerStatusInput,
    example: { body: { status: false } },
    record: 'changed',
    handle: async ({ actor, params, body: { status }, expectedVersion }) =>
      recordReply(
        undefined,
        await schedules.update(actor, params.id, { enabled: Boolean(status) }, expectedVersion),
      ),
  });

const deleteSchedulerById = ({ schedules }: ScheduleRouteContext): Route =>
  route('DELETE /scheduler/:id', {
    needs: schedulePolicy.delete,
    ...ONE,
    success: 204,
    summary: 'Deletes a schedule',
    description: 'Runs that it started continue.',
    record: 'deleted',
    handle: async ({ actor, params, expectedVersion }) =>
      void (await schedules.remove(actor, params.id, expectedVersion)),
  });

/** REST routes of schedules, at the paths of the released APIs. */
export const scheduleRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = scheduleRouteContext(services, presenters);
  return [
    getSchedulerAll,
    getSchedulerRunningAll,
    postSchedulerListGet,
    getSchedulerExecuteById,
    getSchedulerTerminateById,
    getSchedulerById,
    postScheduler,
    putSchedulerById,
    putSchedulerTitle,
    putSchedulerStatus,
    deleteSchedulerById,
  ].map((create) => create(context));
};
