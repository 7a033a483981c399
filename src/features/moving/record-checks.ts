import { requireStorable } from '@hypha/embedded-mongo';
import { BSON, EJSON } from 'bson';
import { createHash } from 'node:crypto';
import { fieldAt } from '../../platform/store/lists/keyset';
import type { RawRecord } from '../../platform/store/startup/whole-store';

/** A unique index: its fields, and those that a record must have to be in it. */
export interface UniqueIndex {
  readonly fields: readonly string[];
  readonly required: readonly string[];
}

/**
 * Checks the records of one collection as the store will, since an import that fails later has
 * emptied the store already.
 */
export class RecordChecks {
  private readonly ids = new DigestSet();
  private readonly seen: readonly DigestSet[];

  constructor(private readonly indexes: readonly UniqueIndex[]) {
    this.seen = indexes.map(() => new DigestSet());
  }

  /** @throws Error the record cannot be stored, or another one has the same id or unique fields */
  check(record: RawRecord): void {
    const idKey = requireStorable(BSON.serialize(record, { ignoreUndefined: true }));
    if (!this.ids.add(idKey))
      throw new Error(`two records have the _id ${EJSON.stringify(record._id)}`);
    for (const [position, { fields, required }] of this.indexes.entries()) {
      if (required.some((field) => fieldAt(record, field) === undefined)) continue;
      const values = EJSON.stringify(fields.map((field) => fieldAt(record, field) ?? null));
      if (!this.seen[position].add(Buffer.from(values)))
        throw new Error(`two records have the same ${fields.join(' and ')}: ${values}`);
    }
  }
}

/** A set of bytes as digests of 16 characters, in parts: a JavaScript set has a maximum size. */
class DigestSet {
  private readonly parts = new Map<string, Set<string>>();

  /** Returns false if the bytes are in the set already. */
  add(bytes: Buffer): boolean {
    const digest = createHash('sha256').update(bytes).digest().toString('latin1', 0, 17);
    const part = this.parts.get(digest[0]) ?? new Set();
    this.parts.set(digest[0], part);
    const { size } = part;
    return part.add(digest.slice(1)).size > size;
  }
}
