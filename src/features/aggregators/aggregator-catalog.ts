import type { RunAggregators } from '../../engine';
import type { Collection } from '../../platform/store/collection';
import { knownRecords } from '../../platform/store/known-records';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { aggregatorCollection } from './aggregator.model';
import type { AggregatorRecord } from './aggregator.model';

/** Looks up aggregators for workflows, templates and runs. Needs only the store. */
export class AggregatorCatalog {
  private readonly aggregators: Collection<AggregatorRecord>;

  constructor(store: Store) {
    this.aggregators = aggregatorCollection(store);
  }

  /** Returns which of these ids exist. */
  findExisting(ids: readonly number[], tx?: Tx): Promise<ReadonlySet<number>> {
    return knownRecords(this.aggregators).findExisting(ids, tx);
  }

  /** Writes the records, so that a concurrent deletion conflicts (docs/adr/0010). */
  claim(ids: readonly number[], tx: Tx): Promise<void> {
    return knownRecords(this.aggregators).claim(ids, tx);
  }

  /** Returns the names of the existing aggregators, by id. */
  async names(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const records = await this.find(ids);
    return new Map(records.map(({ _id, name }) => [_id, name]));
  }

  /** Returns the ids of the existing aggregators, by folded name. */
  async idsOf(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (names.length === 0) return new Map();
    const records = await this.aggregators.find<Pick<AggregatorRecord, '_id' | 'nameKey'>>(
      { nameKey: { $in: [...new Set(names.map(fold))] } },
      { fields: { nameKey: 1 } },
    );
    return new Map(records.map(({ _id, nameKey }) => [nameKey, _id]));
  }

  /** Returns which of these ids are those of arguments. */
  async knownArguments(ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const records = await this.aggregators.find<Pick<AggregatorRecord, 'args'>>(
      { 'args.id': { $in: [...ids] } },
      { fields: { args: 1 } },
    );
    const argumentIds = records.flatMap(({ args }) => args.map(({ id }) => id));
    return new Set(argumentIds.filter((id) => ids.includes(id)));
  }

  /** Returns the existing aggregators in their current state, by id; null for archived ones. */
  async open(ids: readonly number[]): Promise<RunAggregators> {
    const records = await this.find(ids);
    return new Map(
      records.map(({ _id, name, script, args, active }) => [
        _id,
        active
          ? { name, script, args: args.map(({ id, name: argument }) => ({ id, name: argument })) }
          : null,
      ]),
    );
  }

  private async find(ids: readonly number[]): Promise<AggregatorRecord[]> {
    if (ids.length === 0) return [];
    return this.aggregators.find({ _id: { $in: [...new Set(ids)] } });
  }
}
