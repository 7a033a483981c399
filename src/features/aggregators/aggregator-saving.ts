import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { Conflict, Forbidden } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { changeRecord, insertRecord, isTaken, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { uniquely } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { recorded } from './aggregator.audit';
import type { AggregatorReads } from './aggregator-reads';
import type { AggregatorArgument, AggregatorRecord } from './aggregator.model';
import { aggregatorPolicy } from './aggregator.policy';
import { aggregatorRefusals, argumentNotFound, nameTaken } from './aggregator.rules';
import type { AggregatorChange, ArgumentInput } from './aggregator.rules';

export interface AggregatorSavingDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly aggregators: Model<AggregatorRecord>;
  readonly reads: AggregatorReads;
}

/** Creates and changes aggregators. Runs that have started keep the earlier state. */
export function createAggregatorSaving({
  store,
  audit,
  aggregators,
  reads,
}: AggregatorSavingDependencies) {
  const noteTaken = async (
    name: string,
    id: number | null,
    found: Findings,
    tx: Tx,
  ): Promise<void> => {
    if (await isTaken(aggregators, { nameKey: fold(name) }, id, tx)) found.add(nameTaken(name));
  };

  const named = <R>(name: string, work: (tx: Tx) => Promise<R>): Promise<R> =>
    uniquely(
      () => store.transaction(work),
      () => nameTaken(name),
    );

  /** Assigns ids to new arguments, and checks that the other ids are in `there`. */
  const numbered = async (
    args: readonly ArgumentInput[],
    there: readonly AggregatorArgument[],
    tx: Tx,
  ): Promise<AggregatorArgument[]> => {
    const found = new Findings();
    const known = new Set(there.map(({ id }) => id));
    args.forEach(({ id }, at) => {
      if ((id ?? 0) !== 0 && !known.has(id ?? 0))
        found.add(argumentNotFound(id ?? 0, ['args', at, 'id']));
    });
    found.refuse();
    const list: AggregatorArgument[] = [];
    for (const { id, name, description } of args) {
      list.push({
        id:
          id === null || id === undefined || id === 0
            ? await store.nextId('aggregator_arguments', tx)
            : id,
        name: name?.trim() ?? '',
        description: description ?? null,
      });
    }
    return list;
  };

  /**
   * @throws BadInput invalid name, script or arguments
   * @throws NotFound ARGUMENT_NOT_FOUND
   * @throws Conflict AGGREGATOR_ALREADY_EXIST
   */
  const create = async (
    actor: Actor,
    { name: typed = null, args: given = [], script = '', active = true }: AggregatorChange,
  ): Promise<AggregatorRecord> => {
    const name = typed?.trim() ?? '';
    return named(name, async (tx) => {
      const found = new Findings(aggregatorRefusals({ name: typed, args: given, script }));
      await noteTaken(name, null, found, tx);
      found.refuse();
      const args = await numbered(given, [], tx);
      const id = await store.nextId('aggregators', tx);
      const record = await insertRecord<AggregatorRecord>(
        aggregators,
        { _id: id, name, nameKey: fold(name), args, script, active, claims: 0, version: 1 },
        tx,
      );
      await audit.record(
        actor,
        'aggregator.create',
        { type: 'Aggregator', id },
        null,
        recorded(record),
        tx,
      );
      return record;
    });
  };

  /**
   * Changes the given fields.
   * @throws BadInput invalid name, script or arguments
   * @throws NotFound AGGREGATOR_NOT_FOUND, ARGUMENT_NOT_FOUND
   * @throws Conflict AGGREGATOR_ALREADY_EXIST; CONFLICT the version differs
   */
  const update = async (
    actor: Actor,
    id: number,
    change: AggregatorChange,
    expectedVersion?: ExpectedVersion,
  ): Promise<AggregatorRecord> => {
    const { args: given, script, active } = change;
    return named(change.name?.trim() ?? '', async (tx) => {
      const found = new Findings();
      const before = await found.of(() => reads.get(id, tx));
      if (before) found.ofSync(() => requireVersion('aggregator', before, expectedVersion));
      found.add(...aggregatorRefusals(change));
      const name = change.name === undefined ? (before?.name ?? '') : (change.name?.trim() ?? '');
      if (name !== before?.name) await noteTaken(name, id, found, tx);
      const args = given && (await found.of(() => numbered(given, before?.args ?? [], tx)));
      const base = found.passed(before);
      const after = await changeRecord(
        aggregators,
        id,
        {
          ...(name === base.name ? {} : { name, nameKey: fold(name) }),
          ...(args && { args }),
          ...(script === undefined ? {} : { script }),
          ...(active === undefined ? {} : { active }),
          version: base.version + 1,
        },
        tx,
      );
      await audit.record(
        actor,
        'aggregator.update',
        { type: 'Aggregator', id },
        recorded(base),
        recorded(after, { isScriptNew: after.script !== base.script }),
        tx,
      );
      return after;
    });
  };

  return {
    create,
    update,

    /**
     * Creates an aggregator (`id` null) or changes the one with this id.
     * @throws Forbidden may not create, or not update
     * @throws Conflict  CONFLICT a version is expected for a new aggregator
     * @throws the errors of `create` and `update`
     */
    async save(
      actor: Actor,
      id: number | null,
      change: AggregatorChange,
      expectedVersion?: ExpectedVersion,
    ): Promise<AggregatorRecord> {
      const need = id === null ? aggregatorPolicy.create : aggregatorPolicy.update;
      if (!allows(need, actor)) throw new Forbidden(`This needs ${need}.`);
      if (id !== null) return update(actor, id, change, expectedVersion);
      if (expectedVersion !== undefined)
        throw new Conflict('CONFLICT', 'A new aggregator has no version to be expected.', {
          path: ['expectedVersion'],
        });
      return create(actor, change);
    },

    /**
     * Removes an argument from its aggregator. Values stored with runs are kept.
     * @throws NotFound ARGUMENT_NOT_FOUND
     * @throws Conflict CONFLICT the version of the aggregator differs
     */
    async removeArgument(
      actor: Actor,
      argumentId: number,
      expectedVersion?: ExpectedVersion,
    ): Promise<AggregatorRecord> {
      return store.transaction(async (tx) => {
        const before = await aggregators
          .findOne({ 'args.id': argumentId }, null, { session: tx.session })
          .lean<AggregatorRecord>();
        if (!before) throw argumentNotFound(argumentId);
        requireVersion('aggregator', before, expectedVersion);
        const after = await changeRecord(
          aggregators,
          before._id,
          { args: before.args.filter(({ id }) => id !== argumentId), version: before.version + 1 },
          tx,
        );
        await audit.record(
          actor,
          'aggregator.update',
          { type: 'Aggregator', id: before._id },
          recorded(before),
          recorded(after),
          tx,
        );
        return after;
      });
    },
  };
}
