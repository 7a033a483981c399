import { derived } from '../../platform/cache';
import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import { emailKeyOf } from '../../platform/text/email';
import { fold } from '../../platform/text/fold';

/** Personal details. Null: not given. */
export interface UserDetail {
  readonly name: string | null;
  readonly surname: string | null;
  /** `userTitle` of the released line. */
  readonly salutation: string | null;
  readonly phoneNumber: string | null;
  readonly department: string | null;
  /** `organization` of the released line. */
  readonly organisation: string | null;
  readonly appTour: boolean;
  /** Opaque: chosen by the client. */
  readonly theme: string | null;
  readonly themeSync: boolean;
  readonly lang: 'en' | 'de';
  readonly bitbucketUser: string | null;
  /** Null after creation; then what a client last reported. */
  readonly requestTime: Date | null;
}

/** Details that users can be searched by. */
const SEARCHED = ['name', 'surname', 'department', 'organisation'] as const;

/** Folded details, indexed. Empty instead of null so that each is one index range. */
type DetailKeys = Readonly<Record<(typeof SEARCHED)[number], string>>;

export interface UserRecord {
  readonly _id: number;
  /** As entered. */
  readonly email: string;
  /** See `emailKeyOf`; unique. */
  readonly emailKey: string;
  readonly passwordHash: string | null;
  /**
   * Incremented with each password. Sessions opened with an older version are invalid, even if the
   * login and the change were concurrent.
   */
  readonly credentialVersion: number;
  readonly groupId: number;
  readonly authSource: 'local' | 'ldap';
  /**
   * Keys of the entry in the directory that the account belongs to (see `DirectoryPerson`): the last
   * one of each kind that a server has shown. Missing for local accounts, and until the first sign-in
   * of an account of the directory; never empty.
   */
  readonly directoryKeys?: readonly string[];
  /** Missing or null: the user may sign in. */
  readonly disabledAt?: Date | null;
  readonly detail: UserDetail;
  readonly detailKeys: DetailKeys;
  /** File name of the picture among the uploads. */
  readonly picture: string | null;
  /** Null: has not signed in yet. A login does not change `version` or `updatedAt`. */
  readonly lastLogin: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
  /** Counts writes that make concurrent transactions conflict. */
  readonly claims?: number;
}

const text = orNull(String);

const detail = partOf<UserDetail>({
  name: text,
  surname: text,
  salutation: text,
  phoneNumber: text,
  department: text,
  organisation: text,
  appTour: Boolean,
  theme: text,
  themeSync: Boolean,
  lang: String,
  bitbucketUser: text,
  requestTime: orNull(Date),
});

const userSchema = schemaOf<UserRecord>({
  _id: Number,
  email: String,
  emailKey: String,
  passwordHash: text,
  credentialVersion: Number,
  groupId: Number,
  authSource: String,
  directoryKeys: orMissing([String]),
  disabledAt: orMissing(Date),
  detail,
  detailKeys: partOf<DetailKeys>({
    name: String,
    surname: String,
    department: String,
    organisation: String,
  }),
  picture: text,
  lastLogin: orNull(Date),
  createdAt: Date,
  updatedAt: Date,
  version: Number,
  claims: orMissing(Number),
});
userSchema.index({ emailKey: 1 }, { unique: true });
userSchema.index({ directoryKeys: 1 }, { unique: true, sparse: true });
for (const field of ['createdAt', 'updatedAt', 'lastLogin', 'disabledAt'])
  userSchema.index({ [field]: 1, _id: 1 });
for (const field of ['groupId', 'disabledAt'])
  userSchema.index({ [field]: 1, createdAt: 1, _id: 1 });
for (const field of SEARCHED) userSchema.index({ [`detailKeys.${field}`]: 1, _id: 1 });

export const userCollection = (store: Store) =>
  store.collection<UserRecord>('User', userSchema, 'users');

export const EMPTY_DETAIL: UserDetail = {
  name: null,
  surname: null,
  salutation: null,
  phoneNumber: null,
  department: null,
  organisation: null,
  appTour: true,
  theme: null,
  themeSync: false,
  lang: 'en',
  bitbucketUser: null,
  requestTime: null,
};

export const detailKeysOf = (detail: UserDetail): DetailKeys =>
  Object.fromEntries(SEARCHED.map((field) => [field, fold(detail[field] ?? '')])) as DetailKeys;

export const newUserRecord = (
  fields: Pick<UserRecord, '_id' | 'email' | 'passwordHash' | 'groupId' | 'detail'>,
  now: Date,
): UserRecord => ({
  ...fields,
  email: fields.email.trim(),
  emailKey: emailKeyOf(fields.email),
  credentialVersion: 1,
  authSource: 'local',
  detailKeys: detailKeysOf(fields.detail),
  picture: null,
  lastLogin: null,
  createdAt: now,
  updatedAt: now,
  version: 1,
});

/** A user without secrets and internal fields. */
export interface User extends Omit<
  UserRecord,
  | '_id'
  | 'emailKey'
  | 'passwordHash'
  | 'credentialVersion'
  | 'detailKeys'
  | 'directoryKeys'
  | 'disabledAt'
  | 'claims'
> {
  readonly id: number;
  /** Null: the user may sign in. */
  readonly disabledAt: Date | null;
}

/** The same object for the same record, so that what was derived from it can be kept. */
export const toUser = derived((record: UserRecord): User => {
  const { email, groupId, authSource, detail, picture, lastLogin } = record;
  const { _id: id, disabledAt = null, createdAt, updatedAt, version } = record;
  return Object.freeze({
    id,
    email,
    groupId,
    authSource,
    disabledAt,
    detail,
    picture,
    lastLogin,
    createdAt,
    updatedAt,
    version,
  });
});
