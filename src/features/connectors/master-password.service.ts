import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Actor } from '../../platform/access/actor';
import type { Lockout } from '../../platform/access/lockout';
import type { Origin } from '../../platform/context';
import { Forbidden } from '../../platform/errors/errors';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';

declare module '../../platform/context' {
  interface Services {
    masterPassword: MasterPasswordService;
  }
}

export interface MasterPasswordDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  /** Counts wrong attempts for each user and network. */
  readonly lockout: Lockout;
  /** Null: none is configured, and hidden values cannot be shown. */
  readonly masterPassword: string | null;
}

/** Parts of a request that the check needs. */
export type Presented = Pick<Origin, 'masterPassword' | 'network'>;

export type MasterPasswordService = ReturnType<typeof createMasterPassword>;

/**
 * The password that reveals hidden values. Wrong attempts are limited like failed logins, and
 * recorded.
 */
export function createMasterPassword({
  store,
  audit,
  lockout,
  masterPassword: configured,
}: MasterPasswordDependencies) {
  const key = randomBytes(32);
  const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const expected = configured === null ? null : digest(configured);

  const judge = async (
    actor: Actor,
    given: string,
    right: Buffer,
    network: string,
  ): Promise<void> => {
    const account = `master-password ${actor.userId}`;
    lockout.requireOpen(account, network);
    if (timingSafeEqual(digest(given), right)) {
      lockout.succeeded(account, network);
      return;
    }
    lockout.failed(account, network);
    await store.transaction((tx) =>
      audit.record(
        actor,
        'master-password.refuse',
        { type: 'User', id: actor.userId },
        null,
        { network },
        tx,
      ),
    );
    throw new Forbidden('The master password is wrong.', 'MASTER_PASSWORD_WRONG');
  };

  return {
    isConfigured: configured !== null,

    /**
     * Returns whether the response may show hidden values: false without a password in the request,
     * or if none is configured.
     * @throws Forbidden MASTER_PASSWORD_WRONG
     * @throws RateLimited after too many wrong ones
     */
    async shows(actor: Actor, { masterPassword, network }: Presented): Promise<boolean> {
      if (masterPassword === undefined || expected === null) return false;
      await judge(actor, masterPassword, expected, network);
      return true;
    },

    /**
     * @throws Forbidden MASTER_PASSWORD_NOT_SET; MASTER_PASSWORD_WRONG, also if the request has
     * none
     * @throws RateLimited after too many wrong ones
     */
    async require(actor: Actor, { masterPassword, network }: Presented): Promise<void> {
      if (expected === null)
        throw new Forbidden(
          'No master password is configured, so nobody can prove that he has it.',
          'MASTER_PASSWORD_NOT_SET',
        );
      if (masterPassword === undefined)
        throw new Forbidden(
          'This needs the master password in the header X-Master-Password.',
          'MASTER_PASSWORD_WRONG',
        );
      await judge(actor, masterPassword, expected, network);
    },
  };
}
