import { randomBytes } from 'node:crypto';
import type { Core } from '../../platform/core';
import { sha256 } from '../../platform/crypto/sha256';
import { schemaOf } from '../../platform/store/schema';
import type { Store, Tx } from '../../platform/store/store';
import type { UserRecord } from '../users/user.model';

declare module '../../platform/context' {
  interface Services {
    passwordLinks: PasswordLinks;
  }
}

export const LINK_LIFETIME_MS = 60 * 60_000;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** A link with which its user sets a new password, once. */
export interface PasswordLinkRecord {
  /** SHA-256 of the token in the link, base64url. The token itself is only in the mail. */
  readonly _id: string;
  readonly userId: number;
  /** A link is not valid once the password was changed otherwise. */
  readonly credentialVersion: number;
  /** The folded address that it was mailed to. */
  readonly emailKey: string;
  readonly expiresAt: Date;
}

/** The user of a link as far as the link depends on them. */
type LinkOwner = Pick<UserRecord, '_id' | 'credentialVersion' | 'emailKey'>;

const linkSchema = schemaOf<PasswordLinkRecord>({
  _id: String,
  userId: Number,
  credentialVersion: Number,
  emailKey: String,
  expiresAt: Date,
});
linkSchema.index({ userId: 1 });
linkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const linkCollection = (store: Store) =>
  store.collection<PasswordLinkRecord>('PasswordLink', linkSchema, 'password_links');

/** Stored links to set a password. */
export class PasswordLinks {
  private readonly links;

  constructor(private readonly core: Core) {
    this.links = linkCollection(core.store);
  }

  /** Returns the token of a new link, or null if the user has `most` valid links. */
  async create(
    { _id: userId, credentialVersion, emailKey }: LinkOwner,
    most: number,
    tx: Tx,
    lifetimeMs = LINK_LIFETIME_MS,
  ): Promise<string | null> {
    const now = this.core.clock.now();
    const valid = { userId, expiresAt: { $gt: now } };
    if ((await this.links.count(valid, { tx })) >= most) return null;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(now.getTime() + lifetimeMs);
    const link = { _id: sha256(token), userId, credentialVersion, emailKey, expiresAt };
    await this.links.insert(link, tx);
    return token;
  }

  /** Returns null if the link was used, has expired, or does not exist. */
  async find(token: string): Promise<PasswordLinkRecord | null> {
    if (!TOKEN.test(token)) return null;
    const link = await this.links.byId(sha256(token));
    return link && link.expiresAt > this.core.clock.now() ? link : null;
  }

  /** Uses up a link, and makes the others of its user invalid. Returns false if it was used. */
  async use({ _id, userId }: PasswordLinkRecord, tx: Tx): Promise<boolean> {
    const deleted = await this.links.deleteOne({ _id }, tx);
    await this.removeOf([userId], tx);
    return deleted > 0;
  }

  async removeOf(userIds: readonly number[], tx: Tx): Promise<void> {
    await this.links.deleteMany({ userId: { $in: [...userIds] } }, tx);
  }
}
