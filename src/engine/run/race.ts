import { isNativeError } from 'node:util/types';
import type { PortErrorCode } from '../error-codes';
import { EngineError } from '../errors';
import { LONGEST_TIMER } from './stop';
import type { StopSwitch } from './stop';

/** Extra time after the timeout, which the port should enforce itself. */
const GRACE_MS = 250;

/**
 * Waits for the work of a step, at most for its timeout and only until the run is stopped. If the
 * run was stopped, any error of the port is ignored.
 * @param late code of the error on timeout
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
    // Abandoned work may settle while a later step runs.
    let isOver = false;
    const isFirst = (): boolean => {
      if (isOver) return false;
      isOver = true;
      clearTimeout(timer);
      stop.watch(null);
      return true;
    };
    const giveUp = (reason: Error): void => {
      if (isFirst()) reject(reason);
    };
    const timer = setTimeout(
      () => giveUp(new EngineError(late, `The step took longer than ${timeoutMs} ms.`)),
      Math.min(timeoutMs + GRACE_MS, LONGEST_TIMER),
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

/** Yields the event loop at intervals; a loop without requests would otherwise block it. */
export class Breather {
  private last = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.last < 10) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.last = performance.now();
  }
}
