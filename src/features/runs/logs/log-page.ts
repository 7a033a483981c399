import { BadInput } from '../../../platform/errors/errors';
import { LARGEST_PAGE } from '../../../platform/store/keyset';

/** Part of a list of elements: so many, after the one with this id. */
export interface ElementPage {
  readonly first: number;
  readonly after?: string | null;
}

/** @throws BadInput */
export function requireCount(first: number): void {
  if (Number.isInteger(first) && first >= 1 && first <= LARGEST_PAGE) return;
  throw new BadInput('BAD_REQUEST', `\`first\` is from 1 to ${LARGEST_PAGE}.`, { path: ['first'] });
}
