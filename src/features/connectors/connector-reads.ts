import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { recordsByIds } from '../../platform/store/records';
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

/** `name` is undefined or blank if the request has none. */
export const invokerNotFound = (name: string | undefined): NotFound =>
  new NotFound(
    'INVOKER_NOT_FOUND',
    name === undefined || name.trim() === ''
      ? 'The invoker is missing.'
      : `There is no invoker ${name.slice(0, 100)}.`,
    { path: ['invoker'] },
  );

export type ConnectorReads = ReturnType<typeof createConnectorReads>;

export function createConnectorReads(store: Store) {
  const connectors = connectorModel(store);
  const byIds = async (ids: readonly number[], tx?: Tx): Promise<(ConnectorRecord | null)[]> => {
    return recordsByIds(connectors, ids, { tx });
  };
  const byId = async (id: number, tx?: Tx): Promise<ConnectorRecord | null> =>
    (await byIds([id], tx))[0] ?? null;

  return {
    byId,
    /** Returns the connectors in the order of `ids`, null for unknown ones. One query. */
    byIds,

    /** @throws NotFound CONNECTOR_NOT_FOUND */
    async get(id: number, tx?: Tx, path?: InputPath): Promise<ConnectorRecord> {
      const record = await byId(id, tx);
      if (!record) throw connectorNotFound(id, path);
      return record;
    },

    page: (query: PageQuery): Promise<Page<ConnectorRecord>> => pageOf(connectors, query),

    pagesOfInvokers: (
      names: readonly string[],
      query: PageQuery,
    ): Promise<Page<ConnectorRecord>[]> =>
      pagesOf(connectors, 'invokerKey', names.map(fold), query),

    searchTitles: titleSearch(connectors, { title: 'title', key: 'titleKey' }),

    list: (): Promise<ConnectorRecord[]> =>
      connectors.find().sort({ _id: 1 }).lean<ConnectorRecord[]>(),

    async exists(title: string): Promise<boolean> {
      return (await connectors.exists({ titleKey: fold(title) })) !== null;
    },

    /**
     * Returns ids and titles of the connectors of these invokers. Names are compared without case.
     */
    async ofInvokers(names: readonly string[], tx?: Tx): Promise<{ id: number; title: string }[]> {
      const found = await connectors
        .find({ invokerKey: { $in: names.map(fold) } }, { title: 1 }, { session: tx?.session })
        .sort({ _id: 1 })
        .lean<Pick<ConnectorRecord, '_id' | 'title'>[]>();
      return found.map(({ _id, title }) => ({ id: _id, title }));
    },
  };
}
