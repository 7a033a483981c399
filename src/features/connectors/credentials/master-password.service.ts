import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Actor } from '../../../platform/access/actor';
import type { Lockout } from '../../../platform/attempts/lockout';
import type { Origin } from '../../../platform/context';
import { Forbidden } from '../../../platform/errors/errors';
import type { Store } from '../../../platform/store/store';
import type { AuditService } from '../../audit/audit.service';

declare module '../../../platform/context' {
  interface Services {
    masterPassword: MasterPasswordService;
  }
}

/** Parts of a request that the check needs. */
export type Presented = Pick<Origin, 'masterPassword' | 'network'>;

/**
 * The password that reveals hidden values. Wrong attempts are limited like failed logins, and
 * recorded.
 */
export class MasterPasswordService {
  private readonly key = randomBytes(32);
  private readonly expected: Buffer | null;

  /** @param masterPassword null: none is configured, and hidden values cannot be shown */
  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly audit: AuditService;
      /** Counts wrong attempts for each user and network. */
      readonly lockout: Lockout;
    },
    masterPassword: string | null,
  ) {
    this.expected = masterPassword === null ? null : this.digest(masterPassword);
  }

  get isConfigured(): boolean {
    return this.expected !== null;
  }

  /**
   * Returns whether the response may show hidden values: false without a password in the request,
   * or if none is configured.
   * @throws Forbidden MASTER_PASSWORD_WRONG
   * @throws RateLimited after too many wrong ones
   */
  async shows(actor: Actor, { masterPassword, network }: Presented): Promise<boolean> {
    if (masterPassword === undefined || this.expected === null) return false;
    await this.check(actor, masterPassword, this.expected, network);
    return true;
  }

  /**
   * @throws Forbidden MASTER_PASSWORD_NOT_SET; MASTER_PASSWORD_WRONG, also if the request has none
   * @throws RateLimited after too many wrong ones
   */
  async require(actor: Actor, { masterPassword, network }: Presented): Promise<void> {
    if (this.expected === null)
      throw new Forbidden(
        'No master password is configured. Set HYPHA_CONNECTOR_MASTER_PASSWORD, and restart the service.',
        'MASTER_PASSWORD_NOT_SET',
      );
    if (masterPassword === undefined)
      throw new Forbidden(
        'This operation requires the master password in the header X-Master-Password.',
        'MASTER_PASSWORD_WRONG',
      );
    await this.check(actor, masterPassword, this.expected, network);
  }

  private async check(
    actor: Actor,
    password: string,
    expected: Buffer,
    network: string,
  ): Promise<void> {
    const { store, audit, lockout } = this.deps;
    const account = `master-password ${actor.userId}`;
    const isRight = timingSafeEqual(this.digest(password), expected);
    await lockout.count(account, network, isRight ? 'success' : 'failure');
    if (isRight) return;
    const target = { type: 'User', id: actor.userId } as const;
    await store.transaction((tx) =>
      audit.record(actor, 'master-password.refuse', target, null, { network }, tx),
    );
    throw new Forbidden('The master password is wrong.', 'MASTER_PASSWORD_WRONG');
  }

  private digest(text: string): Buffer {
    return createHmac('sha256', this.key).update(text).digest();
  }
}
