import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { rekey } from '../../platform/crypto/rekey';
import type { SealedValues } from '../../platform/crypto/rekey';
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
  /** Of every feature that has sealed values. */
  readonly sealed: readonly SealedValues[];
}

export type RekeyingService = ReturnType<typeof createRekeying>;

/** The change of the key that credentials and named secrets are sealed with. */
export function createRekeying({ store, clock, log, audit, vault, sealed }: RekeyingDependencies) {
  return {
    /**
     * Seals everything anew with the key of another master password (null: of the key file), one process at a time. May die anywhere and be
     * called again; see `rekey`. The configuration is to name the new password from the next start on.
     * @returns how many records were sealed anew
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
