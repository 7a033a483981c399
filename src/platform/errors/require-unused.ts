import { quoteFirstTitle } from '../text/characters';
import type { ErrorCode } from './codes';
import { Conflict } from './errors';
import type { InputPath } from './errors';

/**
 * Refuses to change or delete a record that others use. Read the users in the transaction that
 * writes the record: a user that is saved concurrently writes it too, and one of the two is
 * retried.
 * @param subject the record, for the message: `The secret github`
 * @throws Conflict `code`, with the title of the first user
 */
export function requireUnused(
  code: ErrorCode,
  subject: string,
  users: readonly { readonly title: string }[],
  path: InputPath,
): void {
  if (users.length > 0)
    throw new Conflict(code, `${subject} is used by ${quoteFirstTitle(users)}.`, { path });
}
