import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import { changeRecord, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { recorded } from './connector.audit';
import type { ConnectorReads } from './connector-reads';
import type { ConnectorRecord } from './connector.model';

export interface ConnectorIconDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly uploads: Uploads;
  readonly connectors: Model<ConnectorRecord>;
  readonly reads: ConnectorReads;
}

/** Connector icons: an uploaded file, and its name in the record. */
export function createConnectorIcons({
  store,
  clock,
  audit,
  uploads,
  connectors,
  reads,
}: ConnectorIconDependencies) {
  return {
    /**
     * Sets or removes (null) the icon. `bytes` is an image file.
     * @throws NotFound CONNECTOR_NOT_FOUND
     * @throws Refused WRONG_FORMAT
     * @throws Conflict CONFLICT if the version is not the expected one
     */
    async setIcon(
      actor: Actor,
      id: number,
      bytes: Buffer | null,
      expectedVersion?: ExpectedVersion,
    ): Promise<ConnectorRecord> {
      const found = new Findings();
      await found.of(() => reads.get(id));
      if (bytes) await found.of(() => uploads.requireImage(bytes));
      found.refuse();
      const icon = bytes && (await uploads.save(bytes));
      try {
        return await store.transaction(async (tx) => {
          const before = await reads.get(id, tx);
          requireVersion('connector', before, expectedVersion);
          tx.afterCommit(() => uploads.discard(before.icon));
          const after = await changeRecord(
            connectors,
            id,
            { icon, updatedAt: clock.now(), version: before.version + 1 },
            tx,
          );
          await audit.record(
            actor,
            'connector.icon',
            { type: 'Connector', id },
            recorded(before),
            recorded(after),
            tx,
          );
          return after;
        });
      } catch (error) {
        await uploads.discard(icon);
        throw error;
      }
    },
  };
}
