import { orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** A variable whose value a run keeps. */
export interface AggregatorArgument {
  /** Of all aggregators together: texts elsewhere name it by this number alone. */
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
}

/** A script over all that the calls of one method sent and were answered. */
export interface AggregatorRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded; unique. */
  readonly nameKey: string;
  readonly args: readonly AggregatorArgument[];
  readonly script: string;
  /** False: archived. It stays with the methods that name it, and is not evaluated. */
  readonly active: boolean;
  /** Counts saved workflows that named it: a save writes it, so that a deletion beside it conflicts (docs/adr/0010). */
  readonly claims: number;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
}

const argument = partOf<AggregatorArgument>({
  id: Number,
  name: String,
  description: orNull(String),
});

const aggregatorSchema = schemaOf<AggregatorRecord>({
  _id: Number,
  name: String,
  nameKey: String,
  args: [argument],
  script: String,
  active: Boolean,
  claims: Number,
  version: Number,
});
aggregatorSchema.index({ nameKey: 1 }, { unique: true });
aggregatorSchema.index({ active: 1, nameKey: 1, _id: 1 });
aggregatorSchema.index({ active: 1, _id: 1 });
aggregatorSchema.index({ 'args.id': 1 });

export const aggregatorModel = (store: Store) =>
  store.model<AggregatorRecord>('Aggregator', aggregatorSchema, 'aggregators');
