import type { Model } from 'mongoose';
import type { Tx } from '../../platform/store/store';
import { connectorNotFound } from './connector-reads';
import type { ConnectorReads } from './connector-reads';
import type { ConnectorRecord } from './connector.model';
import type { ConnectorSuspensions } from './connector-suspensions';

/** What workflows ask of connectors: `KnownConnectors` of their ports. */
export function createKnownConnectors({
  connectors,
  reads,
  suspensions,
}: {
  connectors: Model<ConnectorRecord>;
  reads: ConnectorReads;
  suspensions: Pick<ConnectorSuspensions, 'suspended'>;
}) {
  return {
    /** Titles and invokers of those that exist, by id: one read for all. */
    async facts(
      ids: readonly number[],
      tx?: Tx,
    ): Promise<ReadonlyMap<number, { title: string; invoker: string }>> {
      const found = await reads.byIds([...new Set(ids)], tx);
      return new Map(
        found.flatMap((record) =>
          record ? [[record._id, { title: record.title, invoker: record.invoker }] as const] : [],
        ),
      );
    },

    /** Those of them that have values which need a confirmation. */
    suspended: suspensions.suspended,

    /** Ids of all connectors of an invoker. */
    ofInvoker: async (invoker: string): Promise<readonly number[]> =>
      (await reads.ofInvokers([invoker])).map(({ id }) => id),

    /**
     * Writes their records, so that a deletion that runs beside it conflicts (docs/adr/0010). What a client has seen of them stays what it was: no version is counted.
     * @throws NotFound CONNECTOR_NOT_FOUND one of them is gone by now
     */
    async claim(ids: readonly number[], tx: Tx): Promise<void> {
      for (const id of new Set(ids)) {
        const { matchedCount } = await connectors.updateOne(
          { _id: id },
          { $inc: { claims: 1 } },
          { session: tx.session },
        );
        if (matchedCount === 0) throw connectorNotFound(id, ['connectorId']);
      }
    },
  };
}
