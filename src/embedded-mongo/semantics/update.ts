import { dollarPrefixed, immutableField, unsupported } from './errors';
import { compileOperators } from './update/operators';
import type { ApplyOptions } from './update/operators';
import type { Doc } from './values';
import { describe } from './describe';
import { fromOrderedEntries, orderedEntries } from './key-order';
import { valuesEqual } from './order';
import { requireSupportedTypes, requireValidId } from './values';

/**
 * Compiles a replacement document; `_id` is kept and must not change.
 * @throws StoreError 52 top-level field starting with `$`; 66 when applied, if `_id` would change
 */
function compileReplacement(replacement: Doc): (doc: Doc) => Doc {
  const dollar = Object.keys(replacement).find((key) => key.startsWith('$'));
  if (dollar !== undefined) {
    throw dollarPrefixed(
      `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  requireSupportedTypes(replacement);
  const given = Object.hasOwn(replacement, '_id');
  if (given) requireValidId(replacement._id);
  return (doc) => {
    const had = Object.hasOwn(doc, '_id');
    if (had && given && !valuesEqual(doc._id, replacement._id)) {
      throw immutableField(
        `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${describe(replacement._id)}`,
      );
    }
    const fields = orderedEntries(replacement).filter(([name]) => name !== '_id');
    return fromOrderedEntries(
      had || given ? [['_id', had ? doc._id : replacement._id], ...fields] : fields,
    );
  };
}

export { upsertSeed } from './update/seed';

/** A compiled update. */
export interface Update {
  /**
   * Returns the updated document, a new object that may share parts with the original.
   * @throws StoreError 66 `_id` would change, 14 / 2 / 28 a field cannot be changed
   */
  readonly apply: (doc: Doc, options: ApplyOptions) => Doc;
}

/**
 * Compiles update operators or a replacement document, depending on the first key.
 * @throws StoreError 9 / 2 invalid, 115 pipelines and unsupported operators
 */
export function compileUpdate(update: Doc | Doc[]): Update {
  if (Array.isArray(update)) throw unsupported('updates with an aggregation pipeline are');
  const isReplacement = !(Object.keys(update)[0] ?? '').startsWith('$');
  return { apply: isReplacement ? compileReplacement(update) : compileOperators(update) };
}
