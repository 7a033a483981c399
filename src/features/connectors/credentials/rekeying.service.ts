import type { Actor } from '../../../platform/access/actor';
import type { Core } from '../../../platform/core';
import type { Report } from '../../../platform/control/command';
import { isMasterPassword, MASTER_PASSWORD_RULE } from '../../../platform/text/password-text';
import { keysInUse, rekey } from '../../../platform/crypto/sealed-records';
import type { SealedValues } from '../../../platform/crypto/sealed-records';
import type { VaultKeys } from '../../../platform/crypto/vault';
import { BadInput } from '../../../platform/errors/errors';
import { withLease } from '../../../platform/store/lease';
import type { AuditService } from '../../audit/audit.service';

declare module '../../../platform/context' {
  interface Services {
    rekeying: RekeyingService;
  }
}

/** Changes the key that encrypts all stored secrets. */
export class RekeyingService {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly vault: VaultKeys;
      /** The encrypted values of all features. */
      readonly sealed: readonly SealedValues[];
    },
  ) {}

  /**
   * Re-encrypts everything with the key of another master password (null: of the key file), in one
   * process at a time. It can be repeated after a crash; see `rekey`. The configuration must have
   * the new password from the next start.
   * @returns the number of re-encrypted records
   * @throws BadInput MASTER_PASSWORD_INVALID
   */
  async change(
    actor: Actor,
    masterPassword: string | null,
    report: Report = () => undefined,
  ): Promise<number> {
    if (masterPassword !== null && !isMasterPassword(masterPassword))
      throw new BadInput(
        'MASTER_PASSWORD_INVALID',
        `A master password has ${MASTER_PASSWORD_RULE}.`,
        { path: ['masterPassword'] },
      );
    const { core, audit, vault, sealed } = this.deps;
    return withLease(core, 'rekeying', async (lease) => {
      // A command on a stopped service does not need the keys otherwise.
      if (!vault.isUnlocked) await vault.unlock(() => keysInUse(sealed));
      const before = { keyId: vault.keyId };
      return rekey(vault, sealed, masterPassword, {
        report: (progress) => {
          lease.require();
          report(progress);
        },
        also: (records, tx) =>
          audit.record(
            actor,
            'master-password.change',
            { type: 'User', id: actor.userId },
            before,
            { keyId: vault.keyId, records },
            tx,
          ),
      });
    });
  }
}
