import type { FirstAdministrator, PrintAdministrator } from '../../feature';
import { systemActor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import type { Passwords } from '../../platform/crypto/passwords';
import { randomPassword } from '../../platform/text/password-text';
import { withLease } from '../../platform/store/lease';
import { orNull, schemaOf } from '../../platform/store/schema';
import { isDuplicateKey } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { ADMIN_GROUP_ID } from '../groups/directory.service';
import type { DirectoryService } from '../groups/directory.service';
import type { UserRecords } from './user-records';
import { EMPTY_DETAIL, newUserRecord } from './user.model';
import { emailProblems, passwordProblems } from './user.rules';

/** The administrator of a new installation. Without a password, one is generated. */
interface AdministratorSettings {
  readonly email: string;
  readonly password: string | null;
}

/**
 * Whether the operator was shown the password of the first administrator, so that a crash between
 * creating and printing it is repaired at the next start.
 */
interface FirstAdministratorRecord {
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

const firstAdministratorCollection = (store: Store) =>
  store.collection<FirstAdministratorRecord>('FirstAdministrator', schema, 'first_administrators');

/** Id of the only record of the collection. */
const FIRST_ADMINISTRATOR = 'first';
const FIRST_USER_ID = 1;

function checkSettings(email: string, password: string): void {
  const [problem] = [...emailProblems(email), ...passwordProblems(password)];
  if (problem)
    throw new Error(
      `The first administrator cannot be created, ${problem.path.join('.')}: ${problem.message}`,
    );
}

/**
 * Fills an empty store with permissions, components, the groups Admin and User, and the first
 * administrator, in one transaction. In a filled store, only an administrator whose password was
 * never shown and who never signed in gets a new password.
 * Create it before `store.prepare()`, call it afterwards.
 */
export class Seed {
  private readonly marks;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly directory: DirectoryService;
      readonly users: UserRecords;
      readonly passwords: Passwords;
    },
  ) {
    this.marks = firstAdministratorCollection(deps.core.store);
  }

  /**
   * Seeds the store if needed and loads the directory.
   * @throws Error if the configured e-mail or password breaks the rules for users
   */
  async run(settings: AdministratorSettings, print: PrintAdministrator): Promise<void> {
    const { core, directory } = this.deps;
    const [isSeeded, waiting] = await Promise.all([directory.isSeeded(), this.findUnprinted()]);
    if (!isSeeded || waiting !== null)
      // Serialise: another process must not renew a password that is about to be printed.
      await withLease(core, 'first administrator', () => this.createAndPrint(settings, print));
    await directory.load();
  }

  /** The first administrator got another id. */
  async renumbered(from: number, to: number, tx: Tx): Promise<void> {
    await this.marks.updateOne({ userId: from }, { $set: { userId: to } }, tx);
  }

  private async createAndPrint(
    settings: AdministratorSettings,
    print: PrintAdministrator,
  ): Promise<void> {
    const administrator = await this.createOrRenew(settings);
    if (administrator === null) return;
    if (await print(administrator))
      await this.marks.updateOne(
        { _id: FIRST_ADMINISTRATOR },
        { $set: { toldAt: this.deps.core.clock.now() } },
      );
    else if (administrator.generatedPassword !== null)
      this.deps.core.log.warn(
        'the password of the first administrator could not be printed: the next start generates and prints a new one',
      );
  }

  /** Returns null if there is nothing to print. */
  private async createOrRenew({
    email,
    password,
  }: AdministratorSettings): Promise<FirstAdministrator | null> {
    const chosen = password ?? randomPassword();
    const generatedPassword = password === null ? chosen : null;
    checkSettings(email, chosen);
    if (!(await this.deps.directory.isSeeded()))
      return (await this.fill(email, chosen, password !== null))
        ? { email, generatedPassword, isRenewed: false }
        : null;
    const waiting = await this.findUnprinted();
    if (!waiting) return null;
    await this.renew(waiting.id, chosen, password !== null);
    return { email: waiting.email, generatedPassword, isRenewed: true };
  }

  /** Returns false if another process filled the store first. */
  private async fill(email: string, password: string, isChosen: boolean): Promise<boolean> {
    const { core, directory, users, passwords } = this.deps;
    const passwordHash = await passwords.hash(password);
    const detail = { ...EMPTY_DETAIL, name: 'Admin', surname: 'Admin' };
    const fields = { _id: FIRST_USER_ID, email, passwordHash, groupId: ADMIN_GROUP_ID, detail };
    // Creates the collection: this must not happen inside a transaction.
    await core.store.nextId('seed');
    try {
      await core.store.transaction(async (tx) => {
        await directory.seed(tx);
        const record = newUserRecord(fields, core.clock.now());
        const { credentialVersion } = await users.insert(systemActor('start'), record, tx);
        await core.store.startSequence('users', FIRST_USER_ID, tx);
        await this.markPassword(FIRST_USER_ID, credentialVersion, isChosen, tx);
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** There are no sessions to end: the first administrator never signed in. */
  private async renew(id: number, password: string, isChosen: boolean): Promise<void> {
    const { core, users, passwords } = this.deps;
    const passwordHash = await passwords.hash(password);
    await core.store.transaction(async (tx) => {
      const before = await users.require(id, tx);
      const credentialVersion = before.credentialVersion + 1;
      const set = { passwordHash, credentialVersion, updatedAt: core.clock.now() };
      await users.update(systemActor('start'), 'user.password', before, set, tx);
      await this.markPassword(id, credentialVersion, isChosen, tx);
    });
  }

  /** A password that the operator chose need not be printed. */
  private async markPassword(
    userId: number,
    credentialVersion: number,
    isChosen: boolean,
    tx: Tx,
  ): Promise<void> {
    const toldAt = isChosen ? this.deps.core.clock.now() : null;
    await this.marks.upsert(
      { _id: FIRST_ADMINISTRATOR },
      { $set: { userId, credentialVersion, toldAt } },
      tx,
    );
  }

  /**
   * Returns the first administrator if their password was never shown, is unchanged, and they never
   * signed in; otherwise null.
   */
  private async findUnprinted(): Promise<{ readonly id: number; readonly email: string } | null> {
    const mark = await this.marks.byId(FIRST_ADMINISTRATOR);
    if (mark === null || mark.toldAt !== null) return null;
    const { users } = this.deps;
    const identity = await users.identity(mark.userId);
    const isUnchanged = identity?.credentialVersion === mark.credentialVersion;
    return isUnchanged && (await users.byId(mark.userId))?.lastLogin === null ? identity : null;
  }
}
