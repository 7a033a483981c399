import { orNull, partOf, schemaOf } from '../../platform/store/schema';

/** What is known of a person. Null: not given. */
export interface UserDetail {
  readonly name: string | null;
  readonly surname: string | null;
  /** `userTitle` of the released line. */
  readonly salutation: string | null;
  readonly phoneNumber: string | null;
  readonly department: string | null;
  /** `organization` of the released line. */
  readonly organisation: string | null;
  /** Show the tutorial. */
  readonly appTour: boolean;
  /** Opaque: chosen by the client. */
  readonly theme: string | null;
  readonly themeSync: boolean;
  readonly lang: 'en' | 'de';
  readonly bitbucketUser: string | null;
  /** Null after creation; then what a client last reported. */
  readonly requestTime: Date | null;
}

/** The folded texts of the details, empty where there is none: one range of an index, which null is not. See `keysOf`. */
export interface DetailKeys {
  readonly name: string;
  readonly surname: string;
  readonly department: string;
  readonly organisation: string;
}

/** A user as the store keeps him. */
export interface UserRecord {
  readonly _id: number;
  /** As it was typed. */
  readonly email: string;
  /** Folded, so that uniqueness knows no case. */
  readonly emailKey: string;
  readonly passwordHash: string | null;
  /** Counts passwords. A session opened with an older one is worth nothing, however close the change came to the login. */
  readonly credentialVersion: number;
  readonly groupId: number;
  readonly authSource: 'local' | 'ldap';
  readonly detail: UserDetail;
  /** What users are ordered and found by. */
  readonly detailKeys: DetailKeys;
  /** Name of the picture's file among the uploads. */
  readonly picture: string | null;
  /** Null: has not signed in yet. No change of the user: `version` and `updatedAt` do not tell of it. */
  readonly lastLogin: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
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

export const userSchema = schemaOf<UserRecord>({
  _id: Number,
  email: String,
  emailKey: String,
  passwordHash: text,
  credentialVersion: Number,
  groupId: Number,
  authSource: String,
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
});
userSchema.index({ emailKey: 1 }, { unique: true });
for (const field of ['createdAt', 'updatedAt', 'lastLogin'])
  userSchema.index({ [field]: 1, _id: 1 });
userSchema.index({ groupId: 1, createdAt: 1, _id: 1 });
for (const field of [
  'name',
  'surname',
  'department',
  'organisation',
] satisfies (keyof DetailKeys)[])
  userSchema.index({ [`detailKeys.${field}`]: 1, _id: 1 });
