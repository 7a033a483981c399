import { isNativeError } from 'node:util/types';
import type { PortErrorCode } from '../error-codes';
import { EngineError } from '../errors';
import type { StopSwitch } from './stop';

/** An executor gets its time-out itself and should be done by then; this is how much longer the engine believes it. */
const GRACE_MS = 250;

/**
 * Waits for the work of a step, but never longer than the step may take and not a moment after the run was stopped, whatever the port does. It may
 * answer an aborted call with any error of its own; what counts is that the run was stopped.
 * @param late the code of the error when it takes longer
 * @throws EngineError
 * @throws RunStopped
 */
export function race<Result>(
  work: Promise<Result>,
  stop: StopSwitch,
  timeoutMs: number,
  late: PortErrorCode,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    // Work that was given up may end while the next step is waited for.
    let isOver = false;
    const isFirst = (): boolean => {
      if (isOver) return false;
      isOver = true;
      stop.alarm.off();
      stop.watch(null);
      return true;
    };
    const giveUp = (reason: Error): void => {
      if (isFirst()) reject(reason);
    };
    stop.alarm.set(timeoutMs + GRACE_MS, () =>
      giveUp(new EngineError(late, `The step took longer than ${timeoutMs} ms.`)),
    );
    work.then(
      (result) => {
        if (isFirst()) resolve(result);
      },
      (error: unknown) => giveUp(asError(stop.signal.aborted ? stop.signal.reason : error)),
    );
    stop.watch(giveUp);
  });
}

const asError = (reason: unknown): Error =>
  isNativeError(reason) ? reason : new Error(String(reason));

/** Gives the process back to everybody else now and then: a loop without requests would otherwise hold it for its whole length. */
export class Breather {
  private last = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.last < 10) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.last = performance.now();
  }
}
