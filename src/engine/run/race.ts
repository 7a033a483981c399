import { isNativeError } from 'node:util/types';
import type { StopSwitch } from './stop';

/**
 * Waits for the work of a step, but only until the run is stopped. Then any error of the port is
 * ignored.
 * @throws errors of the work
 * @throws RunStopped
 */
export function race<Result>(work: Promise<Result>, stop: StopSwitch): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    // Abandoned work may settle while a later step runs.
    let isOver = false;
    const isFirst = (): boolean => {
      if (isOver) return false;
      isOver = true;
      stop.watch(null);
      return true;
    };
    const giveUp = (reason: Error): void => {
      if (isFirst()) reject(reason);
    };
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
export class Pause {
  private last = performance.now();

  async yieldToEventLoop(): Promise<void> {
    if (performance.now() - this.last < 10) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.last = performance.now();
  }
}
