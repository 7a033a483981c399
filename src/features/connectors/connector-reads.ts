import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { recordsByIds } from '../../platform/store/by-ids';
import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { pagesOf } from '../../platform/store/pages-of';
import { titleSearch } from '../../platform/store/title-search';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { connectorModel } from './connector.model';
import type { ConnectorRecord } from './connector.model';

export const connectorNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('CONNECTOR_NOT_FOUND', `There is no connector ${id}.`, { path });

/** Undefined or blank: nobody said which. */
export const invokerNotFound = (name: string | undefined): NotFound =>
  new NotFound(
    'INVOKER_NOT_FOUND',
    name === undefined || name.trim() === ''
      ? 'The invoker is missing.'
      : `There is no invoker ${name.slice(0, 100)}.`,
    { path: ['invoker'] },
  );

export type ConnectorReads = ReturnType<typeof createConnectorReads>;

/** Finding connectors. */
export function createConnectorReads(store: Store) {
  const connectors = connectorModel(store);
  const byIds = async (ids: readonly number[], tx?: Tx): Promise<(ConnectorRecord | null)[]> => {
    return recordsByIds(connectors, ids, { tx });
  };
  const byId = async (id: number, tx?: Tx): Promise<ConnectorRecord | null> =>
    (await byIds([id], tx))[0] ?? null;

  return {
    byId,
    /** In the order asked for; null where there is none. One read for all. */
    byIds,

    /** @throws NotFound CONNECTOR_NOT_FOUND */
    async get(id: number, tx?: Tx, path?: InputPath): Promise<ConnectorRecord> {
      const record = await byId(id, tx);
      if (!record) throw connectorNotFound(id, path);
      return record;
    },

    /** One page of connectors. */
    page: (query: PageQuery): Promise<Page<ConnectorRecord>> => pageOf(connectors, query),

    /** The same page of the connectors of each invoker. */
    pagesOfInvokers: (
      names: readonly string[],
      query: PageQuery,
    ): Promise<Page<ConnectorRecord>[]> =>
      pagesOf(connectors, 'invokerKey', names.map(fold), query),

    /** By their titles. */
    searchTitles: titleSearch(connectors, { title: 'title', key: 'titleKey' }),

    /** Every connector, by id. */
    list: (): Promise<ConnectorRecord[]> =>
      connectors.find().sort({ _id: 1 }).lean<ConnectorRecord[]>(),

    async exists(title: string): Promise<boolean> {
      return (await connectors.exists({ titleKey: fold(title) })) !== null;
    },

    /** Ids and titles of the connectors of these invokers, however their names are spelt. */
    async ofInvokers(names: readonly string[], tx?: Tx): Promise<{ id: number; title: string }[]> {
      const found = await connectors
        .find({ invokerKey: { $in: names.map(fold) } }, { title: 1 }, { session: tx?.session })
        .sort({ _id: 1 })
        .lean<Pick<ConnectorRecord, '_id' | 'title'>[]>();
      return found.map(({ _id, title }) => ({ id: _id, title }));
    },
  };
}
