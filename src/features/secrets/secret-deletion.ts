import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { eachOnce, placesIn, requireVersion, THE_ID } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { createRecordTurns } from '../../platform/store/record-turns';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { recorded } from './secret.audit';
import { shown } from './secret-reads';
import type { Secret, SecretReads } from './secret-reads';
import type { SecretRecord } from './secret.model';
import type { SecretUse } from './secret-use';

export interface SecretDeletionDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly secrets: Model<SecretRecord>;
  readonly reads: SecretReads;
  readonly use: SecretUse;
}

/** `force`: deletes a secret that workflows use. Their runs then fail with SECRET_NOT_FOUND. */
export interface SecretDeletion {
  readonly force?: boolean;
  readonly expectedVersion?: ExpectedVersion;
}

export function createSecretDeletion({
  store,
  audit,
  secrets,
  reads,
  use,
}: SecretDeletionDependencies) {
  // Serialise: overlapping bulk deletes would conflict and retry.
  const turns = createRecordTurns();

  const removeOne = async (
    actor: Actor,
    id: number,
    path: InputPath,
    { force = false, expectedVersion }: SecretDeletion,
    tx: Tx,
  ): Promise<Secret> => {
    const before = await reads.record(id, path, tx);
    const found = new Findings();
    found.ofSync(() => requireVersion('secret', before, expectedVersion));
    if (!force) await found.of(() => use.requireUnused(before, path, tx));
    found.refuse();
    await secrets.deleteOne({ _id: id }, { session: tx.session });
    await audit.record(actor, 'secret.delete', { type: 'Secret', id }, recorded(before), null, tx);
    return shown(before);
  };

  return {
    /**
     * Deletes a secret. Returns it as it was.
     * @throws NotFound SECRET_NOT_FOUND
     * @throws Conflict SECRET_IN_USE with the titles of the workflows, unless forced; CONFLICT if
     * the version is not the expected one
     */
    remove: (actor: Actor, id: number, deletion: SecretDeletion = {}): Promise<Secret> =>
      store.transaction((tx) => removeOne(actor, id, THE_ID(id), deletion, tx)),

    /**
     * Deletes all given secrets or none. Returns them as they were.
     * @throws BadInput if there are too many
     * @throws NotFound SECRET_NOT_FOUND if one is unknown
     * @throws Conflict SECRET_IN_USE with the titles of the workflows, unless forced
     */
    async removeAll(
      actor: Actor,
      ids: readonly number[],
      { force }: Pick<SecretDeletion, 'force'> = {},
    ): Promise<Secret[]> {
      const [unique, place] = [eachOnce(ids, 'secrets'), placesIn(ids)];
      return turns.of('lists', () =>
        store.transaction(async (tx) => {
          const found = new Findings();
          const removed: Secret[] = [];
          for (const id of unique)
            removed.push(
              ...[await found.of(() => removeOne(actor, id, place(id), { force }, tx))].flatMap(
                (secret) => secret ?? [],
              ),
            );
          found.refuse();
          return removed;
        }),
      );
    },
  };
}
