import type { MethodDoc } from '../snapshot';
import type { MethodNode } from './plan';
import type { ProblemReport } from './problems';

const HOUR_MS = 60 * 60 * 1_000;
/** Settings of a method with their maximum values. */
const SETTINGS = { timeout: HOUR_MS, retries: 10, backoff: 60_000 } as const;

/** Reads timeout and retry settings of a method; null if missing or invalid. */
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
  // A timeout of 0 means not set, as for connectors.
  return {
    timeoutMs: read('timeout') || null,
    retries: read('retries'),
    backoffMs: read('backoff'),
  };
}
