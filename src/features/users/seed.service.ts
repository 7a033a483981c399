import { systemActor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { Passwords } from '../../platform/crypto/passwords';
import { randomPassword } from '../../platform/crypto/random-password';
import { isDuplicateKey } from '../../platform/store/store';
import type { Store } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { DirectoryService } from '../groups/directory.service';
import { ADMIN_GROUP_ID, seedDirectory, startSequence } from '../groups/seed-directory.service';
import type { UserRecord } from './user.model';
import { EMPTY_DETAIL, emailProblems, passwordProblems } from './user.rules';
import type { UserService } from './user.service';

export interface SeedDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly clock: Clock;
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

const administratorRecord = (email: string, passwordHash: string, now: Date): UserRecord => ({
  _id: FIRST_USER_ID,
  email,
  emailKey: fold(email),
  passwordHash,
  credentialVersion: 1,
  groupId: ADMIN_GROUP_ID,
  authSource: 'local',
  detail: { ...EMPTY_DETAIL, name: 'Admin', surname: 'Admin' },
  picture: null,
  createdAt: now,
  updatedAt: now,
  version: 1,
});

/**
 * Fills an empty store: permissions, components, the groups Admin and User, and the first administrator, in one transaction, so that a
 * crash leaves all or nothing. A store that was filled is left as it is. Loads the directory. Call after `store.prepare()`.
 * @returns null when there was nothing to do
 * @throws Error the configured e-mail or password breaks the rules for users
 */
export async function seed({ store, audit, clock, directory, users, passwords }: SeedDependencies, { email, password }: AdministratorSettings): Promise<FirstAdministrator | null> {
  const chosen = password ?? randomPassword();
  const isEmpty = !(await directory.isSeeded());
  const made = isEmpty && (await fill(chosen));
  await directory.load();
  return made ? { email, generatedPassword: password === null ? chosen : null } : null;

  async function fill(initialPassword: string): Promise<boolean> {
    const [problem] = [...emailProblems(email), ...passwordProblems(initialPassword)];
    if (problem) throw new Error(`The first administrator cannot be created, ${problem.path.join('.')}: ${problem.message}`);
    const record = administratorRecord(email.trim(), await passwords.hash(initialPassword), clock.now());
    // Makes the collection: a transaction must not.
    await store.nextId('seed');
    try {
      await store.transaction(async (tx) => {
        await seedDirectory(store, directory, tx);
        await users.users.create([record], { session: tx.session });
        await startSequence(store, 'users', FIRST_USER_ID, tx);
        await audit.record(systemActor('start'), 'user.create', { type: 'User', id: record._id }, null, record, tx);
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false; // another process was first
      throw error;
    }
  }
}
