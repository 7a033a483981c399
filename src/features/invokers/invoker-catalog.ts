import { createCache } from '../../platform/cache';
import type { Contained } from '../../platform/contained/tasks';
import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Collection } from '../../platform/store/collection';
import { everyRecord } from '../../platform/store/records';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import { readWhole } from '../../platform/store/read-whole';
import type { Store, Tx } from '../../platform/store/store';
import { titleSearch } from '../../platform/store/lists/title-search';
import type { TitleSearch } from '../../platform/store/lists/title-search';
import { fold } from '../../platform/text/fold';
import type { Invoker } from './invoker';
import { InvokerSources } from './invoker-sources';
import type { InvokerTasks } from './invoker-tasks';
import { invokerSchema } from './invoker.model';
import type { InvokerRecord } from './invoker.model';

declare module '../../platform/context' {
  interface Services {
    invokerCatalog: InvokerCatalog;
  }
}

/** Longer texts cannot be names, in UTF-16 code units. */
const MAX_NAME_LENGTH = 1_024;
/** Maximum number of rows that `all` fetches at once. */
const ROWS_AT_ONCE = 10;
/** Maximum number of names in one query: a document from a client may contain very many. */
const NAMES_AT_ONCE = 500;

/**
 * The stored invokers, identified by name without regard to case. Needs no other service, so that
 * connectors and workflows can use it.
 */
export class InvokerCatalog {
  readonly collection: Collection<InvokerRecord>;
  readonly sources: InvokerSources;
  readonly searchTitles: TitleSearch;
  // Keyed by the id of the XML, which never changes. Large definitions are not cached themselves.
  private readonly operationNames = createCache<ReadonlySet<string>>('operationNames');

  constructor(store: Store, contained: Contained<InvokerTasks>) {
    this.collection = store.collection<InvokerRecord>('Invoker', invokerSchema, 'invokers');
    this.sources = new InvokerSources(store, contained);
    this.searchTitles = titleSearch(this.collection, { title: 'name', key: 'nameKey' });
  }

  /** Returns the existing rows by the requested name. */
  async rowsByName(names: readonly string[], tx?: Tx): Promise<Map<string, InvokerRecord>> {
    const keysByName = new Map(
      names.filter(({ length }) => length <= MAX_NAME_LENGTH).map((name) => [name, fold(name)]),
    );
    const rows = await this.collection.find(
      { nameKey: { $in: [...new Set(keysByName.values())] } },
      { tx },
    );
    const byKey = new Map(rows.map((row) => [row.nameKey, row]));
    return new Map(
      [...keysByName].flatMap(([name, key]) => {
        const row = byKey.get(key);
        return row ? [[name, row] as const] : [];
      }),
    );
  }

  /** Returns the rows in the order of `ids`, null for unknown ones. */
  rowsByIds(ids: readonly number[], tx?: Tx): Promise<(InvokerRecord | null)[]> {
    return this.collection.byIds(ids, { tx });
  }

  async rowByName(name: string, tx?: Tx): Promise<InvokerRecord | null> {
    return (await this.rowsByName([name], tx)).get(name) ?? null;
  }

  /**
   * @param key id or name
   * @throws NotFound INVOKER_NOT_FOUND
   */
  async getRow(key: number | string, tx?: Tx, path?: InputPath): Promise<InvokerRecord> {
    const row =
      typeof key === 'string'
        ? await this.rowByName(key, tx)
        : ((await this.rowsByIds([key], tx))[0] ?? null);
    if (!row) throw invokerNotFound(key, path);
    return row;
  }

  page(query: PageQuery): Promise<Page<InvokerRecord>> {
    return pageOf(this.collection, query);
  }

  async exists(name: string): Promise<boolean> {
    return (await this.rowByName(name)) !== null;
  }

  async fileExists(fileName: string): Promise<boolean> {
    return this.collection.exists({ fileName });
  }

  async byName(name: string, tx?: Tx): Promise<Invoker | null> {
    const row = await this.rowByName(name, tx);
    return row && this.invokerOf(row, tx);
  }

  /** Returns the existing invokers by the requested name. */
  async byNames(names: readonly string[]): Promise<Map<string, Invoker>> {
    const invokers = new Map<string, Invoker>();
    for (const [name, row] of await this.rowsByName(names)) {
      const invoker = await this.invokerOf(row);
      if (invoker) invokers.set(name, invoker);
    }
    return invokers;
  }

  /** @throws NotFound INVOKER_NOT_FOUND */
  async get(name: string, path?: InputPath, tx?: Tx): Promise<Invoker> {
    const invoker = await this.byName(name, tx);
    if (!invoker) throw invokerNotFound(name, path);
    return invoker;
  }

  /** Streams all invokers with their parsed XML, by id. */
  async *all(): AsyncGenerator<Invoker, void, void> {
    for await (const rows of everyRecord(this.collection, {}, null, ROWS_AT_ONCE)) {
      for (const row of rows) {
        const invoker = await this.invokerOf(row);
        if (invoker) yield invoker;
      }
    }
  }

  /**
   * Returns the parsed invoker; of the new version if it was replaced since `row` was read, null if
   * it was deleted.
   */
  async invokerOf(row: InvokerRecord, tx?: Tx): Promise<Invoker | null> {
    const source = await readWhole(
      {
        row: () => this.collection.byId(row._id, tx),
        nameOf: ({ source }) => source.id,
        partOf: ({ source }) => this.sources.definition(source, tx),
      },
      row,
    );
    return source && { ...source.part, id: source.row._id, version: source.row.version };
  }

  /**
   * Returns the XML as it was imported.
   * @throws NotFound INVOKER_NOT_FOUND
   */
  async xml(name: string): Promise<{ readonly row: InvokerRecord; readonly text: string }> {
    const source = await readWhole({
      row: () => this.rowByName(name),
      nameOf: ({ source }) => source.id,
      partOf: ({ source }) => this.sources.read(source),
    });
    if (!source) throw invokerNotFound(name);
    return { row: source.row, text: source.part };
  }

  /** Returns the operation names of the existing invokers by the requested name. */
  async operations(names: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const operationsByName = new Map<string, ReadonlySet<string>>();
    for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
      for (const [name, row] of await this.rowsByName(names.slice(from, from + NAMES_AT_ONCE))) {
        const operations = await this.operationsOf(row);
        if (operations) operationsByName.set(name, operations);
      }
    }
    return operationsByName;
  }

  /**
   * Writes the row when a connector starts to use the invoker, so that a concurrent deletion
   * conflicts (docs/adr/0010).
   * @throws NotFound INVOKER_NOT_FOUND
   */
  async claim(name: string, tx: Tx, path: InputPath): Promise<void> {
    const matched = await this.collection.updateOne(
      { nameKey: fold(name) },
      { $inc: { claims: 1 } },
      tx,
    );
    if (matched === 0) throw invokerNotFound(name, path);
  }

  /** Returns null if the invoker was deleted. */
  private async operationsOf(row: InvokerRecord): Promise<ReadonlySet<string> | null> {
    const cached = this.operationNames.get(row.source.id);
    if (cached) return cached;
    const invoker = await this.invokerOf(row);
    if (!invoker) return null;
    const names = invoker.operations.map(({ name }) => name);
    const operations = new Set(names);
    // A replaced invoker has another text.
    if (invoker.version === row.version)
      this.operationNames.set(row.source.id, operations, {
        size: names.reduce((sum, { length }) => sum + length, 1),
      });
    return operations;
  }
}

/** @param key id or name */
function invokerNotFound(
  key: number | string,
  path: InputPath = [typeof key === 'string' ? 'name' : 'id'],
): NotFound {
  const message =
    String(key).trim() === ''
      ? 'The invoker is missing.'
      : `There is no invoker ${String(key).slice(0, 255)}.`;
  return new NotFound('INVOKER_NOT_FOUND', message, { path });
}
