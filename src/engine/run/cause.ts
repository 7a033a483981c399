import { inspect } from 'node:util';
import { isNativeError } from 'node:util/types';
import type { RunSecrets } from '../secrets/run-secrets';

const DEEPEST = 5;

/** What lies behind the end of a run, for the log: its name, code, text and stack, without secrets. Nothing else of an error is told: a failed `new URL` has the whole URL in it. */
export function causeWithoutSecrets(cause: unknown, secrets: RunSecrets, depth = 0): unknown {
  if (secrets.isEmpty || cause === undefined || cause === null) return cause;
  if (!isNativeError(cause) || depth > DEEPEST) return secrets.hide(inspect(cause, { depth: 1 }));
  const shown = new Error(secrets.hide(cause.message), cause.cause === undefined ? undefined : { cause: causeWithoutSecrets(cause.cause, secrets, depth + 1) });
  shown.name = cause.name;
  shown.stack = secrets.hide(cause.stack ?? '');
  return 'code' in cause && typeof cause.code === 'string' ? Object.assign(shown, { code: cause.code }) : shown;
}
