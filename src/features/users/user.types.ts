import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ACTIONS, COMPONENTS } from '../../platform/access/catalogue';
import type { Action, ComponentName, HeldGrant } from '../../platform/access/catalogue';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { Node } from '../../platform/graphql/schema/node';
import { DateTime } from '../../platform/graphql/schema/scalars';
import { viewerCanType } from '../../platform/graphql/schema/viewer-can';
import { deletedListType, payloadType } from '../../platform/graphql/schema/record-types';
import { userPolicy } from './user.policy';
import type { UserDetail } from './user.service';

export const Language = { EN: 'en', DE: 'de' } as const;
registerEnumType(Language, {
  name: 'Language',
  description: 'A language of the user interface.',
  valuesConfig: { EN: { description: 'English.' }, DE: { description: 'German.' } },
});

const AuthSource = { LOCAL: 'local', LDAP: 'ldap' } as const;
registerEnumType(AuthSource, {
  name: 'AuthSource',
  description: 'What checks the password of a user.',
  valuesConfig: {
    LOCAL: { description: 'This service.' },
    LDAP: { description: 'An LDAP directory.' },
  },
});

const text = { nullable: true };

@ObjectType('UserDetail', { description: 'Personal details of a user.' })
class UserDetailType {
  @Field(() => String, { ...text, description: 'Given name.' })
  readonly name!: string | null;

  @Field(() => String, { ...text, description: 'Family name.' })
  readonly surname!: string | null;

  @Field(() => String, {
    ...text,
    description: 'Mr., Dr., …; `userTitle` in the released REST API.',
  })
  readonly salutation!: string | null;

  @Field(() => String, { ...text, description: 'Telephone number.' })
  readonly phoneNumber!: string | null;

  @Field(() => String, { ...text, description: 'The department the person works in.' })
  readonly department!: string | null;

  @Field(() => String, { ...text, description: 'The organisation the person works for.' })
  readonly organisation!: string | null;

  @Field(() => Boolean, { description: 'Whether interfaces show the tutorial.' })
  readonly appTour!: boolean;

  @Field(() => String, {
    ...text,
    description: 'Appearance settings of the client, opaque to the service.',
  })
  readonly theme!: string | null;

  @Field(() => Boolean, { description: 'Whether all devices use the same appearance.' })
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

@ObjectType('User', { implements: Node, description: 'A person who can sign in.' })
export class UserType {
  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly email!: string;

  @Field(() => UserDetailType, { description: 'Personal details.' })
  readonly detail!: UserDetailType;

  @Field(() => AuthSource, { description: 'What checks the password.' })
  readonly authSource!: 'local' | 'ldap';

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the user was disabled and could not sign in any more; null if they can.',
  })
  readonly disabledAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the user last signed in; null if never. A login does not change `version` or `updatedAt`.',
  })
  readonly lastLogin!: Date | null;

  @Field(() => DateTime, { description: 'When the user was created.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { description: 'When the user was last changed.' })
  readonly updatedAt!: Date;

  @Field(() => Int, {
    description:
      'Incremented with each change. Pass it as `expectedVersion` to reject a change of a newer version.',
  })
  readonly version!: number;
}

export const UserConnection = ConnectionOf(UserType, 'UserConnection');

export const UserPayload = payloadType(
  'UserPayload',
  'user',
  UserType,
  'A user who was created, changed or deleted.',
);

export const UsersPayload = deletedListType('UsersPayload', 'users', UserType);

/** Descriptions of the components that clients display. */
const COMPONENT_DESCRIPTIONS: Readonly<Record<ComponentName, string>> = {
  CONNECTION: 'Workflows and their runs.',
  CONNECTOR: 'Connectors.',
  SCHEDULE: 'Schedules.',
  USER: 'Users and their sessions.',
  USERGROUP: 'Groups of users, components and permissions.',
  MYPROFILE: "One's own profile, password, picture and sessions.",
  DASHBOARD: 'The dashboard.',
  APP: 'Apps.',
  INVOKER: 'Invokers.',
  SECRET: 'Named secrets.',
};

const ACTION_DESCRIPTIONS: Readonly<Record<Action, string>> = {
  CREATE: 'Create.',
  UPDATE: 'Change; run workflows.',
  DELETE: 'Delete.',
  READ: 'Read.',
};

const ComponentNameEnum = Object.fromEntries(COMPONENTS.map(({ name }) => [name, name])) as {
  readonly [C in ComponentName]: C;
};
registerEnumType(ComponentNameEnum, {
  name: 'ComponentName',
  description: 'A protected part of the service.',
  valuesConfig: Object.fromEntries(
    Object.entries(COMPONENT_DESCRIPTIONS).map(([name, description]) => [name, { description }]),
  ),
});

const GrantActionEnum = Object.fromEntries(ACTIONS.map((action) => [action, action])) as {
  readonly [A in Action]: A;
};
registerEnumType(GrantActionEnum, {
  name: 'GrantAction',
  description: 'An action on a protected part of the service.',
  valuesConfig: Object.fromEntries(
    Object.entries(ACTION_DESCRIPTIONS).map(([action, description]) => [action, { description }]),
  ),
});

@ObjectType('Grant', {
  description: 'One permission. `component: USER, action: CREATE` is `USER:CREATE` in `@needs`.',
})
export class GrantType implements HeldGrant {
  @Field(() => ComponentNameEnum, { description: 'The part of the service.' })
  readonly component!: ComponentName;

  @Field(() => GrantActionEnum, { description: 'The action.' })
  readonly action!: Action;
}
