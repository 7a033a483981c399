import { Field, ID, InputType } from 'type-graphql';
import type { FileUpload } from 'graphql-upload-minimal';
import { DateTimeFilter, IdFilter, NameFilter } from '../../platform/graphql/schema/filters';
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

@InputType({
  description: 'Personal details. In a change, omitted fields stay unchanged, and null clears.',
})
export class UserDetailInput {
  @Field(() => String, { nullable: true, description: 'Given name, 45 characters at most.' })
  readonly name?: string | null;

  @Field(() => String, { nullable: true, description: 'Family name, 45 characters at most.' })
  readonly surname?: string | null;

  @Field(() => String, { nullable: true, description: 'Mr., Dr., …, 10 characters at most.' })
  readonly salutation?: string | null;

  @Field(() => String, { nullable: true, description: 'Telephone number, 45 characters at most.' })
  readonly phoneNumber?: string | null;

  @Field(() => String, { nullable: true, description: 'Department, 45 characters at most.' })
  readonly department?: string | null;

  @Field(() => String, { nullable: true, description: 'Organisation, 100 characters at most.' })
  readonly organisation?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether interfaces show the tutorial.' })
  readonly appTour?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Appearance settings of the client, 4,000 characters at most.',
  })
  readonly theme?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether all devices use the same appearance.',
  })
  readonly themeSync?: boolean | null;

  @Field(() => Language, { nullable: true, description: 'Language of the user interface.' })
  readonly lang?: 'en' | 'de' | null;

  @Field(() => String, {
    nullable: true,
    description: 'Account name at Bitbucket, 100 characters at most.',
  })
  readonly bitbucketUser?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'A time that the client stores.' })
  readonly requestTime?: Date | null;
}

const DETAIL = 'Personal details. Omitted fields stay unchanged, or empty for a new user.';

@InputType({ description: 'A new user.' })
export class UserCreateInput {
  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly email!: string;

  @Field(() => String, { description: PASSWORD })
  readonly password!: string;

  @Field(() => ID, { description: GROUP })
  readonly groupId!: string;

  @Field(() => UserDetailInput, { nullable: true, description: DETAIL })
  readonly detail?: UserDetailInput | null;
}

@InputType({ description: 'A new user, who sets the password.' })
export class UserInviteInput {
  @Field(() => String, { description: 'Gets the mail. Unique without regard to case.' })
  readonly email!: string;

  @Field(() => ID, {
    description: GROUP,
  })
  readonly groupId!: string;

  @Field(() => UserDetailInput, {
    nullable: true,
    description: 'Personal details; `lang` is the language of the mail.',
  })
  readonly detail?: UserDetailInput | null;
}

@InputType({ description: 'A user who has not signed in yet.' })
export class UserInviteAgainInput extends IdInput {}

@InputType({ description: 'Which user.' })
export class UserIdInput extends VersionedIdInput {}

@InputType({ description: 'A change of a user. Omitted fields stay unchanged.' })
export class UserUpdateInput extends UserIdInput {
  @Field(() => String, {
    nullable: true,
    description: 'Unique without regard to case. The former address gets a mail.',
  })
  readonly email?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Your current password, to change your own e-mail.',
  })
  readonly currentPassword?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `${PASSWORD} Ends the other sessions of the user.`,
  })
  readonly password?: string | null;

  @Field(() => ID, { nullable: true, description: GROUP })
  readonly groupId?: string | null;

  @Field(() => UserDetailInput, { nullable: true, description: DETAIL })
  readonly detail?: UserDetailInput | null;
}

@InputType({ description: 'A new password.' })
export class UserPasswordChangeInput extends UserIdInput {
  @Field(() => String, { description: PASSWORD })
  readonly password!: string;
}

@InputType({ description: 'A change of details.' })
export class UserDetailChangeInput extends UserIdInput {
  @Field(() => UserDetailInput, {
    description: 'The fields to change. Omitted fields stay unchanged, null clears.',
  })
  readonly detail!: UserDetailInput;
}

@InputType({ description: 'A move to another group.' })
export class UserGroupChangeInput extends UserIdInput {
  @Field(() => ID, { description: GROUP })
  readonly groupId!: string;
}

@InputType({ description: 'A new profile picture.' })
export class UserPictureUploadInput extends UserIdInput {
  @Field(() => Upload, { description: 'PNG, JPEG, GIF or WebP, detected from the content.' })
  readonly file!: Promise<FileUpload>;
}

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
