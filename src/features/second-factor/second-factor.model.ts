import { sealedPart } from '../../platform/crypto/sealed';
import type { Sealed } from '../../platform/crypto/sealed';
import { orMissing, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** The authenticator app of a user. */
export interface SecondFactorRecord {
  /** Id of the user. */
  readonly _id: number;
  /** The secret in base32. */
  readonly sealed: Sealed;
  /** Whether a code of the app was accepted. */
  readonly confirmed: boolean;
  /** An administrator wants the user to set it up at the next login. */
  readonly required: boolean;
  /** Time step of the last accepted code: each code is accepted once. */
  readonly lastStep: number;
  /** Hashes of unused recovery codes. */
  readonly recoveryHashes: readonly string[];
  readonly createdAt: Date;
}

const secondFactorSchema = schemaOf<SecondFactorRecord>({
  _id: Number,
  sealed: sealedPart,
  confirmed: Boolean,
  required: Boolean,
  lastStep: Number,
  recoveryHashes: [String],
  createdAt: Date,
});
secondFactorSchema.index({ 'sealed.keyId': 1 });

export const secondFactorCollection = (store: Store) =>
  store.collection<SecondFactorRecord>('SecondFactor', secondFactorSchema, 'second_factors');

/** A login whose password was accepted and whose second factor is missing. */
export interface LoginChallengeRecord {
  readonly _id: string;
  readonly userId: number;
  readonly credentialVersion: number;
  /** The user sets up an app first; see `SecondFactorRecords.secretOf`. */
  readonly isEnrolment?: boolean;
  /** Number of codes that were tried: the right one ends the login. */
  readonly failures: number;
  readonly expiresAt: Date;
}

const loginChallengeSchema = schemaOf<LoginChallengeRecord>({
  _id: String,
  userId: Number,
  credentialVersion: Number,
  isEnrolment: orMissing(Boolean),
  failures: Number,
  expiresAt: Date,
});
loginChallengeSchema.index({ userId: 1 });
loginChallengeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const loginChallengeCollection = (store: Store) =>
  store.collection<LoginChallengeRecord>(
    'LoginChallenge',
    loginChallengeSchema,
    'login_challenges',
  );
