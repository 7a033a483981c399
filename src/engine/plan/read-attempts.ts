import type { MethodDoc } from '../snapshot';
import type { MethodNode } from './plan';
import type { ProblemReport } from './problems';

const HOUR_MS = 60 * 60 * 1_000;
/** What a method may say of how it is called, and how much of it. */
const SETTINGS = { timeout: HOUR_MS, retries: 10, backoff: 60_000 } as const;

/** How long a method may take and how often it is tried; null where it says nothing, or nothing that can be. */
export function readAttempts(
  doc: MethodDoc,
  report: ProblemReport,
): Pick<MethodNode, 'timeoutMs' | 'retries' | 'backoffMs'> {
  const read = (name: keyof typeof SETTINGS): number | null => {
    const text = (doc[name] ?? '').trim();
    if (text === '') return null;
    if (/^\d{1,9}$/.test(text) && Number(text) <= SETTINGS[name]) return Number(text);
    report.add(
      'STEP_SETTING_INVALID',
      name,
      `${name} is a whole number from 0 to ${SETTINGS[name]}.`,
    );
    return null;
  };
  // 0 is no time-out of its own, as it is for connectors.
  return {
    timeoutMs: read('timeout') || null,
    retries: read('retries'),
    backoffMs: read('backoff'),
  };
}
