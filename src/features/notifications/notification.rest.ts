import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { PathTable } from '../../platform/errors/findings';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { Identifiers, IdParams, INT32_MAX, NOBODY } from '../../platform/http/scalars';
import { notificationPolicy } from './notification.policy';
import {
  NotificationBody,
  NotificationInput,
  notificationInput,
  NOTIFICATION_NOT_CREATED,
  NOTIFICATION_NOT_SAVED,
  presentNotification,
} from './notification.presenter';

const route = routesTagged('Notifications');
const IN_NOTIFICATION: PathTable = [[['templateId'], ['template', 'templateId']]];
const EXAMPLE = {
  name: 'Tell the operator',
  eventType: 'alert',
  template: { templateId: INT32_MAX },
  recipients: [],
};

const notificationRouteContext = ({ notifications }: Services, { requests }: Presenters) => ({
  notifications,
  requests,
});
type NotificationRouteContext = ReturnType<typeof notificationRouteContext>;

const getSchedulerNotificationAll = ({ notifications }: NotificationRouteContext): Route =>
  route('GET /scheduler/:id/notification/all', {
    needs: notificationPolicy.read,
    summary: 'List the notifications of a schedule',
    params: IdParams,
    answer: z.array(NotificationBody),
    errors: ['SCHEDULER_NOT_FOUND'],
    handle: async ({ actor, params }) =>
      (await notifications.ofSchedule(actor, params.id)).map(presentNotification),
  });

const getSchedulerNotificationById = ({ notifications }: NotificationRouteContext): Route =>
  route('GET /scheduler/notification/:id', {
    needs: notificationPolicy.read,
    summary: 'Get a notification',
    params: IdParams,
    answer: NotificationBody,
    errors: ['NOTIFICATION_NOT_FOUND'],
    record: 'shown',
    handle: async ({ actor, params }) => {
      const view = await notifications.get(actor, params.id);
      return recordReply(presentNotification(view), view);
    },
  });

const postSchedulerNotification = ({ notifications }: NotificationRouteContext): Route =>
  route('POST /scheduler/:id/notification', {
    needs: notificationPolicy.create,
    summary: 'Add a notification to a schedule',
    params: IdParams,
    body: NotificationInput,
    example: { body: EXAMPLE },
    answer: NotificationBody,
    errors: ['SCHEDULER_NOT_FOUND', ...NOTIFICATION_NOT_CREATED],
    sentAs: IN_NOTIFICATION,
    record: 'shown',
    handle: async ({ actor, params, body }) => {
      const view = await notifications.create(actor, params.id, notificationInput(body));
      return recordReply(presentNotification(view), view);
    },
  });

const putSchedulerNotificationDelete = ({
  requests,
  notifications,
}: NotificationRouteContext): Route =>
  route('PUT /scheduler/notification/delete', {
    servedOnFullDisk: true,
    needs: notificationPolicy.delete,
    summary: 'Delete notifications, all or none',
    body: Identifiers,
    example: { body: NOBODY },
    success: 204,
    errors: ['NOTIFICATION_NOT_FOUND'],
    handle: async ({ actor, body }) =>
      requests.deleteListed(body.identifiers, (ids) => notifications.removeAll(actor, ids)),
  });

const putSchedulerNotificationById = ({ notifications }: NotificationRouteContext): Route =>
  route('PUT /scheduler/notification/:id', {
    needs: notificationPolicy.update,
    summary: 'Change a notification',
    params: IdParams,
    body: NotificationInput,
    example: { body: EXAMPLE },
    answer: NotificationBody,
    errors: NOTIFICATION_NOT_SAVED,
    sentAs: IN_NOTIFICATION,
    record: 'changed',
    handle: async ({ actor, params, body, expectedVersion }) => {
      const input = notificationInput(body);
      const view = await notifications.update(actor, params.id, input, expectedVersion);
      return recordReply(presentNotification(view), view);
    },
  });

const deleteSchedulerNotificationById = ({ notifications }: NotificationRouteContext): Route =>
  route('DELETE /scheduler/notification/:id', {
    needs: notificationPolicy.delete,
    summary: 'Delete a notification',
    params: IdParams,
    success: 204,
    errors: ['NOTIFICATION_NOT_FOUND'],
    record: 'deleted',
    handle: async ({ actor, params, expectedVersion }) =>
      void (await notifications.remove(actor, params.id, expectedVersion)),
  });

/** Notifications of schedules, at the paths of the released lines. */
export const notificationRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = notificationRouteContext(services, presenters);
  return [
    getSchedulerNotificationAll,
    getSchedulerNotificationById,
    postSchedulerNotification,
    putSchedulerNotificationDelete,
    putSchedulerNotificationById,
    deleteSchedulerNotificationById,
  ].map((create) => create(context));
};
