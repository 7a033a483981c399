import { systemActor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { Passwords } from '../../platform/crypto/passwords';
import { randomPassword } from '../../platform/crypto/random-password';
import type { Logger } from '../../platform/log/logger';
import { withLease } from '../../platform/store/lease';
import { isDuplicateKey } from '../../platform/store/store';
import type { Store } from '../../platform/store/store';
import type { DirectoryService } from '../groups/directory.service';
import { ADMIN_GROUP_ID, seedDirectory } from '../groups/seed-directory.service';
import { createFirstAdministratorMark } from './first-administrator';
import { EMPTY_DETAIL, emailProblems, passwordProblems } from './user.rules';
import type { UserService } from './user.service';

export interface SeedDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly directory: DirectoryService;
  readonly users: UserService;
  readonly passwords: Passwords;
}

/** Who administers a new installation; no password: one is made. */
export interface AdministratorSettings {
  readonly email: string;
  readonly password: string | null;
}

/** The first administrator. The password only when it was generated: it is nowhere else. */
export interface FirstAdministrator {
  readonly email: string;
  readonly generatedPassword: string | null;
  /** He was made by an earlier start, which nobody is known to have read. */
  readonly isRenewed: boolean;
}

/** Says it to the operator; false: nobody can have read it. */
export type TellAdministrator = (administrator: FirstAdministrator) => Promise<boolean>;

const FIRST_USER_ID = 1;

/**
 * Fills an empty store: permissions, components, the groups Admin and User, and the first administrator, in one transaction, so that a
 * crash leaves all or nothing. A store that was filled is left as it is, but that an administrator who was never told his password and
 * never signed in gets a new one. Loads the directory. Made before `store.prepare()`, called after it.
 */
export function createSeed({ store, clock, log, directory, users, passwords }: SeedDependencies) {
  const mark = createFirstAdministratorMark({ store, clock, users });

  const requireLawful = (email: string, password: string): void => {
    const [problem] = [...emailProblems(email), ...passwordProblems(password)];
    if (problem)
      throw new Error(
        `The first administrator cannot be created, ${problem.path.join('.')}: ${problem.message}`,
      );
  };

  /** False: another process was first. */
  const fill = async (email: string, password: string, isKnown: boolean): Promise<boolean> => {
    const passwordHash = await passwords.hash(password);
    // Makes the collection: a transaction must not.
    await store.nextId('seed');
    try {
      await store.transaction(async (tx) => {
        await seedDirectory(store, tx);
        const detail = { ...EMPTY_DETAIL, name: 'Admin', surname: 'Admin' };
        const credentialVersion = await users.createFirst(
          systemActor('start'),
          { _id: FIRST_USER_ID, email, passwordHash, groupId: ADMIN_GROUP_ID, detail },
          tx,
        );
        await mark.note(FIRST_USER_ID, credentialVersion, isKnown, tx);
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  const renew = async (id: number, password: string, isKnown: boolean): Promise<void> => {
    const passwordHash = await passwords.hash(password);
    await store.transaction(async (tx) =>
      mark.note(
        id,
        await users.renewFirst(systemActor('start'), id, passwordHash, tx),
        isKnown,
        tx,
      ),
    );
  };

  /** Null: there is nothing to tell. */
  const makeOrRenew = async ({
    email,
    password,
  }: AdministratorSettings): Promise<FirstAdministrator | null> => {
    const chosen = password ?? randomPassword();
    const generatedPassword = password === null ? chosen : null;
    requireLawful(email, chosen);
    if (!(await directory.isSeeded()))
      return (await fill(email, chosen, password !== null))
        ? { email, generatedPassword, isRenewed: false }
        : null;
    const untold = await mark.untold();
    if (!untold) return null;
    await renew(untold.id, chosen, password !== null);
    return { email: untold.email, generatedPassword, isRenewed: true };
  };

  /** @throws Error the configured e-mail or password breaks the rules for users */
  return async function seed(
    settings: AdministratorSettings,
    tell: TellAdministrator,
  ): Promise<void> {
    const [isSeeded, untold] = await Promise.all([directory.isSeeded(), mark.untold()]);
    if (!isSeeded || untold !== null) {
      // One process at a time: what one has made and is about to tell is no other's to renew.
      await withLease({ store, clock, log }, 'first administrator', async () => {
        const administrator = await makeOrRenew(settings);
        if (administrator === null) return;
        if (await tell(administrator)) await mark.noteTold();
        else if (administrator.generatedPassword !== null)
          log.warn(
            'nobody can have read the password of the first administrator: the next start makes and tells a new one',
          );
      });
    }
    await directory.load();
  };
}
