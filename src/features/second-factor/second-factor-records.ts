import { createHmac, randomBytes } from 'node:crypto';
import type { Lockout } from '../../platform/attempts/lockout';
import type { Core } from '../../platform/core';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import { sha256 } from '../../platform/crypto/sha256';
import type { Vault } from '../../platform/crypto/vault';
import type { Tx } from '../../platform/store/store';
import { loginChallengeCollection, secondFactorCollection } from './second-factor.model';
import type { LoginChallengeRecord, SecondFactorRecord } from './second-factor.model';
import { enrolmentOf, newSecret, secretOfBytes, timeStepOf } from './totp';
import type { Enrolment } from '../sessions/session.ports';
import type { UserAccount } from '../users/user-deletion.service';

declare module '../../platform/context' {
  interface Services {
    secondFactorRecords: SecondFactorRecords;
  }
}

/** PENDING: an administrator requires it, and the user sets it up at the next login. */
export type SecondFactorState = 'OFF' | 'PENDING' | 'ON';

const SECRET_PURPOSE = 'hypha: second factor of login ';
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 7;

const contextOf = (userId: number): string => `second-factor:${userId}`;

/** The name that wrong codes count for. */
const accountOf = (userId: number): string => `second factor ${userId}`;

/** Without blanks and hyphens: both are only for reading. */
const normal = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase();

/** A fast hash is enough: recovery codes are random. */
const recoveryHash = (userId: number, code: string): string => sha256(`${userId}:${normal(code)}`);

/**
 * Stored second factors: time-based one-time passwords (RFC 6238: HMAC-SHA1, 6 digits, 30 seconds)
 * and recovery codes.
 */
export class SecondFactorRecords implements SealedValues {
  /** Logins that wait for a code. */
  readonly challenges;
  private readonly records;
  private readonly sealed: SealedValues;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly vault: Vault;
      readonly lockout: Lockout;
      /** Shown by authenticator apps. */
      readonly issuer: string;
      /** Of all processes on one database; secrets of logins are derived from it. */
      readonly secret: Buffer;
    },
  ) {
    const { core, vault } = deps;
    this.challenges = loginChallengeCollection(core.store);
    this.records = secondFactorCollection(core.store);
    this.sealed = sealedRecords({ store: core.store, vault, records: this.records, contextOf });
  }

  async byUser(userId: number, tx?: Tx): Promise<SecondFactorRecord | null> {
    return this.records.byId(userId, tx);
  }

  /** Returns the states in the order of `userIds`. One query. */
  async states(userIds: readonly number[]): Promise<SecondFactorState[]> {
    const records = await this.records.byIds(userIds, { fields: { confirmed: 1, required: 1 } });
    return records.map(stateOf);
  }

  /** Returns those of the users, by default of all, who have a second factor or must set one up. */
  async enabledFor(userIds?: readonly number[]): Promise<ReadonlySet<number>> {
    const enabled = await this.records.find<{ _id: number }>(
      {
        ...(userIds && { _id: { $in: [...userIds] } }),
        $or: [{ confirmed: true }, { required: true }],
      },
      { fields: { _id: 1 } },
    );
    return new Set(enabled.map(({ _id }) => _id));
  }

  /** Returns whether the user has a second factor or must set one up. */
  async isEnabled(userId: number, tx: Tx): Promise<boolean> {
    return stateOf(await this.byUser(userId, tx)) !== 'OFF';
  }

  /** Stores a new unconfirmed secret in place of the present one. Ends open logins of the user. */
  async renew(userId: number, required: boolean, tx: Tx): Promise<string> {
    const secret = newSecret();
    await this.replace(userId, secret, { confirmed: false, required }, tx);
    return secret;
  }

  storedSecretOf({ _id, sealed }: SecondFactorRecord): string {
    return this.deps.vault.open(sealed, contextOf(_id));
  }

  /**
   * Returns the secret of a login in which the user sets up an app. Each login has its own, so that
   * it is known only to the client that signed in. It is derived, not stored.
   */
  secretOf({ _id }: Pick<LoginChallengeRecord, '_id'>): string {
    const bytes = createHmac('sha256', this.deps.secret).update(`${SECRET_PURPOSE}${_id}`).digest();
    return secretOfBytes(bytes);
  }

  /** Returns what the user enters into an authenticator app. */
  enrolment(secret: string, email: string): Promise<Enrolment> {
    return enrolmentOf(secret, { issuer: this.deps.issuer, email });
  }

  /**
   * Accepts a code of the app once, or a recovery code once. Returns whether it was right.
   * @throws RateLimited after too many wrong codes of this user from this network
   */
  async accept(
    record: SecondFactorRecord,
    code: string,
    network: string,
    tx: Tx,
  ): Promise<boolean> {
    const changes = await this.counted(record._id, network, () => this.changesOf(record, code));
    if (changes === null) return false;
    await this.records.change(record._id, changes, tx);
    return true;
  }

  /**
   * Stores the secret of an app, confirmed with its first code, and ends open logins of the user.
   * Returns recovery codes, or null if the code is wrong.
   * @throws RateLimited after too many wrong codes of this user from this network
   */
  async enrol(
    userId: number,
    secret: string,
    { code, network }: { readonly code: string; readonly network: string },
    tx: Tx,
  ): Promise<string[] | null> {
    const lastStep = await this.counted(userId, network, () => this.stepOf(secret, code));
    if (lastStep === null) return null;
    const { codes, recoveryHashes } = newRecoveryCodes(userId);
    const fields = { confirmed: true, required: false, lastStep, recoveryHashes };
    await this.replace(userId, secret, fields, tx);
    return codes;
  }

  /** Replaces the recovery codes, and returns the new ones. */
  async renewRecoveryCodes(userId: number, tx: Tx): Promise<string[]> {
    const { codes, recoveryHashes } = newRecoveryCodes(userId);
    await this.records.change(userId, { recoveryHashes }, tx);
    return codes;
  }

  /** Removes the second factors of users, and ends their open logins. */
  async removeOf(userIds: readonly number[], tx: Tx): Promise<void> {
    await this.records.deleteMany({ _id: { $in: [...userIds] } }, tx);
    await this.endLoginsOf(userIds, tx);
    // Wrong codes of a former app do not count for the next one.
    await this.deps.lockout.forgive(userIds.map(accountOf), tx);
  }

  async endLoginsOf(userIds: readonly number[], tx: Tx): Promise<void> {
    await this.challenges.deleteMany({ userId: { $in: [...userIds] } }, tx);
  }

  /**
   * See `UserOwnedRecords`. An own second factor stays. Recovery codes do not move: their hashes
   * contain the user.
   */
  async moveTo(fromId: number, { _id }: UserAccount, tx: Tx): Promise<void> {
    const [from, own] = [await this.byUser(fromId, tx), await this.byUser(_id, tx)];
    if (!from || own?.confirmed || (own?.required && !from.confirmed)) return;
    const sealed = this.deps.vault.seal(this.storedSecretOf(from), contextOf(_id));
    await this.records.deleteOne({ _id }, tx);
    const moved = { ...from, _id, sealed, recoveryHashes: [] };
    await this.records.insert(moved, tx);
  }

  keysInUse(): Promise<readonly string[]> {
    return this.sealed.keysInUse();
  }

  countOthers(keyId: string): Promise<number> {
    return this.sealed.countOthers(keyId);
  }

  resealNext(keyId: string): Promise<boolean> {
    return this.sealed.resealNext(keyId);
  }

  private async replace(
    userId: number,
    secret: string,
    fields: Partial<SecondFactorRecord>,
    tx: Tx,
  ): Promise<void> {
    const { core, vault } = this.deps;
    await this.removeOf([userId], tx);
    await this.records.insert(
      {
        _id: userId,
        sealed: vault.seal(secret, contextOf(userId)),
        confirmed: false,
        required: false,
        lastStep: 0,
        recoveryHashes: [],
        createdAt: core.clock.now(),
        ...fields,
      },
      tx,
    );
  }

  /**
   * Checks a code and counts the attempt, also if the transaction of the caller fails. Null: the code
   * is wrong.
   */
  private async counted<T>(
    userId: number,
    network: string,
    check: () => T | null,
  ): Promise<T | null> {
    const result = check();
    const outcome = result === null ? 'failure' : 'success';
    await this.deps.lockout.count(accountOf(userId), network, outcome);
    return result;
  }

  /** Returns what using up the code changes, or null if it is wrong. */
  private changesOf(
    record: SecondFactorRecord,
    code: string,
  ): Pick<SecondFactorRecord, 'lastStep'> | Pick<SecondFactorRecord, 'recoveryHashes'> | null {
    const { _id, lastStep, recoveryHashes } = record;
    const step = this.stepOf(this.storedSecretOf(record), code);
    if (step !== null && step > lastStep) return { lastStep: step };
    const hash = recoveryHash(_id, code);
    return recoveryHashes.includes(hash)
      ? { recoveryHashes: recoveryHashes.filter((other) => other !== hash) }
      : null;
  }

  private stepOf(secret: string, code: string): number | null {
    return timeStepOf(secret, normal(code), this.deps.core.clock.now());
  }
}

export function stateOf(
  record: Pick<SecondFactorRecord, 'confirmed' | 'required'> | null,
): SecondFactorState {
  if (record?.confirmed) return 'ON';
  return record?.required ? 'PENDING' : 'OFF';
}

function newRecoveryCodes(userId: number): {
  readonly codes: string[];
  readonly recoveryHashes: string[];
} {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  return { codes, recoveryHashes: codes.map((code) => recoveryHash(userId, code)) };
}

/** `3f9a2b7c-1d4e58`: 56 bits. */
function newRecoveryCode(): string {
  const digits = randomBytes(RECOVERY_BYTES).toString('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
