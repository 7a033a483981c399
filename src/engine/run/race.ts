import { isNativeError } from 'node:util/types';
import type { PortErrorCode } from '../error-codes';
import { EngineError } from '../errors';

/** An executor gets its time-out itself and should be done by then; this is how much longer the engine believes it. */
const GRACE_MS = 250;

/**
 * Waits for the work of a step, but never longer than the step may take and not a moment after the run was stopped, whatever the port does.
 * @param late the code of the error when it takes longer
 * @throws EngineError
 * @throws the reason of the signal
 */
export async function race<Result>(work: Promise<Result>, signal: AbortSignal, timeoutMs: number, late: PortErrorCode): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new EngineError(late, `The step took longer than ${timeoutMs} ms.`))), timeoutMs + GRACE_MS);
    const onAbort = () => settle(() => reject(asError(signal.reason)));
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    work.then((result) => settle(() => resolve(result)), (error: unknown) => settle(() => reject(asError(error))));
    if (signal.aborted) onAbort();
  });
}

const asError = (reason: unknown): Error => (isNativeError(reason) ? reason : new Error(String(reason)));

/** Gives the process back to everybody else now and then: a loop without requests would otherwise hold it for its whole length. */
export class Breather {
  private last = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.last < 10) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.last = performance.now();
  }
}
