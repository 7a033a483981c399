import { ArgsType, Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { ConnectionArgs, ConnectionOf, orderInput } from '../../platform/graphql/connection';
import { MutationPayload } from '../../platform/graphql/payload';
import { DateTime } from '../../platform/graphql/scalars';
import { UserType } from '../users/user.types';
import type { SessionEndReason } from '../../platform/events/session-ended';

@ObjectType('Session', { description: 'One login of a user.' })
export class SessionType {
  @Field(() => ID, {
    name: 'sessionId',
    description: 'The `jti` of its token. Not a global id: `node` does not accept it.',
  })
  readonly id!: string;

  @Field(() => String, { description: 'Network address of the client.' })
  readonly address!: string;

  @Field(() => String, { description: 'User agent of the client.' })
  readonly userAgent!: string;

  @Field(() => DateTime, { description: 'When the user signed in.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { description: 'When it was last used; up to a minute behind.' })
  readonly lastAccessed!: Date;

  @Field(() => DateTime, { description: 'When it ends at the latest.' })
  readonly expiresAt!: Date;
}

export const SessionConnection = ConnectionOf(SessionType, 'SessionConnection');

const SessionOrderField = {
  CREATED_AT: 'CREATED_AT',
  LAST_ACCESSED: 'LAST_ACCESSED',
} as const;
registerEnumType(SessionOrderField, {
  name: 'SessionOrderField',
  description: 'Fields that sessions can be ordered by.',
  valuesConfig: {
    CREATED_AT: { description: 'When the user signed in.' },
    LAST_ACCESSED: { description: 'When the session was last used.' },
  },
});

const SessionOrder = orderInput(SessionOrderField, 'SessionOrder');

@ArgsType()
export class SessionsArgs extends ConnectionArgs {
  @Field(() => SessionOrder, { nullable: true, description: 'Order. Default: newest first.' })
  readonly orderBy?: InstanceType<typeof SessionOrder>;
}

const SessionEventKind = { FORCE_LOGOUT: 'FORCE_LOGOUT' } as const;
registerEnumType(SessionEventKind, {
  name: 'SessionEventKind',
  description: 'The kind of a session event.',
  valuesConfig: {
    FORCE_LOGOUT: { description: 'The session has ended. Next, the socket closes.' },
  },
});

const EndReason: { readonly [R in SessionEndReason]: R } = {
  LOGOUT: 'LOGOUT',
  ENDED: 'ENDED',
  PASSWORD_CHANGED: 'PASSWORD_CHANGED',
  USER_DELETED: 'USER_DELETED',
};
registerEnumType(EndReason, {
  name: 'SessionEndReason',
  description: 'Why a session ended.',
  valuesConfig: {
    LOGOUT: { description: 'The user signed out.' },
    ENDED: { description: 'Another session of the user or an administrator ended it.' },
    PASSWORD_CHANGED: { description: 'The password was changed.' },
    USER_DELETED: { description: 'The user was deleted.' },
  },
});

@ObjectType('SessionEvent', { description: 'An event of the own session.' })
export class SessionEventType {
  @Field(() => SessionEventKind, { description: 'The kind of event.' })
  readonly kind!: keyof typeof SessionEventKind;

  @Field(() => ID, { description: 'The session that has ended.' })
  readonly sessionId!: string;

  @Field(() => EndReason, { description: 'Why it ended.' })
  readonly reason!: SessionEndReason;

  @Field(() => DateTime, { description: 'When it ended.' })
  readonly at!: Date;
}

@InputType({ description: 'E-mail and password.' })
export class LoginInput {
  @Field(() => String, { description: 'E-mail, without regard to case.' })
  readonly email!: string;

  @Field(() => String, { description: 'Password, in any Unicode normalization form.' })
  readonly password!: string;
}

@ObjectType({ description: 'The result of a login.' })
export class LoginPayload extends MutationPayload {
  @Field(() => UserType, { nullable: true, description: 'The signed-in user.' })
  readonly user!: UserType | null;

  @Field(() => String, {
    nullable: true,
    description: 'Send it as `Authorization: Bearer …`. The response also has this header.',
  })
  readonly token!: string | null;

  @Field(() => SessionType, { nullable: true, description: 'The new session.' })
  readonly session!: SessionType | null;
}

@InputType({ description: 'The session to sign out of.' })
export class LogoutInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'A session of the signed-in user: `sessionId` in `mySessions`. Default: the session of this request.',
  })
  readonly sessionId?: string | null;
}

@ObjectType({ description: 'The result of a logout.' })
export class LogoutPayload extends MutationPayload {
  @Field(() => ID, { nullable: true, description: 'The session that was ended.' })
  readonly sessionId!: string | null;
}

@InputType({ description: 'The session to end.' })
export class SessionEndInput {
  @Field(() => ID, { description: 'The session: `sessionId` in `mySessions`.' })
  readonly sessionId!: string;
}

@ObjectType({ description: 'A session that was ended.' })
export class SessionPayload extends MutationPayload {
  @Field(() => SessionType, {
    nullable: true,
    description: 'The session; null if nothing was changed.',
  })
  readonly session!: SessionType | null;
}

@InputType({ description: 'The user whose sessions to end.' })
export class UserSessionsEndInput {
  @Field(() => ID, { description: 'The user: global id or integer.' })
  readonly id!: string;
}
