import type { Model } from 'mongoose';
import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { everyRecord, recordsByIds } from '../../platform/store/records';
import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { readWhole } from '../../platform/store/read-whole';
import { titleSearch } from '../../platform/store/title-search';
import type { Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { Invoker } from './invoker';
import type { InvokerRecord } from './invoker.model';
import type { InvokerSources } from './invoker-sources';

export const invokerNotFound = (name: string, path: InputPath = ['name']): NotFound =>
  new NotFound('INVOKER_NOT_FOUND', `There is no invoker called ${name.slice(0, 255)}.`, { path });

/** Longer texts cannot be names, in UTF-16 code units. */
const LONGEST_NAME = 1_024;

/** Maximum number of rows that `all` fetches at once. */
const AT_ONCE = 10;

export type InvokerReading = ReturnType<typeof createInvokerReading>;

/** Reads invokers. They are identified by name, without regard to case. */
export function createInvokerReading({
  invokers,
  sources,
}: {
  invokers: Model<InvokerRecord>;
  sources: InvokerSources;
}) {
  /** Returns the existing rows by the requested name. */
  const rowsByName = async (
    names: readonly string[],
    tx?: Tx,
  ): Promise<Map<string, InvokerRecord>> => {
    const wanted = new Map(
      names.filter(({ length }) => length <= LONGEST_NAME).map((name) => [name, fold(name)]),
    );
    const rows = await invokers
      .find({ nameKey: { $in: [...new Set(wanted.values())] } }, null, { session: tx?.session })
      .lean<InvokerRecord[]>();
    const known = new Map(rows.map((row) => [row.nameKey, row]));
    return new Map(
      [...wanted].flatMap(([name, key]) => {
        const row = known.get(key);
        return row ? [[name, row] as const] : [];
      }),
    );
  };

  const rowByName = async (name: string, tx?: Tx): Promise<InvokerRecord | null> =>
    (await rowsByName([name], tx)).get(name) ?? null;

  const nameOf = ({ source }: InvokerRecord): string => source.id;

  /**
   * Returns the parsed invoker; of the new version if it was replaced since `row` was read, null if
   * it was deleted.
   */
  const invokerOf = async (row: InvokerRecord): Promise<Invoker | null> => {
    const again = (): Promise<InvokerRecord | null> =>
      invokers.findById(row._id).lean<InvokerRecord>();
    const whole = await readWhole(
      { row: again, nameOf, partOf: ({ source }) => sources.definition(source) },
      row,
    );
    return whole && { ...whole.part, id: whole.row._id, version: whole.row.version };
  };

  const byName = async (name: string): Promise<Invoker | null> => {
    const row = await rowByName(name);
    return row && invokerOf(row);
  };

  return {
    rowsByName,
    rowByName,
    invokerOf,

    searchTitles: titleSearch(invokers, { title: 'name', key: 'nameKey' }),

    byName,

    /** Returns the existing invokers by the requested name. */
    async byNames(names: readonly string[]): Promise<Map<string, Invoker>> {
      const found = new Map<string, Invoker>();
      for (const [name, row] of await rowsByName(names)) {
        const invoker = await invokerOf(row);
        if (invoker) found.set(name, invoker);
      }
      return found;
    },

    /** @throws NotFound INVOKER_NOT_FOUND */
    async get(name: string): Promise<Invoker> {
      const invoker = await byName(name);
      if (!invoker) throw invokerNotFound(name);
      return invoker;
    },

    /** @throws NotFound INVOKER_NOT_FOUND */
    async getRow(name: string, tx?: Tx, path?: InputPath): Promise<InvokerRecord> {
      const row = await rowByName(name, tx);
      if (!row) throw invokerNotFound(name, path);
      return row;
    },

    /** Returns the rows in the order of `ids`, null for unknown ones. */
    async rowsByIds(ids: readonly number[], tx?: Tx): Promise<(InvokerRecord | null)[]> {
      return recordsByIds(invokers, ids, { tx });
    },

    /** @throws NotFound INVOKER_NOT_FOUND */
    async getRowById(id: number, tx?: Tx, path?: InputPath): Promise<InvokerRecord> {
      const row = await invokers.findById(id, null, { session: tx?.session }).lean<InvokerRecord>();
      if (!row)
        throw new NotFound('INVOKER_NOT_FOUND', `There is no invoker ${id}.`, {
          path: path ?? ['id'],
        });
      return row;
    },

    page: (query: PageQuery): Promise<Page<InvokerRecord>> => pageOf(invokers, query),

    /** Streams all invokers with their parsed XML, by id. */
    async *all(): AsyncGenerator<Invoker, void, void> {
      for await (const rows of everyRecord(invokers, {}, null, AT_ONCE)) {
        for (const row of rows) {
          const invoker = await invokerOf(row);
          if (invoker) yield invoker;
        }
      }
    },

    async exists(name: string): Promise<boolean> {
      return (await rowByName(name)) !== null;
    },

    async fileExists(fileName: string): Promise<boolean> {
      return (await invokers.exists({ fileName })) !== null;
    },

    /**
     * Returns the XML as it was imported.
     * @throws NotFound INVOKER_NOT_FOUND
     */
    async source(name: string): Promise<{ readonly row: InvokerRecord; readonly text: string }> {
      const whole = await readWhole({
        row: () => rowByName(name),
        nameOf,
        partOf: ({ source }) => sources.read(source),
      });
      if (!whole) throw invokerNotFound(name);
      return { row: whole.row, text: whole.part };
    },
  };
}
