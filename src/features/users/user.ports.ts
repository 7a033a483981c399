import type { Tx } from '../../platform/store/store';

/** What a session needs to know of its user. */
export interface AccountOwner {
  readonly userId: number;
  readonly credentialVersion: number;
}

export interface NoticeMails {
  /** Stores a mail, and lets it be sent after the commit. */
  enqueue(
    mail: {
      readonly channel: 'email';
      readonly purpose: 'PASSWORD_CHANGED' | 'EMAIL_CHANGED';
      readonly to: string;
      readonly subject: string;
      readonly body: string;
    },
    tx: Tx,
  ): Promise<unknown>;
}

export interface SecondFactorsOfUsers {
  /** Returns whether the user has a second factor or must set one up. */
  isEnabled(userId: number, tx: Tx): Promise<boolean>;
}

/** The sessions of users. The session `exceptId` continues. */
export interface SessionsOfUsers {
  /** Ends sessions in the transaction that changes the password. */
  endAfterPasswordChange(owner: AccountOwner, exceptId: string | null, tx: Tx): Promise<void>;
  /** Ends sessions that were opened without a second factor, in the transaction that turns it on. */
  endWithoutSecondFactor(userId: number, exceptId: string | null, tx: Tx): Promise<void>;
}
