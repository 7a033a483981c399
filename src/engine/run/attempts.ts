import { setTimeout as wait } from 'node:timers/promises';
import type { StepError, StepState } from '../events';
import type { MethodNode } from '../plan/plan';
import type { RetryPolicy } from '../ports';
import { stepTypeOf } from '../step-types';
import { IDEMPOTENT } from '../plan/plan';
import type { RunContext } from './context';
import type { StepTrace } from './step-executor';

/** Statuses of temporary failures of the remote system or a proxy. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Codes of temporary connection failures. */
const PASSING_CODES: ReadonlySet<string> = new Set([
  'OUTBOUND_CONNECTION_FAILED',
  'OUTBOUND_TIMEOUT',
]);
const LONGEST_PAUSE_MS = 60_000;

/** Retry policy of a step: its own settings, or the default for idempotent requests. */
export function policyOf(
  { executedAs, request, retries, backoffMs }: MethodNode,
  { retrying }: RunContext,
): RetryPolicy {
  const usual =
    stepTypeOf(executedAs)?.isRepeatable === true &&
    request !== null &&
    IDEMPOTENT.has(request.method)
      ? retrying.retries
      : 0;
  return { retries: retries ?? usual, backoffMs: backoffMs ?? retrying.backoffMs };
}

/**
 * Returns the delay before the next attempt, or null for no retry. Does not retry if the remote
 * system asks for a longer delay than the step has left.
 * @param code code of the failure
 * @param leftMs time the step has left
 */
export function pauseBefore(
  { journal }: Pick<RunContext, 'journal'>,
  code: string,
  attempt: number,
  trace: StepTrace,
  policy: RetryPolicy,
  leftMs: number,
): number | null {
  if (attempt > policy.retries) return null;
  const choose = (): number | null => choosePause(code, attempt, trace, policy, leftMs);
  return journal === null ? choose() : journal.pauseMs(choose);
}

function choosePause(
  code: string,
  attempt: number,
  { response }: StepTrace,
  policy: RetryPolicy,
  leftMs: number,
): number | null {
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

/**
 * Exponential backoff with 50 % jitter, so that runs that failed together do not retry together.
 */
function backOff(firstMs: number, attempt: number): number {
  return Math.min(firstMs * 2 ** (attempt - 1), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
}

/** Parses `Retry-After` (seconds or a date) into ms. */
function askedPause(header: string | string[] | undefined): number {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(date - Date.now(), 0);
}

/**
 * Waits; rejects as soon as the run is stopped.
 * @throws the reason of the signal
 */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Notifies the observer of the end of an attempt. Returns its duration, ms. */
export function endStep(
  { ports }: RunContext,
  startedAt: number,
  state: StepState,
  error: StepError | null,
): number {
  ports.steps?.ended(error?.code ?? (state === 'CANCELLED' ? state : null));
  return rounded(performance.now() - startedAt);
}

/** Returns a duration for users, ms. */
export const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
