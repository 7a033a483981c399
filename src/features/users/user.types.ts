import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/connection';
import { Node } from '../../platform/graphql/node';
import { ListPayload, MutationPayload } from '../../platform/graphql/payload';
import { DateTime } from '../../platform/graphql/scalars';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import { userPolicy } from './user.policy';
import type { UserDetail } from './user.service';

export const Language = { EN: 'en', DE: 'de' } as const;
registerEnumType(Language, {
  name: 'Language',
  description: 'A language of the user interface.',
  valuesConfig: { EN: { description: 'English.' }, DE: { description: 'German.' } },
});

export const AuthSource = { LOCAL: 'local', LDAP: 'ldap' } as const;
registerEnumType(AuthSource, {
  name: 'AuthSource',
  description: 'Who checks the password of a user.',
  valuesConfig: {
    LOCAL: { description: 'This service.' },
    LDAP: { description: 'The directory of the company.' },
  },
});

const text = { nullable: true };

@ObjectType('UserDetail', { description: 'What is known of a person.' })
export class UserDetailType {
  @Field(() => String, { ...text, description: 'Given name.' })
  readonly name!: string | null;

  @Field(() => String, { ...text, description: 'Family name.' })
  readonly surname!: string | null;

  @Field(() => String, {
    ...text,
    description: 'Mr., Dr., …; `userTitle` of the released REST API.',
  })
  readonly salutation!: string | null;

  @Field(() => String, { ...text, description: 'Telephone number.' })
  readonly phoneNumber!: string | null;

  @Field(() => String, { ...text, description: 'The department the person works in.' })
  readonly department!: string | null;

  @Field(() => String, { ...text, description: 'The organisation the person works for.' })
  readonly organisation!: string | null;

  @Field(() => Boolean, { description: 'Should interfaces still show the tutorial?' })
  readonly appTour!: boolean;

  @Field(() => String, { ...text, description: 'What the client keeps here of its looks.' })
  readonly theme!: string | null;

  @Field(() => Boolean, { description: 'Use the same looks on every device?' })
  readonly themeSync!: boolean;

  @Field(() => Language, { description: 'Language of the user interface.' })
  readonly lang!: UserDetail['lang'];

  @Field(() => String, { ...text, description: 'Account name at Bitbucket.' })
  readonly bitbucketUser!: string | null;

  @Field(() => DateTime, {
    ...text,
    description: 'The time a client last reported with the details; null after creation.',
  })
  readonly requestTime!: Date | null;
}

export const UserViewerCan = viewerCanType('UserViewerCan', userPolicy);

@ObjectType('User', { implements: Node, description: 'Somebody who can sign in.' })
export class UserType {
  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly email!: string;

  @Field(() => UserDetailType, { description: 'What is known of the person.' })
  readonly detail!: UserDetailType;

  @Field(() => AuthSource, { description: 'Who checks the password.' })
  readonly authSource!: 'local' | 'ldap';

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the user last signed in; null when he has not yet. A login is no change: `version` and `updatedAt` stay.',
  })
  readonly lastLogin!: Date | null;

  @Field(() => DateTime, { description: 'When the user was created.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { description: 'When the user was last changed.' })
  readonly updatedAt!: Date;

  @Field(() => Int, {
    description: 'Counts changes; pass it as `expectedVersion` to change only what you have seen.',
  })
  readonly version!: number;
}

export const UserConnection = ConnectionOf(UserType, 'UserConnection');

@ObjectType({ description: 'A user who was created, changed or deleted.' })
export class UserPayload extends MutationPayload {
  @Field(() => UserType, {
    nullable: true,
    description: 'The user; null when nothing was changed.',
  })
  readonly user!: UserType | null;
}

@ObjectType({ description: 'Users who were deleted.' })
export class UsersPayload extends ListPayload {
  @Field(() => [UserType], {
    nullable: true,
    description: 'The users as they were; null when nothing was changed.',
  })
  readonly users!: UserType[] | null;
}
