import type { Need } from '../../platform/access/need';

/** Notifications and their templates belong to schedules. */
export const notificationPolicy = {
  read: 'SCHEDULE:READ',
  create: 'SCHEDULE:UPDATE',
  update: 'SCHEDULE:UPDATE',
  delete: 'SCHEDULE:UPDATE',
} as const satisfies Record<string, Need>;

export const messageTemplatePolicy = {
  read: 'SCHEDULE:READ',
  create: 'SCHEDULE:CREATE',
  update: 'SCHEDULE:UPDATE',
  delete: 'SCHEDULE:DELETE',
} as const satisfies Record<string, Need>;

/** `POST /message` creates or changes; the service checks which one it is. */
export const SAVE_MESSAGE_NEED = {
  any: [messageTemplatePolicy.create, messageTemplatePolicy.update],
} as const satisfies Need;
