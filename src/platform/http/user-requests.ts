import { Unavailable } from '../errors/errors';
import { asTask, assignTaskToUser } from '../event-loop';
import type { HttpHandler, HttpResponse } from './http-handler';
import type { OriginReader } from './origin';

/** Maximum number of concurrent requests of one user. Each may hold a document of 20 MiB. */
const MAX_AT_ONCE = 50;
/** Maximum number of waiting requests of one user. */
const MAX_WAITING = 1_000;
const RETRY_SECONDS = 5;
/** Maximum number of listeners of a response: a stream that is piped into it adds several. */
const MAX_LISTENERS = 20;

interface UserRequestLocals {
  userId?: number;
  enter?: (userId: number) => void | Promise<void>;
}

interface UserRequests {
  running: number;
  readonly waiting: (() => void)[];
}

/** Limits the concurrent requests of each user, in order of arrival. */
class RequestSlots {
  private readonly users = new Map<number, UserRequests>();

  /**
   * Takes a slot until the response is closed; returns a promise if it has to wait for one.
   * @throws Unavailable too many requests of this user are waiting
   */
  enter(userId: number, response: HttpResponse): void | Promise<void> {
    if (response.closed) return;
    const known = this.users.get(userId);
    const requests = known ?? { running: 0, waiting: [] };
    if (!known) this.users.set(userId, requests);
    const start = (): void => {
      requests.running += 1;
      if (response.closed) this.leave(userId, requests);
      else response.once('close', () => this.leave(userId, requests));
    };
    if (requests.running < MAX_AT_ONCE) return start();
    if (requests.waiting.length >= MAX_WAITING)
      throw new Unavailable('Too many of your requests are waiting. Try again.', RETRY_SECONDS);
    return new Promise((resolve) => {
      requests.waiting.push(() => {
        start();
        resolve();
      });
    });
  }

  private leave(userId: number, requests: UserRequests): void {
    requests.running -= 1;
    requests.waiting.shift()?.();
    if (requests.running === 0) this.users.delete(userId);
  }
}

/** Makes each request a task of its own, and limits the concurrent requests of each user. */
export function shareByUser(originOf: OriginReader): HttpHandler {
  const slots = new RequestSlots();
  return (request, response, next) => {
    response.setMaxListeners(MAX_LISTENERS);
    (response.locals as UserRequestLocals).enter = (userId) => slots.enter(userId, response);
    asTask(`network ${originOf(request).network}`, next);
  };
}

/**
 * Records the user of a request; returns a promise if it has to wait until it may be processed.
 * @throws Unavailable too many requests of this user are waiting
 */
export function identifyRequest(response: HttpResponse, userId: number): void | Promise<void> {
  const locals = response.locals as UserRequestLocals;
  locals.userId = userId;
  assignTaskToUser(userId);
  return locals.enter?.(userId);
}
