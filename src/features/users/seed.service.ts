import { systemActor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { Passwords } from '../../platform/crypto/passwords';
import { randomPassword } from '../../platform/crypto/password-text';
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

/** The administrator of a new installation. Without a password, one is generated. */
export interface AdministratorSettings {
  readonly email: string;
  readonly password: string | null;
}

/** The first administrator. A generated password is stored nowhere else in clear text. */
export interface FirstAdministrator {
  readonly email: string;
  readonly generatedPassword: string | null;
  /** True if an earlier start created the administrator but could not print the password. */
  readonly isRenewed: boolean;
}

/** Prints the credentials for the operator. Returns false if the output could not be read. */
export type TellAdministrator = (administrator: FirstAdministrator) => Promise<boolean>;

const FIRST_USER_ID = 1;

/**
 * Fills an empty store with permissions, components, the groups Admin and User, and the first
 * administrator, in one transaction. In a filled store, only an administrator whose password was
 * never shown and who never signed in gets a new password. Loads the directory.
 * Create it before `store.prepare()`, call it afterwards.
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

  /** Returns false if another process filled the store first. */
  const fill = async (email: string, password: string, isKnown: boolean): Promise<boolean> => {
    const passwordHash = await passwords.hash(password);
    // Creates the collection: this must not happen inside a transaction.
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

  /** Returns null if there is nothing to print. */
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

  /** @throws Error if the configured e-mail or password breaks the rules for users */
  return async function seed(
    settings: AdministratorSettings,
    tell: TellAdministrator,
  ): Promise<void> {
    const [isSeeded, untold] = await Promise.all([directory.isSeeded(), mark.untold()]);
    if (!isSeeded || untold !== null) {
      // Serialise: another process must not renew a password that is about to be printed.
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
