import { orMissing, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

export interface SessionRecord {
  /** The `jti` of its token. */
  readonly _id: string;
  readonly userId: number;
  /** Version of the user's password at login, or after a change that the session survived. */
  readonly credentialVersion: number;
  /** Missing if the user signed in with the password only. */
  readonly hasSecondFactor?: boolean;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  /** Up to a minute behind: not written with every request. */
  readonly lastAccessed: Date;
  readonly expiresAt: Date;
  readonly revoked: boolean;
}

const sessionSchema = schemaOf<SessionRecord>({
  _id: String,
  userId: Number,
  credentialVersion: Number,
  hasSecondFactor: orMissing(Boolean),
  address: String,
  userAgent: String,
  createdAt: Date,
  lastAccessed: Date,
  expiresAt: Date,
  revoked: Boolean,
});
for (const field of ['createdAt', 'lastAccessed'])
  sessionSchema.index({ userId: 1, revoked: 1, [field]: -1, _id: -1 });
sessionSchema.index({ revoked: 1, lastAccessed: 1 });
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const sessionCollection = (store: Store) =>
  store.collection<SessionRecord>('Session', sessionSchema, 'sessions');

/** An active login. */
export interface Session extends Omit<
  SessionRecord,
  '_id' | 'credentialVersion' | 'hasSecondFactor' | 'revoked'
> {
  /** The `jti` of its token. */
  readonly id: string;
}

/** Converts a record to a session, without internal fields. */
export const toSession = ({
  _id: id,
  credentialVersion: _version,
  hasSecondFactor: _hasSecondFactor,
  revoked: _revoked,
  ...session
}: SessionRecord): Session => ({ id, ...session });
