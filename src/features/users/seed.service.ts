import { systemActor } from '../../platform/access/actor';
import type { Passwords } from '../../platform/crypto/passwords';
import { randomPassword } from '../../platform/crypto/random-password';
import { isDuplicateKey } from '../../platform/store/store';
import type { Store } from '../../platform/store/store';
import type { DirectoryService } from '../groups/directory.service';
import { ADMIN_GROUP_ID, seedDirectory } from '../groups/seed-directory.service';
import { EMPTY_DETAIL, emailProblems, passwordProblems } from './user.rules';
import type { UserService } from './user.service';

export interface SeedDependencies {
  readonly store: Store;
  readonly directory: DirectoryService;
  readonly users: UserService;
  readonly passwords: Passwords;
}

/** Who administers a new installation; no password: one is made. */
export interface AdministratorSettings {
  readonly email: string;
  readonly password: string | null;
}

/** The administrator a first start made. The password only when it was generated: it is nowhere else. */
export interface FirstAdministrator {
  readonly email: string;
  readonly generatedPassword: string | null;
}

const FIRST_USER_ID = 1;

/**
 * Fills an empty store: permissions, components, the groups Admin and User, and the first administrator, in one transaction, so that a
 * crash leaves all or nothing. A store that was filled is left as it is. Loads the directory. Call after `store.prepare()`.
 * @returns null when there was nothing to do
 * @throws Error the configured e-mail or password breaks the rules for users
 */
export async function seed({ store, directory, users, passwords }: SeedDependencies, { email, password }: AdministratorSettings): Promise<FirstAdministrator | null> {
  const chosen = password ?? randomPassword();
  const isEmpty = !(await directory.isSeeded());
  const made = isEmpty && (await fill(chosen));
  await directory.load();
  return made ? { email, generatedPassword: password === null ? chosen : null } : null;

  async function fill(initialPassword: string): Promise<boolean> {
    const [problem] = [...emailProblems(email), ...passwordProblems(initialPassword)];
    if (problem) throw new Error(`The first administrator cannot be created, ${problem.path.join('.')}: ${problem.message}`);
    const passwordHash = await passwords.hash(initialPassword);
    // Makes the collection: a transaction must not.
    await store.nextId('seed');
    try {
      await store.transaction(async (tx) => {
        await seedDirectory(store, tx);
        const detail = { ...EMPTY_DETAIL, name: 'Admin', surname: 'Admin' };
        await users.createFirst(systemActor('start'), { _id: FIRST_USER_ID, email, passwordHash, groupId: ADMIN_GROUP_ID, detail }, tx);
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false; // another process was first
      throw error;
    }
  }
}
