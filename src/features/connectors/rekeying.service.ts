import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { rekey } from '../../platform/crypto/sealed-records';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import type { VaultKeys } from '../../platform/crypto/vault';
import { withLease } from '../../platform/store/lease';
import type { AuditService } from '../audit/audit.service';

declare module '../../platform/context' {
  interface Services {
    rekeying: RekeyingService;
  }
}

/** Changes the key that encrypts credentials and named secrets. */
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
   */
  async change(actor: Actor, masterPassword: string | null): Promise<number> {
    const { core, audit, vault, sealed } = this.deps;
    return withLease(core, 'rekeying', async () => {
      const before = { keyId: vault.keyId };
      return rekey(vault, sealed, masterPassword, (records, tx) =>
        audit.record(
          actor,
          'master-password.change',
          { type: 'User', id: actor.userId },
          before,
          { keyId: vault.keyId, records },
          tx,
        ),
      );
    });
  }
}
