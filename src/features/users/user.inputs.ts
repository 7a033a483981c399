import { ArgsType, Field, ID, InputType, registerEnumType } from 'type-graphql';
import type { FileUpload } from 'graphql-upload-minimal';
import { ConnectionArgs, orderInput } from '../../platform/graphql/connection';
import { VersionedInput, WHICH_IDS } from '../../platform/graphql/payload';
import {
  ALL_OF,
  ANY_OF,
  DateTimeFilter,
  IdFilter,
  NameFilter,
  NONE_OF,
} from '../../platform/graphql/filters';
import { DateTime, Upload } from '../../platform/graphql/scalars';
import { Language } from './user.types';

const WHICH = 'Which user: global id or integer.';
const GROUP =
  'The group: global id or integer. Nobody puts a user into a group with rights he does not hold himself.';
const PASSWORD = '8 to 128 characters.';

@InputType({
  description:
    'Details of a person. In a change, what is left out stays as it is, and null clears.',
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

  @Field(() => Boolean, { nullable: true, description: 'Show the tutorial?' })
  readonly appTour?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'What the client keeps here of its looks, 4,000 characters at most.',
  })
  readonly theme?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Use the same looks on every device?' })
  readonly themeSync?: boolean | null;

  @Field(() => Language, { nullable: true, description: 'Language of the user interface.' })
  readonly lang?: 'en' | 'de' | null;

  @Field(() => String, {
    nullable: true,
    description: 'Account name at Bitbucket, 100 characters at most.',
  })
  readonly bitbucketUser?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'A time the client wants to keep.' })
  readonly requestTime?: Date | null;
}

@InputType({ description: 'A new user.' })
export class UserCreateInput {
  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly email!: string;

  @Field(() => String, { description: PASSWORD })
  readonly password!: string;

  @Field(() => ID, { description: GROUP })
  readonly groupId!: string;

  @Field(() => UserDetailInput, {
    nullable: true,
    description:
      'What is known of the person; what is left out stays as it is, or has no value yet.',
  })
  readonly detail?: UserDetailInput | null;
}

@InputType({ description: 'A change of a user; what is left out stays as it is.' })
export class UserUpdateInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => String, { nullable: true, description: 'Unique without regard to case.' })
  readonly email?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `${PASSWORD} Ends the other sessions of the user.`,
  })
  readonly password?: string | null;

  @Field(() => ID, { nullable: true, description: GROUP })
  readonly groupId?: string | null;

  @Field(() => UserDetailInput, {
    nullable: true,
    description:
      'What is known of the person; what is left out stays as it is, or has no value yet.',
  })
  readonly detail?: UserDetailInput | null;
}

@InputType({ description: 'A new password.' })
export class UserPasswordChangeInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => String, { description: PASSWORD })
  readonly password!: string;
}

@InputType({ description: 'A change of details.' })
export class UserDetailChangeInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => UserDetailInput, {
    description: 'The fields to change; what is left out stays as it is, null clears.',
  })
  readonly detail!: UserDetailInput;
}

@InputType({ description: 'A move to another group.' })
export class UserGroupChangeInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => ID, { description: GROUP })
  readonly groupId!: string;
}

@InputType({ description: 'Which user.' })
export class UserIdInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;
}

@InputType({ description: 'Which users.' })
export class UserIdsInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];
}

@InputType({ description: 'A new profile picture.' })
export class UserPictureUploadInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => Upload, { description: 'PNG, JPEG, GIF or WebP, judged by the content.' })
  readonly file!: Promise<FileUpload>;
}

@InputType({ description: 'Which users; all that are given must hold.' })
export class UserFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These users, by their ids.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'The address they sign in with.' })
  readonly email?: NameFilter;

  @Field(() => IdFilter, { nullable: true, description: 'Members of these groups.' })
  readonly groupId?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'Given name, without regard to case.' })
  readonly name?: NameFilter;

  @Field(() => NameFilter, { nullable: true, description: 'Family name, without regard to case.' })
  readonly surname?: NameFilter;

  @Field(() => NameFilter, {
    nullable: true,
    description: 'The department they work in, without regard to case.',
  })
  readonly department?: NameFilter;

  @Field(() => NameFilter, {
    nullable: true,
    description: 'The organisation they work for, without regard to case.',
  })
  readonly organisation?: NameFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When the user was created.' })
  readonly createdAt?: DateTimeFilter;

  @Field(() => [UserFilter], { nullable: true, description: ALL_OF })
  readonly and?: UserFilter[];

  @Field(() => [UserFilter], { nullable: true, description: ANY_OF })
  readonly or?: UserFilter[];

  @Field(() => UserFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

export const UserOrderField = {
  ID: 'ID',
  EMAIL: 'EMAIL',
  NAME: 'NAME',
  SURNAME: 'SURNAME',
  CREATED_AT: 'CREATED_AT',
  UPDATED_AT: 'UPDATED_AT',
  LAST_LOGIN: 'LAST_LOGIN',
} as const;
registerEnumType(UserOrderField, {
  name: 'UserOrderField',
  description: 'What a list of users can be ordered by.',
  valuesConfig: {
    ID: { description: 'Id.' },
    EMAIL: { description: 'E-mail, without regard to case.' },
    NAME: { description: 'Given name, without regard to case.' },
    SURNAME: { description: 'Family name, without regard to case.' },
    CREATED_AT: { description: 'When the user was created.' },
    UPDATED_AT: { description: 'When the user was last changed.' },
    LAST_LOGIN: {
      description: 'When the user last signed in. Those who have not yet are the least.',
    },
  },
});

export const UserOrder = orderInput(UserOrderField, 'UserOrder');
export type UserOrder = InstanceType<typeof UserOrder>;

@ArgsType()
export class UsersArgs extends ConnectionArgs {
  @Field(() => UserFilter, { nullable: true, description: 'Which users. Without it: all.' })
  readonly filter?: UserFilter;

  @Field(() => UserOrder, {
    nullable: true,
    description:
      'In which order. Without it: that of the field a range is asked of, else as they were created.',
  })
  readonly orderBy?: UserOrder;
}
