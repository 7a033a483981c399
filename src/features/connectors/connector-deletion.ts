import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { Conflict } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import { eachOnce, placesIn, requireVersion, THE_ID } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { toldTitles } from '../../platform/text/characters';
import type { AuditService } from '../audit/audit.service';
import { recorded } from './connector.audit';
import type { ConnectorReads } from './connector-reads';
import type { ConnectorRecord } from './connector.model';
import type { ConnectorUsers } from './connector.ports';

export interface ConnectorDeletionDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly uploads: Uploads;
  readonly connectors: Model<ConnectorRecord>;
  readonly reads: ConnectorReads;
  readonly workflows: ConnectorUsers;
}

/**
 * `force`: deletes a connector that workflows use. Their `validation` then reports it as missing.
 */
export interface DeletionOptions {
  readonly force?: boolean;
  readonly expectedVersion?: ExpectedVersion;
}

export function createConnectorDeletion({
  store,
  audit,
  uploads,
  connectors,
  reads,
  workflows,
}: ConnectorDeletionDependencies) {
  const requireUnused = async (
    { _id, title }: ConnectorRecord,
    path: InputPath,
    tx: Tx,
  ): Promise<void> => {
    // Inside the transaction: a workflow that is saved at the same time writes the same record, and
    // one of the two is retried.
    const users = await workflows.using({ connectorIds: [_id] }, tx);
    if (users.length === 0) return;
    throw new Conflict(
      'CONNECTOR_IN_USE',
      `The connector ${JSON.stringify(title)} is used by ${toldTitles(users)}.`,
      { path },
    );
  };

  const removeOne = async (
    actor: Actor,
    id: number,
    path: InputPath,
    { force = false, expectedVersion }: DeletionOptions,
    tx: Tx,
  ): Promise<ConnectorRecord> => {
    const before = await reads.get(id, tx, path);
    const found = new Findings();
    found.ofSync(() => requireVersion('connector', before, expectedVersion));
    if (!force) await found.of(() => requireUnused(before, path, tx));
    found.refuse();
    await connectors.deleteOne({ _id: id }, { session: tx.session });
    await audit.record(
      actor,
      'connector.delete',
      { type: 'Connector', id },
      recorded(before),
      null,
      tx,
    );
    tx.afterCommit(() => uploads.discard(before.icon));
    return before;
  };

  return {
    /**
     * Deletes a connector with its credentials. Returns it as it was.
     * @throws NotFound CONNECTOR_NOT_FOUND
     * @throws Conflict CONNECTOR_IN_USE with the titles of the workflows, unless forced; CONFLICT
     * if the version is not the expected one
     */
    remove: (actor: Actor, id: number, options: DeletionOptions = {}): Promise<ConnectorRecord> =>
      store.transaction((tx) => removeOne(actor, id, THE_ID(id), options, tx)),

    /**
     * Deletes all given connectors or none. Returns them as they were.
     * @throws BadInput if there are too many
     * @throws NotFound CONNECTOR_NOT_FOUND if one is unknown
     * @throws Conflict CONNECTOR_IN_USE with the titles of the workflows, unless forced
     */
    async removeAll(
      actor: Actor,
      ids: readonly number[],
      { force }: Pick<DeletionOptions, 'force'> = {},
    ): Promise<ConnectorRecord[]> {
      const [unique, place] = [eachOnce(ids, 'connectors'), placesIn(ids)];
      return store.transaction(async (tx) => {
        const found = new Findings();
        const removed: ConnectorRecord[] = [];
        for (const id of unique) {
          const record = await found.of(() => removeOne(actor, id, place(id), { force }, tx));
          if (record) removed.push(record);
        }
        found.refuse();
        return removed;
      });
    },
  };
}
