import { randomBytes } from 'node:crypto';
import type { Lockout } from '../../platform/access/lockout';
import type { Core } from '../../platform/core';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import { sha256 } from '../../platform/crypto/sha256';
import type { Vault } from '../../platform/crypto/vault';
import { changeRecord, insertRecord, recordById } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import { secondFactorModel } from './second-factor.model';
import type { SecondFactorRecord } from './second-factor.model';
import type { UserAccount } from '../users/user-deletion.service';

declare module '../../platform/context' {
  interface Services {
    secondFactorRecords: SecondFactorRecords;
  }
}

/** Loaded on first use. */
const otpauth = () => require('otpauth') as typeof import('otpauth');
const qrcode = () => require('qrcode') as typeof import('qrcode');

/** PENDING: an administrator requires it, and the user sets it up at the next login. */
export type SecondFactorState = 'OFF' | 'PENDING' | 'ON';

/** What an authenticator app needs. */
export interface Enrolment {
  /** Base32. */
  readonly secretKey: string;
  /** `otpauth://totp/…` */
  readonly uri: string;
  /** The URI as QR code: a data URL of a PNG of 300 pixels. */
  readonly qr: string;
}

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Accepted steps before and after the present one, for clocks that differ. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 7;
const QR_PIXELS = 300;

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
  private readonly records;
  private readonly sealed: SealedValues;

  /** @param issuer shown by authenticator apps */
  constructor(
    private readonly core: Core,
    private readonly vault: Vault,
    private readonly lockout: Lockout,
    private readonly issuer: string,
  ) {
    this.records = secondFactorModel(core.store);
    this.sealed = sealedRecords({ store: core.store, vault, records: this.records, contextOf });
  }

  async byUser(userId: number, tx?: Tx): Promise<SecondFactorRecord | null> {
    return recordById(this.records, userId, tx);
  }

  /** Returns the states in the order of `userIds`. One query. */
  async states(userIds: readonly number[]): Promise<SecondFactorState[]> {
    const records = await this.records
      .find({ _id: { $in: [...userIds] } }, { confirmed: 1, required: 1 })
      .lean<SecondFactorRecord[]>();
    const byUser = new Map(records.map((record) => [record._id, record]));
    return userIds.map((id) => stateOf(byUser.get(id) ?? null));
  }

  /** Returns those of the users, by default of all, who have a second factor or must set one up. */
  async enabledFor(userIds?: readonly number[]): Promise<ReadonlySet<number>> {
    const enabled = await this.records
      .find(
        {
          ...(userIds && { _id: { $in: [...userIds] } }),
          $or: [{ confirmed: true }, { required: true }],
        },
        { _id: 1 },
      )
      .lean<{ _id: number }[]>();
    return new Set(enabled.map(({ _id }) => _id));
  }

  /** Stores a new unconfirmed secret in place of the present one. */
  async renew(userId: number, required: boolean, tx: Tx): Promise<SecondFactorRecord> {
    this.forgive([userId], tx);
    const secret = new (otpauth().Secret)({ size: SECRET_BYTES }).base32;
    await this.records.deleteOne({ _id: userId }, { session: tx.session });
    return insertRecord<SecondFactorRecord>(
      this.records,
      {
        _id: userId,
        sealed: this.vault.seal(secret, contextOf(userId)),
        confirmed: false,
        required,
        lastStep: 0,
        recoveryHashes: [],
        createdAt: this.core.clock.now(),
      },
      tx,
    );
  }

  /** Returns what the user enters into an authenticator app. */
  async enrolment(record: SecondFactorRecord, email: string): Promise<Enrolment> {
    const totp = this.totpOf(record, email);
    const uri = totp.toString();
    const qr = await qrcode().toDataURL(uri, { width: QR_PIXELS, margin: 2 });
    return { secretKey: totp.secret.base32, uri, qr };
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
    const account = accountOf(record._id);
    this.lockout.requireOpen(account, network);
    const isRight = await this.use(record, code, tx);
    if (isRight) this.lockout.succeeded(account, network);
    else this.lockout.failed(account, network);
    return isRight;
  }

  /** Wrong codes of a former app do not count for the next one. */
  private forgive(userIds: readonly number[], tx: Tx): void {
    tx.afterCommit(() => userIds.forEach((id) => this.lockout.forgive(accountOf(id))));
  }

  private async use(record: SecondFactorRecord, code: string, tx: Tx): Promise<boolean> {
    const step = this.stepOf(record, normal(code));
    if (step !== null) {
      await changeRecord(this.records, record._id, { lastStep: step }, tx);
      return true;
    }
    const hash = recoveryHash(record._id, code);
    if (!record.confirmed || !record.recoveryHashes.includes(hash)) return false;
    const recoveryHashes = record.recoveryHashes.filter((other) => other !== hash);
    await changeRecord(this.records, record._id, { recoveryHashes }, tx);
    return true;
  }

  /** Confirms the secret, and returns new recovery codes. */
  async confirm(userId: number, tx: Tx): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const recoveryHashes = codes.map((code) => recoveryHash(userId, code));
    await changeRecord(
      this.records,
      userId,
      { confirmed: true, required: false, recoveryHashes },
      tx,
    );
    return codes;
  }

  async removeOf(userIds: readonly number[], tx: Tx): Promise<void> {
    this.forgive(userIds, tx);
    await this.records.deleteMany({ _id: { $in: [...userIds] } }, { session: tx.session });
  }

  /**
   * See `UserOwnedRecords`. An own second factor stays. Recovery codes do not move: their hashes
   * contain the user.
   */
  async moveTo(fromId: number, { _id }: UserAccount, tx: Tx): Promise<void> {
    const [from, own] = [await this.byUser(fromId, tx), await this.byUser(_id, tx)];
    if (!from || own?.confirmed || (own?.required && !from.confirmed)) return;
    const sealed = this.vault.seal(this.vault.open(from.sealed, contextOf(fromId)), contextOf(_id));
    await this.records.deleteOne({ _id }, { session: tx.session });
    const moved = { ...from, _id, sealed, recoveryHashes: [] };
    await insertRecord<SecondFactorRecord>(this.records, moved, tx);
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

  /** Returns the time step of a right code that was not used before, else null. */
  private stepOf(record: SecondFactorRecord, code: string): number | null {
    if (!/^\d{6}$/.test(code)) return null;
    const timestamp = this.core.clock.now().getTime();
    const delta = this.totpOf(record, '').validate({ token: code, timestamp, window: WINDOW });
    if (delta === null) return null;
    const step = Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
    return step > record.lastStep ? step : null;
  }

  private totpOf({ _id, sealed }: SecondFactorRecord, email: string) {
    const { Secret, TOTP } = otpauth();
    return new TOTP({
      issuer: this.issuer,
      label: email,
      algorithm: 'SHA1',
      digits: 6,
      period: PERIOD_SECONDS,
      secret: Secret.fromBase32(this.vault.open(sealed, contextOf(_id))),
    });
  }
}

export function stateOf(
  record: Pick<SecondFactorRecord, 'confirmed' | 'required'> | null,
): SecondFactorState {
  if (record?.confirmed) return 'ON';
  return record?.required ? 'PENDING' : 'OFF';
}

/** `3f9a2b7c-1d4e58`: 56 bits. */
function newRecoveryCode(): string {
  const digits = randomBytes(RECOVERY_BYTES).toString('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
