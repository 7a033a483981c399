import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { Conflict } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { eachOnce, placesIn, requireVersion, THE_ID } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { createRecordTurns } from '../../platform/store/record-turns';
import type { Store, Tx } from '../../platform/store/store';
import { toldTitles } from '../../platform/text/characters';
import type { AuditService } from '../audit/audit.service';
import { recorded } from './aggregator.audit';
import type { AggregatorReads } from './aggregator-reads';
import type { AggregatorRecord } from './aggregator.model';
import type { AggregatorUsers } from './aggregator.ports';

export interface AggregatorDeletionDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly aggregators: Model<AggregatorRecord>;
  readonly reads: AggregatorReads;
  readonly workflows: AggregatorUsers;
}

/** `force`: delete also if workflows use it; their runs report it and keep none of its values. */
export interface AggregatorDeletion {
  readonly force?: boolean;
  readonly expectedVersion?: ExpectedVersion;
}

export function createAggregatorDeletion({
  store,
  audit,
  aggregators,
  reads,
  workflows,
}: AggregatorDeletionDependencies) {
  // Serialise: overlapping bulk deletes would conflict and retry.
  const turns = createRecordTurns();

  /**
   * Called within the transaction: a concurrent save of a workflow that uses it writes its record,
   * so one of the two is retried.
   */
  const requireUnused = async (
    { _id, name }: AggregatorRecord,
    path: InputPath,
    tx: Tx,
  ): Promise<void> => {
    const users = await workflows.using({ aggregatorIds: [_id] }, tx);
    if (users.length > 0)
      throw new Conflict(
        'AGGREGATOR_IN_USE',
        `The aggregator ${JSON.stringify(name)} is used by ${toldTitles(users)}.`,
        { path },
      );
  };

  const removeOne = async (
    actor: Actor,
    id: number,
    path: InputPath,
    { force = false, expectedVersion }: AggregatorDeletion,
    tx: Tx,
  ): Promise<AggregatorRecord> => {
    const before = await reads.get(id, tx, path);
    const found = new Findings();
    found.ofSync(() => requireVersion('aggregator', before, expectedVersion));
    if (!force) await found.of(() => requireUnused(before, path, tx));
    found.refuse();
    await aggregators.deleteOne({ _id: id }, { session: tx.session });
    await audit.record(
      actor,
      'aggregator.delete',
      { type: 'Aggregator', id },
      recorded(before),
      null,
      tx,
    );
    return before;
  };

  return {
    /**
     * Deletes an aggregator and returns the deleted record. Values stored with runs are kept.
     * @throws NotFound AGGREGATOR_NOT_FOUND
     * @throws Conflict AGGREGATOR_IN_USE with the titles of the workflows, unless forced; CONFLICT
     * the version differs
     */
    remove: (
      actor: Actor,
      id: number,
      deletion: AggregatorDeletion = {},
    ): Promise<AggregatorRecord> =>
      store.transaction((tx) => removeOne(actor, id, THE_ID(id), deletion, tx)),

    /**
     * Deletes aggregators, all or none, and returns the deleted records.
     * @throws BadInput too many ids
     * @throws NotFound AGGREGATOR_NOT_FOUND one of them does not exist
     * @throws Conflict AGGREGATOR_IN_USE with the titles of the workflows, unless forced
     */
    async removeAll(
      actor: Actor,
      ids: readonly number[],
      { force }: Pick<AggregatorDeletion, 'force'> = {},
    ): Promise<AggregatorRecord[]> {
      const [unique, place] = [eachOnce(ids, 'aggregators'), placesIn(ids)];
      return turns.of('lists', () =>
        store.transaction(async (tx) => {
          const found = new Findings();
          const removed: AggregatorRecord[] = [];
          for (const id of unique)
            removed.push(
              ...[await found.of(() => removeOne(actor, id, place(id), { force }, tx))].flatMap(
                (record) => record ?? [],
              ),
            );
          found.refuse();
          return removed;
        }),
      );
    },
  };
}
