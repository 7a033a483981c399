import { once } from 'node:events';
import { KeyedLock } from '../queues';
import { asTask, assignTaskToUser } from '../event-loop';
import type { HttpHandler, HttpResponse } from './http-handler';
import type { OriginReader } from './origin';

/** Maximum number of concurrent requests of one user. Each may hold a document of 4 MiB. */
const MAX_AT_ONCE = 50;
/** Maximum number of waiting requests of one user. */
const MAX_WAITING = 1_000;
/** Maximum number of listeners of a response: a stream that is piped into it adds several. */
const MAX_LISTENERS = 20;

interface UserRequestLocals {
  userId?: number;
  waitForSlot?: (userId: number) => Promise<void>;
}

/** Makes each request a task of its own, and limits the concurrent requests of each user. */
export function shareByUser(originOf: OriginReader): HttpHandler {
  const slots = new KeyedLock({ concurrency: MAX_AT_ONCE, capacity: MAX_WAITING });

  const waitForSlot = (userId: number, response: HttpResponse): Promise<void> =>
    new Promise((resolve, reject) => {
      const isClosed = once(response, 'close');
      slots
        .run(userId, async () => {
          resolve();
          await isClosed;
        })
        .catch(reject);
    });

  return (request, response, next) => {
    response.setMaxListeners(MAX_LISTENERS);
    (response.locals as UserRequestLocals).waitForSlot = (userId) => waitForSlot(userId, response);
    asTask(`network ${originOf(request).network}`, () => next());
  };
}

/**
 * Records the user of a request, and waits until it may be processed.
 * @throws Unavailable too many requests of this user are waiting
 */
export async function identifyRequest(response: HttpResponse, userId: number): Promise<void> {
  const locals = response.locals as UserRequestLocals;
  locals.userId = userId;
  assignTaskToUser(userId);
  await locals.waitForSlot?.(userId);
}
