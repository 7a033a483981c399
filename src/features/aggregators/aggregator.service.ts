import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { Conflict, Forbidden } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { requireUnused } from '../../platform/errors/require-unused';
import type { Collection } from '../../platform/store/collection';
import { everyRecord, requireVersion, THE_ID } from '../../platform/store/records';
import { changeAll } from '../../platform/store/change-all';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Adoption } from '../../platform/store/startup/adoption';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import type { Store, Tx } from '../../platform/store/store';
import { titleSearch } from '../../platform/store/lists/title-search';
import type { TitleSearch } from '../../platform/store/lists/title-search';
import { UniqueNames } from '../../platform/store/unique-names';
import { quoteTitle } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { aggregatorCollection, recorded } from './aggregator.model';
import type { AggregatorArgument, AggregatorRecord } from './aggregator.model';
import { aggregatorPolicy } from './aggregator.policy';
import {
  aggregatorErrors,
  aggregatorNotFound,
  argumentNotFound,
  nameTaken,
} from './aggregator.rules';
import type { AggregatorChange, ArgumentInput } from './aggregator.rules';

export { AGGREGATOR_LENGTHS } from './aggregator.rules';

declare module '../../platform/context' {
  interface Services {
    aggregators: AggregatorService;
  }
}

/** `force`: delete also if workflows use it; their runs then keep none of its values. */
interface AggregatorDeletion {
  readonly force?: boolean;
  readonly expectedVersion?: ExpectedVersion;
}

/** Finds the workflows that use aggregators. */
interface AggregatorReferences {
  using(
    things: { readonly aggregatorIds: readonly number[] },
    tx?: Tx,
  ): Promise<readonly { readonly title: string }[]>;
}

const target = (id: number) => ({ type: 'Aggregator', id }) as const;

/**
 * Data aggregators: scripts that compute values from the requests and responses of a run's methods.
 * Runs that have started keep the state of their start.
 */
export class AggregatorService {
  private readonly aggregators: Collection<AggregatorRecord>;
  private readonly uniqueNames: UniqueNames<AggregatorRecord>;
  readonly searchTitles: TitleSearch;

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly audit: AuditService;
      readonly workflowReferences: AggregatorReferences;
    },
  ) {
    this.aggregators = aggregatorCollection(deps.store);
    this.uniqueNames = new UniqueNames(this.aggregators, { takenError: nameTaken });
    this.searchTitles = titleSearch(this.aggregators, { title: 'name', key: 'nameKey' });
  }

  /** @throws NotFound AGGREGATOR_NOT_FOUND */
  async get(id: number, tx?: Tx, path: InputPath = ['id']): Promise<AggregatorRecord> {
    const record = await this.aggregators.byId(id, tx);
    if (!record) throw aggregatorNotFound(id, path);
    return record;
  }

  /** Returns the aggregators in the given order, null for missing ones. */
  byIds(ids: readonly number[]): Promise<(AggregatorRecord | null)[]> {
    return this.aggregators.byIds(ids);
  }

  page(query: PageQuery): Promise<Page<AggregatorRecord>> {
    return pageOf<AggregatorRecord>(this.aggregators, query);
  }

  /** Streams all aggregators by id. */
  async *list(): AsyncGenerator<AggregatorRecord, void, void> {
    for await (const records of everyRecord(this.aggregators)) yield* records;
  }

  /** Returns whether an aggregator has this name, without regard to case. */
  exists(name: string): Promise<boolean> {
    return this.uniqueNames.has(name);
  }

  /**
   * @throws BadInput invalid name, script or arguments
   * @throws NotFound ARGUMENT_NOT_FOUND
   * @throws Conflict AGGREGATOR_ALREADY_EXIST
   */
  async create(
    actor: Actor,
    { name: typed = null, args: inputs = [], script = '', active = true }: AggregatorChange,
    adoption?: Adoption,
  ): Promise<AggregatorRecord> {
    const name = typed?.trim() ?? '';
    const work = async (tx: Tx): Promise<AggregatorRecord> => {
      const findings = new Findings(aggregatorErrors({ name: typed, args: inputs, script }));
      await this.uniqueNames.check(name, null, findings, tx);
      findings.refuse();
      const args = await this.toArguments(inputs, adoption ? inputs : [], tx);
      const id = adoption?.id ?? (await this.deps.store.nextId('aggregators', tx));
      const facts = { args, script, active, claims: 0, version: 1 };
      const fields = { _id: id, name, nameKey: fold(name), ...facts };
      const record = await this.aggregators.insert(fields, tx);
      const { audit } = this.deps;
      await audit.record(actor, 'aggregator.create', target(id), null, recorded(record), tx);
      return record;
    };
    return adoption ? work(adoption.tx) : this.save(name, work);
  }

  /**
   * Changes the given fields.
   * @throws BadInput invalid name, script or arguments
   * @throws NotFound AGGREGATOR_NOT_FOUND, ARGUMENT_NOT_FOUND
   * @throws Conflict AGGREGATOR_ALREADY_EXIST; CONFLICT the version differs
   */
  async update(
    actor: Actor,
    id: number,
    change: AggregatorChange,
    expectedVersion?: ExpectedVersion,
  ): Promise<AggregatorRecord> {
    const { args: inputs, script, active } = change;
    return this.save(change.name?.trim() ?? '', async (tx) => {
      const findings = new Findings();
      const before = await findings.of(() => this.get(id, tx));
      if (before) findings.ofSync(() => requireVersion('aggregator', before, expectedVersion));
      findings.add(...aggregatorErrors(change));
      const name = change.name === undefined ? (before?.name ?? '') : (change.name?.trim() ?? '');
      if (name !== before?.name) await this.uniqueNames.check(name, id, findings, tx);
      const args =
        inputs && (await findings.of(() => this.toArguments(inputs, before?.args ?? [], tx)));
      const base = findings.passed(before);
      return this.write(
        actor,
        base,
        {
          ...(name !== base.name && { name, nameKey: fold(name) }),
          ...(args && { args }),
          ...(script !== undefined && { script }),
          ...(active !== undefined && { active }),
        },
        tx,
      );
    });
  }

  /**
   * Creates an aggregator (`id` null) or changes the one with this id; see `create` and `update`.
   * @throws Forbidden may not create, or not update
   * @throws Conflict CONFLICT a version is expected for a new aggregator
   */
  async createOrUpdate(
    actor: Actor,
    id: number | null,
    change: AggregatorChange,
    expectedVersion?: ExpectedVersion,
  ): Promise<AggregatorRecord> {
    const need = id === null ? aggregatorPolicy.create : aggregatorPolicy.update;
    if (!allows(need, actor)) throw new Forbidden(`This needs ${need}.`);
    if (id !== null) return this.update(actor, id, change, expectedVersion);
    if (expectedVersion !== undefined)
      throw new Conflict('CONFLICT', 'A new aggregator has no version; send no expected version.', {
        path: ['expectedVersion'],
      });
    return this.create(actor, change);
  }

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
    return this.deps.store.transaction(async (tx) => {
      const before = await this.aggregators.findOne({ 'args.id': argumentId }, { tx });
      if (!before) throw argumentNotFound(argumentId);
      requireVersion('aggregator', before, expectedVersion);
      const args = before.args.filter(({ id }) => id !== argumentId);
      return this.write(actor, before, { args }, tx);
    });
  }

  /**
   * Deletes an aggregator and returns the deleted record. Values stored with runs are kept.
   * @throws NotFound AGGREGATOR_NOT_FOUND
   * @throws Conflict AGGREGATOR_IN_USE with the title of the first workflow, unless forced; CONFLICT
   * the version differs
   */
  remove(actor: Actor, id: number, deletion: AggregatorDeletion = {}): Promise<AggregatorRecord> {
    return this.deps.store.transaction((tx) => this.removeOne(actor, id, THE_ID(id), deletion, tx));
  }

  /** Deletes several aggregators, all or none; see `remove`. */
  removeAll(
    actor: Actor,
    ids: readonly number[],
    { force }: Pick<AggregatorDeletion, 'force'> = {},
  ): Promise<AggregatorRecord[]> {
    return changeAll(this.deps.store, ids, 'aggregators', (id, path, tx) =>
      this.removeOne(actor, id, path, { force }, tx),
    );
  }

  private save<R>(name: string, work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.uniqueNames.guard(name, () => this.deps.store.transaction(work));
  }

  private async write(
    actor: Actor,
    before: AggregatorRecord,
    set: Partial<AggregatorRecord>,
    tx: Tx,
  ): Promise<AggregatorRecord> {
    const { _id: id, version, script } = before;
    const after = await this.aggregators.change(id, { ...set, version: version + 1 }, tx);
    const [old, shown] = [recorded(before), recorded(after, after.script !== script)];
    await this.deps.audit.record(actor, 'aggregator.update', target(id), old, shown, tx);
    return after;
  }

  /**
   * Assigns ids to new arguments.
   * @throws NotFound ARGUMENT_NOT_FOUND an id is not in `existing`
   */
  private async toArguments(
    inputs: readonly ArgumentInput[],
    existing: readonly Pick<ArgumentInput, 'id'>[],
    tx: Tx,
  ): Promise<AggregatorArgument[]> {
    const findings = new Findings();
    const existingIds = new Set(existing.map(({ id }) => id));
    inputs.forEach(({ id }, at) => {
      if (id && !existingIds.has(id)) findings.add(argumentNotFound(id, ['args', at, 'id']));
    });
    findings.refuse();
    const args: AggregatorArgument[] = [];
    for (const { id, name, description } of inputs)
      args.push({
        id: id || (await this.deps.store.nextId('aggregator_arguments', tx)),
        name: name?.trim() ?? '',
        description: description ?? null,
      });
    return args;
  }

  private async removeOne(
    actor: Actor,
    id: number,
    path: InputPath,
    { force = false, expectedVersion }: AggregatorDeletion,
    tx: Tx,
  ): Promise<AggregatorRecord> {
    const before = await this.get(id, tx, path);
    const findings = new Findings();
    findings.ofSync(() => requireVersion('aggregator', before, expectedVersion));
    if (!force) {
      const users = await this.deps.workflowReferences.using({ aggregatorIds: [id] }, tx);
      const subject = `The aggregator ${quoteTitle(before.name)}`;
      findings.ofSync(() => requireUnused('AGGREGATOR_IN_USE', subject, users, path));
    }
    findings.refuse();
    await this.aggregators.deleteOne({ _id: id }, tx);
    const { audit } = this.deps;
    await audit.record(actor, 'aggregator.delete', target(id), recorded(before), null, tx);
    return before;
  }
}
