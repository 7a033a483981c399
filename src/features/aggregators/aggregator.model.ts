import { orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** A script variable whose value is stored with the run. */
export interface AggregatorArgument {
  /** Unique over all aggregators: references in texts consist of this number only. */
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
}

/** A script that processes all requests and responses of one method. */
export interface AggregatorRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded name; unique. */
  readonly nameKey: string;
  readonly args: readonly AggregatorArgument[];
  readonly script: string;
  /** False: archived. Methods may still refer to it, but it is not evaluated. */
  readonly active: boolean;
  /**
   * Incremented by a save of a workflow that uses it, so that it conflicts with a concurrent
   * deletion (docs/adr/0010).
   */
  readonly claims: number;
  /** Incremented by each change, for optimistic locking. */
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

export const aggregatorCollection = (store: Store) =>
  store.collection<AggregatorRecord>('Aggregator', aggregatorSchema, 'aggregators');

/** The audit record of an aggregator, without its script: only whether that changed. */
export const recorded = (
  { name, args, active, version }: AggregatorRecord,
  isScriptNew = false,
): object => ({ name, args, active, version, ...(isScriptNew && { scriptChanged: true }) });
