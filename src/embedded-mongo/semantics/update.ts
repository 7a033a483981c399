import { unsupported } from './errors';
import { compileOperators } from './update/operators';
import type { ApplyOptions } from './update/operators';
import { compileReplacement } from './update/replacement';
import type { Doc } from './values';

export { upsertSeed } from './update/seed';

/** A compiled update. */
export interface Update {
  /**
   * The document after the update. Always a new object; the given one is not changed, though parts may be shared.
   * @throws StoreError 66 when `_id` would change, 14 / 2 / 28 when a field cannot take the change
   */
  readonly apply: (doc: Doc, options: ApplyOptions) => Doc;
}

/**
 * Compiles an update of operators, or a replacement document: the first key decides.
 * @throws StoreError 9 / 2 for what MongoDB rejects, 115 for pipelines and operators this store has not
 */
export function compileUpdate(update: Doc | Doc[]): Update {
  if (Array.isArray(update)) throw unsupported('updates with an aggregation pipeline are');
  const isReplacement = !(Object.keys(update)[0] ?? '').startsWith('$');
  return { apply: isReplacement ? compileReplacement(update) : compileOperators(update) };
}
