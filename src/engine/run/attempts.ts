import { setTimeout as wait } from 'node:timers/promises';
import type { MethodNode } from '../plan/plan';
import type { RetryPolicy } from '../ports';
import type { RunContext } from './context';
import type { StepTrace } from './step-executor';

/** They may be repeated: doing them twice is the same as doing them once. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);
/** The remote system, or what stands before it, says that it is busy or away for now. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** No answer, or none that came through. */
const PASSING_CODES: ReadonlySet<string> = new Set([
  'OUTBOUND_CONNECTION_FAILED',
  'OUTBOUND_TIMEOUT',
]);
const LONGEST_PAUSE_MS = 60_000;

/** The policy of one step: what it says itself, or what holds for requests that may be repeated. */
export function policyOf(
  { executedAs, request, retries, backoffMs }: MethodNode,
  { retrying }: RunContext,
): RetryPolicy {
  // A webhook starts something with every verb.
  const usual =
    executedAs !== 'WEBHOOK' && request !== null && IDEMPOTENT.has(request.method)
      ? retrying.retries
      : 0;
  return { retries: retries ?? usual, backoffMs: backoffMs ?? retrying.backoffMs };
}

/**
 * How long to wait before the next try; null when this one was the last. A system that asks for more patience than the step has is not
 * asked again.
 * @param code of the failure
 * @param leftMs what the step has left of its time
 */
export function pauseBefore(
  code: string,
  attempt: number,
  { response }: StepTrace,
  policy: RetryPolicy,
  leftMs: number,
): number | null {
  if (attempt > policy.retries) return null;
  const isPassing =
    code === 'HTTP_STATUS_ERROR'
      ? response !== null && PASSING_STATUSES.has(response.status)
      : PASSING_CODES.has(code);
  if (!isPassing) return null;
  const pauseMs = Math.max(
    backOff(policy.backoffMs, attempt),
    askedPause(response?.headers['retry-after']),
  );
  return pauseMs < leftMs ? pauseMs : null;
}

/** Twice as long each time. A half of it is chance, so that runs which failed together do not come back together. */
function backOff(firstMs: number, attempt: number): number {
  return Math.min(firstMs * 2 ** (attempt - 1), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
}

/** What a `Retry-After` asks for: seconds, or a date. */
function askedPause(header: string | string[] | undefined): number {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(date - Date.now(), 0);
}

/**
 * Waits, but not a moment after the run was stopped.
 * @throws the reason of the signal
 */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}
