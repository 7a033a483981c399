import { describe } from '../describe';
import { dollarPrefixed, immutableField } from '../errors';
import { fromOrderedEntries, orderedEntries } from '../key-order';
import { valuesEqual } from '../order';
import { requireSupportedTypes, requireValidId } from '../values';
import type { Doc } from '../values';

/**
 * Compiles an update that is a whole document; `_id` stays, or may be given when it is the same.
 * @throws StoreError 52 for a top-level field starting with `$`; 66 on applying it when `_id` would change
 */
export function compileReplacement(replacement: Doc): (doc: Doc) => Doc {
  const dollar = Object.keys(replacement).find((key) => key.startsWith('$'));
  if (dollar !== undefined) {
    throw dollarPrefixed(`The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`);
  }
  requireSupportedTypes(replacement);
  const given = Object.hasOwn(replacement, '_id');
  if (given) requireValidId(replacement._id);
  return (doc) => {
    const had = Object.hasOwn(doc, '_id');
    if (had && given && !valuesEqual(doc._id, replacement._id)) {
      throw immutableField(`After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${describe(replacement._id)}`);
    }
    const fields = orderedEntries(replacement).filter(([name]) => name !== '_id');
    return fromOrderedEntries(had || given ? [['_id', had ? doc._id : replacement._id], ...fields] : fields);
  };
}
