import { BadInput } from '../../../platform/errors/errors';
import { LARGEST_PAGE } from '../../../platform/store/keyset';
import type { RunRecord } from '../run.model';

/**
 * Part of a list: at most `first` entries, after the element with this id or the file with this
 * name.
 */
export interface LogPage {
  readonly first: number;
  readonly after?: string | null;
}

/** @throws BadInput */
export function requireCount(first: number): void {
  if (Number.isInteger(first) && first >= 1 && first <= LARGEST_PAGE) return;
  throw new BadInput('BAD_REQUEST', `\`first\` is from 1 to ${LARGEST_PAGE}.`, { path: ['first'] });
}

/**
 * Runs older than a run, in a list with the newest first. The bound on `queuedAt` limits the index
 * scan.
 */
export const olderThan = ({
  _id,
  queuedAt,
}: Pick<RunRecord, '_id' | 'queuedAt'>): Record<string, unknown> => ({
  queuedAt: { $lte: queuedAt },
  $or: [{ queuedAt: { $lt: queuedAt } }, { _id: { $lt: _id } }],
});
