import type { Model } from 'mongoose';
import type { Tx } from '../../platform/store/store';
import { connectorNotFound } from './connector-reads';
import type { ConnectorReads } from './connector-reads';
import type { ConnectorRecord } from './connector.model';
import type { ConnectorSuspensions } from './connector-suspensions';

/** Implements the port `KnownConnectors` of workflows. */
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
    /** Returns titles and invokers of the existing connectors by id. One query. */
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

    suspended: suspensions.suspended,

    ofInvoker: async (invoker: string): Promise<readonly number[]> =>
      (await reads.ofInvokers([invoker])).map(({ id }) => id),

    /**
     * Writes the records, so that a concurrent deletion conflicts (docs/adr/0010). Versions stay
     * unchanged, because clients see no difference.
     * @throws NotFound CONNECTOR_NOT_FOUND if one was deleted
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
