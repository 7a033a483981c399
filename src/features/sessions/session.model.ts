import { Schema } from 'mongoose';

/** One login. */
export interface SessionRecord {
  /** The `jti` of its token. */
  readonly _id: string;
  readonly userId: number;
  /** Which of the user's passwords it was opened with, or has survived. */
  readonly credentialVersion: number;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  /** Written at most once in a while; see the service. */
  readonly lastAccessed: Date;
  readonly expiresAt: Date;
  readonly revoked: boolean;
}

export const sessionSchema = new Schema<SessionRecord>(
  {
    _id: { type: String, required: true },
    userId: { type: Number, required: true },
    credentialVersion: { type: Number, required: true },
    address: { type: String, default: '' },
    userAgent: { type: String, default: '' },
    createdAt: { type: Date, required: true },
    lastAccessed: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    revoked: { type: Boolean, default: false },
  },
  { versionKey: false, strict: 'throw' },
);
sessionSchema.index({ userId: 1, createdAt: -1 });
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
