import { createCache, derived } from '../../platform/cache';
import type { InvokerFacts } from '../../engine';
import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import type { Collection } from '../../platform/store/collection';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import { pagesOf } from '../../platform/store/lists/pages-of';
import type { Store, Tx } from '../../platform/store/store';
import { titleSearch } from '../../platform/store/lists/title-search';
import type { TitleSearch } from '../../platform/store/lists/title-search';
import { fold } from '../../platform/text/fold';
import type { InvokerCatalog } from '../invokers/invoker-catalog';
import { CONNECTOR_TOPIC, connectorCollection } from './connector.model';
import type { ConnectorChanged, ConnectorRecord } from './connector.model';
import { findSuspended } from './credentials/consent';
import type { Suspended } from './credentials/consent';
import type { Credentials } from './credentials/credentials';

declare module '../../platform/context' {
  interface Services {
    connectorCatalog: ConnectorCatalog;
  }
}

/** The stored connectors. Needs no other service, so that invokers and workflows can use it. */
export class ConnectorCatalog {
  readonly collection: Collection<ConnectorRecord>;
  readonly searchTitles: TitleSearch;
  // Keyed by the operations of an invoker, which are the same object while its text is cached.
  private readonly cacheOf = derived((_operations: InvokerFacts['operations']) =>
    createCache<readonly Suspended[]>('suspendedFields'),
  );

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly bus: EventBus;
      readonly credentials: Credentials;
      readonly invokers: Pick<InvokerCatalog, 'byNames'>;
    },
  ) {
    this.collection = connectorCollection(deps.store);
    this.searchTitles = titleSearch(this.collection, { title: 'title', key: 'titleKey' });
  }

  async byId(id: number, tx?: Tx): Promise<ConnectorRecord | null> {
    return (await this.byIds([id], tx))[0] ?? null;
  }

  /** Returns the connectors in the order of `ids`, null for unknown ones. One query. */
  byIds(ids: readonly number[], tx?: Tx): Promise<(ConnectorRecord | null)[]> {
    return this.collection.byIds(ids, { tx });
  }

  /** @throws NotFound CONNECTOR_NOT_FOUND */
  async get(id: number, tx?: Tx, path?: InputPath): Promise<ConnectorRecord> {
    const record = await this.byId(id, tx);
    if (!record) throw connectorNotFound(id, path);
    return record;
  }

  page(query: PageQuery): Promise<Page<ConnectorRecord>> {
    return pageOf(this.collection, query);
  }

  pagesOfInvokers(names: readonly string[], query: PageQuery): Promise<Page<ConnectorRecord>[]> {
    return pagesOf(this.collection, 'invokerKey', names.map(fold), query);
  }

  list(): Promise<ConnectorRecord[]> {
    return this.collection.find({}, { sort: { _id: 1 } });
  }

  async exists(title: string): Promise<boolean> {
    return this.collection.exists({ titleKey: fold(title) });
  }

  /** Returns ids and titles of the connectors of these invokers. Names are compared without case. */
  async ofInvokers(names: readonly string[], tx?: Tx): Promise<{ id: number; title: string }[]> {
    const connectors = await this.collection.find<Pick<ConnectorRecord, '_id' | 'title'>>(
      { invokerKey: { $in: names.map(fold) } },
      { tx, fields: { title: 1 }, sort: { _id: 1 } },
    );
    return connectors.map(({ _id, title }) => ({ id: _id, title }));
  }

  async ofInvoker(name: string): Promise<readonly number[]> {
    return (await this.ofInvokers([name])).map(({ id }) => id);
  }

  /** Returns titles and invokers of the existing connectors by id. One query. */
  async facts(
    ids: readonly number[],
    tx?: Tx,
  ): Promise<ReadonlyMap<number, { readonly title: string; readonly invoker: string }>> {
    const connectors = await this.existing([...new Set(ids)], tx);
    return new Map(connectors.map(({ _id, title, invoker }) => [_id, { title, invoker }]));
  }

  /**
   * Writes the records, so that a concurrent deletion conflicts (docs/adr/0010). Versions stay
   * unchanged, because clients see no difference.
   * @throws NotFound CONNECTOR_NOT_FOUND if one was deleted
   */
  async claim(ids: readonly number[], tx: Tx): Promise<void> {
    for (const id of new Set(ids)) {
      const matched = await this.collection.updateOne({ _id: id }, { $inc: { claims: 1 } }, tx);
      if (matched === 0) throw connectorNotFound(id, ['connectorId']);
    }
  }

  /** Sets fields of a record and counts its version. Returns the stored record. */
  async change(
    { _id, version }: ConnectorRecord,
    set: Partial<ConnectorRecord>,
    updatedAt: Date,
    tx: Tx,
  ): Promise<ConnectorRecord> {
    const change = { ...set, updatedAt, version: version + 1 };
    const changed = await this.collection.change(_id, change, tx);
    tx.afterCommit(() => this.publish(_id));
    return changed;
  }

  /** Stores the result of a check, unless the connector was changed during the check. */
  async recordCheck(
    { _id, version }: ConnectorRecord,
    lastCheck: ConnectorRecord['lastCheck'],
  ): Promise<void> {
    await this.collection.updateOne({ _id, version }, { $set: { lastCheck } });
    this.publish(_id);
  }

  private publish(id: number): void {
    this.deps.bus.publish<ConnectorChanged>(CONNECTOR_TOPIC, { id });
  }

  /** Returns the existing connectors, each with its invoker if that exists. */
  async withInvokers(
    ids: readonly number[],
  ): Promise<{ readonly record: ConnectorRecord; readonly invoker: InvokerFacts | null }[]> {
    const records = await this.existing(ids);
    const invokers = await this.deps.invokers.byNames([
      ...new Set(records.map(({ invoker }) => invoker)),
    ]);
    return records.map((record) => ({ record, invoker: invokers.get(record.invoker) ?? null }));
  }

  /** Returns the connectors that have suspended fields, by id. */
  async suspended(
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, { readonly title: string; readonly fields: readonly string[] }>> {
    const connectors = new Map<number, { title: string; fields: string[] }>();
    for (const { record, invoker } of await this.withInvokers(ids)) {
      const suspended = this.suspendedOf(record, invoker);
      if (suspended.length > 0)
        connectors.set(record._id, {
          title: record.title,
          fields: suspended.map(({ name }) => name),
        });
    }
    return connectors;
  }

  /**
   * Returns the stored values that would go to origins they were not entered for. Derived from
   * connector and invoker, not stored.
   */
  suspendedOf(record: ConnectorRecord, invoker: InvokerFacts | null): readonly Suspended[] {
    if (invoker === null || record.requestData.length === 0) return [];
    const cache = this.cacheOf(invoker.operations);
    const key = `${record._id}:${record.version}`;
    const suspended =
      cache.get(key) ??
      findSuspended(record.requestData, record, invoker, this.deps.credentials.open(record));
    cache.set(key, suspended);
    return suspended;
  }

  private async existing(ids: readonly number[], tx?: Tx): Promise<ConnectorRecord[]> {
    return (await this.byIds(ids, tx)).filter((record) => record !== null);
  }
}

export const connectorNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('CONNECTOR_NOT_FOUND', `There is no connector ${id}.`, { path });
