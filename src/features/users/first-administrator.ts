import type { Clock } from '../../platform/clock/clock';
import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store, Tx } from '../../platform/store/store';
import type { UserService } from './user.service';

/** Of the administrator that the first start made: was he told his password? */
export interface FirstAdministratorRecord {
  readonly _id: string;
  readonly userId: number;
  /** Of the password that he was, or was not, told. */
  readonly credentialVersion: number;
  /** Null: nobody is known to have read it. */
  readonly toldAt: Date | null;
}

const schema = schemaOf<FirstAdministratorRecord>({
  _id: String,
  userId: Number,
  credentialVersion: Number,
  toldAt: orNull(Date),
});

/** There is one such record. */
export const FIRST_ADMINISTRATOR = 'first';
export const FIRST_ADMINISTRATORS = 'first_administrators';

export interface FirstAdministratorDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly users: UserService;
}

export type FirstAdministratorMark = ReturnType<typeof createFirstAdministratorMark>;

/** Remembers whether the first administrator knows his password, through crashes between making it and telling it. */
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
    /** Notes his password, in the transaction that sets it. `isKnown`: the operator chose it. */
    async note(userId: number, credentialVersion: number, isKnown: boolean, tx: Tx): Promise<void> {
      const noted = { userId, credentialVersion, toldAt: isKnown ? clock.now() : null };
      await marks.updateOne(
        { _id: FIRST_ADMINISTRATOR },
        { $set: noted },
        { upsert: true, session: tx.session },
      );
    },

    /** Somebody has read it. */
    async noteTold(): Promise<void> {
      await marks.updateOne({ _id: FIRST_ADMINISTRATOR }, { $set: { toldAt: clock.now() } });
    },

    /** Who was never told, never signed in, and has the password still that he was not told; else null. */
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
