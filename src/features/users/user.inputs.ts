import { ID, InputType } from 'type-graphql';
import { DateTimeFilter, IdFilter, NameFilter } from '../../platform/graphql/schema/filters';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { DateTime, Upload } from '../../platform/graphql/schema/scalars';
import {
  IdInput,
  IdsInput,
  VersionedIdInput,
  filterType,
  listArgs,
  orderType,
} from '../../platform/graphql/schema/record-types';
import { Language } from './user.types';

const GROUP =
  'The group: global id or integer. It must not have rights that the signed-in user lacks.';
const PASSWORD = '8 to 128 characters.';

export const UserDetailInput = inputType(
  'UserDetailInput',
  'Personal details. In a change, omitted fields stay unchanged, and null clears.',
  {
    name: [optional(String), 'Given name, 45 characters at most.'],
    surname: [optional(String), 'Family name, 45 characters at most.'],
    salutation: [optional(String), 'Mr., Dr., …, 10 characters at most.'],
    phoneNumber: [optional(String), 'Telephone number, 45 characters at most.'],
    department: [optional(String), 'Department, 45 characters at most.'],
    organisation: [optional(String), 'Organisation, 100 characters at most.'],
    appTour: [optional(Boolean), 'Whether interfaces show the tutorial.'],
    theme: [optional(String), 'Appearance settings of the client, 4,000 characters at most.'],
    themeSync: [optional(Boolean), 'Whether all devices use the same appearance.'],
    lang: [optional(Language), 'Language of the user interface.'],
    bitbucketUser: [optional(String), 'Account name at Bitbucket, 100 characters at most.'],
    requestTime: [optional(DateTime), 'A time that the client stores.'],
  },
);
export type UserDetailInput = InstanceType<typeof UserDetailInput>;

const DETAIL = 'Personal details. Omitted fields stay unchanged, or empty for a new user.';

export const UserCreateInput = inputType('UserCreateInput', 'A new user.', {
  email: [String, 'Unique without regard to case.'],
  password: [String, PASSWORD],
  groupId: [ID, GROUP],
  detail: [optional(UserDetailInput), DETAIL],
});
export type UserCreateInput = InstanceType<typeof UserCreateInput>;

export const UserInviteInput = inputType('UserInviteInput', 'A new user, who sets the password.', {
  email: [String, 'Gets the mail. Unique without regard to case.'],
  groupId: [ID, GROUP],
  detail: [optional(UserDetailInput), 'Personal details; `lang` is the language of the mail.'],
});
export type UserInviteInput = InstanceType<typeof UserInviteInput>;

@InputType({ description: 'A user who has not signed in yet.' })
export class UserInviteAgainInput extends IdInput {}

@InputType({ description: 'Which user.' })
export class UserIdInput extends VersionedIdInput {}

export const UserUpdateInput = inputType(
  'UserUpdateInput',
  'A change of a user. Omitted fields stay unchanged.',
  {
    email: [optional(String), 'Unique without regard to case. The former address gets a mail.'],
    currentPassword: [optional(String), 'Your current password, to change your own e-mail.'],
    password: [optional(String), `${PASSWORD} Ends the other sessions of the user.`],
    groupId: [optional(ID), GROUP],
    detail: [optional(UserDetailInput), DETAIL],
  },
  UserIdInput,
);
export type UserUpdateInput = InstanceType<typeof UserUpdateInput>;

export const UserPasswordChangeInput = inputType(
  'UserPasswordChangeInput',
  'A new password.',
  { password: [String, PASSWORD] },
  UserIdInput,
);
export type UserPasswordChangeInput = InstanceType<typeof UserPasswordChangeInput>;

export const UserDetailChangeInput = inputType(
  'UserDetailChangeInput',
  'A change of details.',
  {
    detail: [UserDetailInput, 'The fields to change. Omitted fields stay unchanged, null clears.'],
  },
  UserIdInput,
);
export type UserDetailChangeInput = InstanceType<typeof UserDetailChangeInput>;

export const UserGroupChangeInput = inputType(
  'UserGroupChangeInput',
  'A move to another group.',
  { groupId: [ID, GROUP] },
  UserIdInput,
);
export type UserGroupChangeInput = InstanceType<typeof UserGroupChangeInput>;

export const UserPictureUploadInput = inputType(
  'UserPictureUploadInput',
  'A new profile picture.',
  { file: [Upload, 'PNG, JPEG, GIF or WebP, detected from the content.'] },
  UserIdInput,
);
export type UserPictureUploadInput = InstanceType<typeof UserPictureUploadInput>;

@InputType({ description: 'Which users.' })
export class UserIdsInput extends IdsInput {}

const UserFilter = filterType('UserFilter', 'users', {
  id: [IdFilter, 'Users by their ids.'],
  email: [NameFilter, 'E-mail.'],
  groupId: [IdFilter, 'Group.'],
  name: [NameFilter, 'Given name, without regard to case.'],
  surname: [NameFilter, 'Family name, without regard to case.'],
  department: [NameFilter, 'Department, without regard to case.'],
  organisation: [NameFilter, 'Organisation, without regard to case.'],
  createdAt: [DateTimeFilter, 'When the user was created.'],
  disabledAt: [DateTimeFilter, 'When the user was disabled. `isNull: true`: users who are not.'],
});

const UserOrder = orderType('UserOrder', {
  ID: 'Id.',
  EMAIL: 'E-mail, without regard to case.',
  NAME: 'Given name, without regard to case.',
  SURNAME: 'Family name, without regard to case.',
  CREATED_AT: 'When the user was created.',
  UPDATED_AT: 'When the user was last changed.',
  LAST_LOGIN: 'When the user last signed in. Users who never signed in sort lowest.',
});

export const UsersArgs = listArgs(
  'users',
  UserFilter,
  UserOrder,
  'the field that is filtered by a range, else the time of creation',
);
