import type { Vault } from '../../platform/crypto/vault';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { createSecretDeletion } from './secret-deletion';
import { createSecretOpening } from './secret-opening';
import { createSecretReads } from './secret-reads';
import { createSecretSaving } from './secret-saving';
import { createSecretUse } from './secret-use';
import { secretModel } from './secret.model';
import type { SecretUsers } from './secret.ports';
import type { Model } from 'mongoose';
import type { SecretRecord } from './secret.model';

/** Implements the port `KnownSecrets` of workflows. Keys are folded names. */
function createSecretClaims({ secrets }: { secrets: Model<SecretRecord> }) {
  return {
    /** Returns the keys that exist. */
    async known(keys: readonly string[], tx?: Tx): Promise<ReadonlySet<string>> {
      if (keys.length === 0) return new Set();
      const found = await secrets
        .find({ nameKey: { $in: [...keys] } }, { nameKey: 1 }, { session: tx?.session })
        .lean<Pick<SecretRecord, 'nameKey'>[]>();
      return new Set(found.map(({ nameKey }) => nameKey));
    },

    /**
     * Writes the records, so that a concurrent deletion or renaming conflicts (docs/adr/0010).
     * Versions stay unchanged, because clients see no difference.
     */
    async claim(keys: readonly string[], { session }: Tx): Promise<void> {
      if (keys.length > 0)
        await secrets.updateMany(
          { nameKey: { $in: [...keys] } },
          { $inc: { claims: 1 } },
          { session },
        );
    },
  };
}

export type { Secret, SecretInUse } from './secret-reads';

declare module '../../platform/context' {
  interface Services {
    secrets: SecretService;
  }
}

export interface SecretDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly vault: Vault;
  readonly workflows: SecretUsers;
}

/** The service and what runs and workflows need. */
export type Secrets = ReturnType<typeof createSecrets>;

/** Secrets as transports use them: values are never visible. */
export type SecretService = Secrets['service'];

/**
 * Named secrets: values that steps use by name, each sent only to its own origins. Each use case
 * has its own file.
 */
export function createSecrets({ store, audit, vault, workflows }: SecretDependencies) {
  const secrets = secretModel(store);
  const reads = createSecretReads({ secrets, workflows });
  const use = createSecretUse({ workflows });
  return {
    service: {
      ...reads,
      ...createSecretSaving({ store, audit, vault, secrets, reads, use }),
      ...createSecretDeletion({ store, audit, secrets, reads, use }),
    },
    /** For workflows that use secrets. */
    claims: createSecretClaims({ secrets }),
    /** For runs and for key changes. */
    opening: createSecretOpening({ store, vault, secrets }),
  };
}
