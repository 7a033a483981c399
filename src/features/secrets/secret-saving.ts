import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Vault } from '../../platform/crypto/vault';
import { Conflict } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { secretKey } from '../../platform/secrets';
import { changeRecord, insertRecord, isTaken, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { uniquely } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { recorded } from './secret.audit';
import { sealingOf } from './secret-opening';
import { shown } from './secret-reads';
import type { Secret, SecretReads } from './secret-reads';
import type { SecretRecord } from './secret.model';
import { normalOrigins, SECRET_LENGTHS, secretRefusals } from './secret.rules';
import type { SecretChange } from './secret.rules';
import type { SecretUse } from './secret-use';

export interface NewSecret extends SecretChange {
  readonly name: string;
  readonly value: string;
  readonly origins: readonly string[];
}

export interface SecretSavingDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly vault: Vault;
  readonly secrets: Model<SecretRecord>;
  readonly reads: SecretReads;
  readonly use: SecretUse;
}

const nameTaken = (name: string): Conflict =>
  new Conflict(
    'SECRET_ALREADY_EXIST',
    `There is a secret called ${name} already; case does not count.`,
    { path: ['name'] },
  );

/** Creates and updates secrets. Values are never returned. */
export function createSecretSaving({
  store,
  audit,
  vault,
  secrets,
  reads,
  use,
}: SecretSavingDependencies) {
  const noteTaken = async (
    name: string | undefined,
    id: number | null,
    found: Findings,
    tx: Tx,
  ): Promise<void> => {
    if (name === undefined || name.length > SECRET_LENGTHS.name) return;
    if (await isTaken(secrets, { nameKey: secretKey(name) }, id, tx)) found.add(nameTaken(name));
  };

  const named = <R>(name: string, work: (tx: Tx) => Promise<R>): Promise<R> =>
    uniquely(
      () => store.transaction(work),
      () => nameTaken(name),
    );

  return {
    /**
     * @throws BadInput if name, note, value or origins are invalid
     * @throws Conflict SECRET_ALREADY_EXIST
     */
    create(actor: Actor, { name, note = null, value, origins }: NewSecret): Promise<Secret> {
      return named(name, async (tx) => {
        const found = new Findings(secretRefusals({ name, note, value, origins }));
        await noteTaken(name, null, found, tx);
        found.refuse();
        const id = await store.nextId('secrets', tx);
        const record = await insertRecord<SecretRecord>(
          secrets,
          {
            _id: id,
            name,
            nameKey: secretKey(name),
            note,
            sealed: vault.seal(value, sealingOf(id)),
            origins: normalOrigins(origins),
            claims: 0,
            version: 1,
          },
          tx,
        );
        await audit.record(
          actor,
          'secret.create',
          { type: 'Secret', id },
          null,
          recorded(record),
          tx,
        );
        return shown(record);
      });
    },

    /**
     * Changes the given fields. Started runs keep the previous value.
     * @throws BadInput if name, note, value or origins are invalid
     * @throws NotFound SECRET_NOT_FOUND
     * @throws Conflict SECRET_IN_USE if workflows use the name that would change;
     * SECRET_ALREADY_EXIST; CONFLICT if the version is not the expected one
     */
    update(
      actor: Actor,
      id: number,
      change: SecretChange,
      expectedVersion?: ExpectedVersion,
    ): Promise<Secret> {
      const { name, note, value, origins } = change;
      return named(name ?? '', async (tx) => {
        const found = new Findings();
        const before = await found.of(() => reads.record(id, ['id'], tx));
        if (before) found.ofSync(() => requireVersion('secret', before, expectedVersion));
        found.add(...secretRefusals(change));
        await noteTaken(name, id, found, tx);
        const isRenamed =
          name !== undefined && before !== undefined && secretKey(name) !== before.nameKey;
        if (isRenamed) await found.of(() => use.requireUnused(before, ['name'], tx));
        const { version } = found.passed(before);
        const after = await changeRecord(
          secrets,
          id,
          {
            ...(name === undefined ? {} : { name, nameKey: secretKey(name) }),
            ...(note === undefined ? {} : { note }),
            ...(value === undefined ? {} : { sealed: vault.seal(value, sealingOf(id)) }),
            ...(origins === undefined ? {} : { origins: normalOrigins(origins) }),
            version: version + 1,
          },
          tx,
        );
        await audit.record(
          actor,
          'secret.update',
          { type: 'Secret', id },
          recorded(found.passed(before)),
          recorded(after, { isValueNew: value !== undefined }),
          tx,
        );
        return shown(after);
      });
    },
  };
}
