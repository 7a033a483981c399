import type { Value } from '../value';
import type { Operation } from './invoker-facts';
import { hasProperties, hasShape } from './remote-answer';

/**
 * Did the operation fail? It says so itself: by the status of its `fail` or `success`, or, where both are the same, by the body, of which `fail`
 * then names properties. Any other status counts as it does everywhere.
 */
export function hasFailed({ success, fail }: Pick<Operation, 'success' | 'fail'>, status: number, body: Value): boolean {
  const [succeeds, fails] = [success, fail].map((result) => result !== null && Number(result.status) === status);
  if (succeeds && fails) return looksLike(fail, body) && !looksLike(success, body);
  if (succeeds || fails) return !succeeds;
  return status >= 400;
}

const looksLike = (result: Operation['fail'], body: Value): boolean => hasProperties(result?.body?.value) && hasShape(result?.body?.value, body);
