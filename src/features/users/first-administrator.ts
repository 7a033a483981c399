import type { Clock } from '../../platform/clock/clock';
import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store, Tx } from '../../platform/store/store';
import type { UserService } from './user.service';

/** Whether the operator was shown the password of the first administrator. */
export interface FirstAdministratorRecord {
  readonly _id: string;
  readonly userId: number;
  /** Version of the password that `toldAt` refers to. */
  readonly credentialVersion: number;
  /** When the password was shown to the operator; null if it was not confirmed as shown. */
  readonly toldAt: Date | null;
}

const schema = schemaOf<FirstAdministratorRecord>({
  _id: String,
  userId: Number,
  credentialVersion: Number,
  toldAt: orNull(Date),
});

/** Id of the only record of the collection. */
export const FIRST_ADMINISTRATOR = 'first';
export const FIRST_ADMINISTRATORS = 'first_administrators';

export interface FirstAdministratorDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly users: UserService;
}

export type FirstAdministratorMark = ReturnType<typeof createFirstAdministratorMark>;

/**
 * Stores whether the operator was shown the first administrator's password, so that a crash between
 * creating and printing it is repaired at the next start.
 */
export function createFirstAdministratorMark({
  store,
  clock,
  users,
}: FirstAdministratorDependencies) {
  const marks = store.model<FirstAdministratorRecord>(
    'FirstAdministrator',
    schema,
    FIRST_ADMINISTRATORS,
  );

  return {
    /** Records a new password in the transaction that sets it. `isKnown`: the operator chose it. */
    async note(userId: number, credentialVersion: number, isKnown: boolean, tx: Tx): Promise<void> {
      const noted = { userId, credentialVersion, toldAt: isKnown ? clock.now() : null };
      await marks.updateOne(
        { _id: FIRST_ADMINISTRATOR },
        { $set: noted },
        { upsert: true, session: tx.session },
      );
    },

    /** Records that the password was printed. */
    async noteTold(): Promise<void> {
      await marks.updateOne({ _id: FIRST_ADMINISTRATOR }, { $set: { toldAt: clock.now() } });
    },

    /**
     * Returns the first administrator if their password was never shown, is unchanged, and they
     * never signed in; otherwise null.
     */
    async untold(): Promise<{ readonly id: number; readonly email: string } | null> {
      const mark = await marks.findById(FIRST_ADMINISTRATOR).lean<FirstAdministratorRecord>();
      if (mark === null || mark.toldAt !== null) return null;
      const user = await users.identity(mark.userId);
      const isUntouched =
        user?.credentialVersion === mark.credentialVersion &&
        (await users.byIds([mark.userId]))[0]?.lastLogin === null;
      return isUntouched ? { id: user.id, email: user.email } : null;
    },
  };
}
