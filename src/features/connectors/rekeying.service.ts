import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { rekey } from '../../platform/crypto/sealed-records';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import type { VaultKeys } from '../../platform/crypto/vault';
import type { Logger } from '../../platform/log/logger';
import { withLease } from '../../platform/store/lease';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';

declare module '../../platform/context' {
  interface Services {
    rekeying: RekeyingService;
  }
}

export interface RekeyingDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: AuditService;
  readonly vault: VaultKeys;
  /** The encrypted values of all features. */
  readonly sealed: readonly SealedValues[];
}

export type RekeyingService = ReturnType<typeof createRekeying>;

/** Changes the key that encrypts credentials and named secrets. */
export function createRekeying({ store, clock, log, audit, vault, sealed }: RekeyingDependencies) {
  return {
    /**
     * Re-encrypts everything with the key of another master password (null: of the key file), in
     * one process at a time. It can be repeated after a crash; see `rekey`. The configuration must
     * have the new password from the next start.
     * @returns the number of re-encrypted records
     */
    async change(actor: Actor, masterPassword: string | null): Promise<number> {
      return withLease({ store, clock, log }, 'rekeying', async () => {
        const before = vault.keyId;
        return rekey(vault, sealed, masterPassword, (records, tx) =>
          audit.record(
            actor,
            'master-password.change',
            { type: 'User', id: actor.userId },
            { keyId: before },
            { keyId: vault.keyId, records },
            tx,
          ),
        );
      });
    },
  };
}
