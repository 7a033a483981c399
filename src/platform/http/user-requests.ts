import { once } from 'node:events';
import type { RequestHandler, Response } from 'express';
import { createRecordTurns } from '../store/record-turns';
import { asTask, assignTaskToUser } from '../time-slices';
import type { OriginReader } from './origin';

/** Requests of one user that are worked on at the same time. Each may hold a document of 20 MiB. */
const MAX_AT_ONCE = 50;
/** Requests of one user that wait for others of theirs. */
const MAX_WAITING = 1_000;
/** Of a response: a stream that is piped into it adds several of its own. */
const MAX_LISTENERS = 20;

interface UserRequestLocals {
  userId?: number;
  waitForSlot?: (userId: number) => Promise<void>;
}

/** Makes each request a task of its own, and bounds how many requests of one user are worked on at the same time. */
export function shareByUser(originOf: OriginReader): RequestHandler {
  const slots = createRecordTurns({ concurrency: MAX_AT_ONCE, capacity: MAX_WAITING });

  const waitForSlot = (userId: number, response: Response): Promise<void> =>
    new Promise((resolve, reject) => {
      const isClosed = once(response, 'close');
      slots
        .of(String(userId), async () => {
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
 * Notes whose request this is, and waits until it may be worked on.
 * @throws Unavailable too many requests of this user wait
 */
export async function identifyRequest(response: Response, userId: number): Promise<void> {
  const locals = response.locals as UserRequestLocals;
  locals.userId = userId;
  assignTaskToUser(userId);
  await locals.waitForSlot?.(userId);
}
