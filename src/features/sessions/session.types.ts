import { Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { ConnectionOf, orderInput } from '../../platform/graphql/connection';
import { MutationPayload } from '../../platform/graphql/payload';
import { DateTime } from '../../platform/graphql/scalars';
import { UserType } from '../users/user.types';
import type { SessionEndReason } from '../../platform/events/session-ended';

@ObjectType('Session', { description: 'One login of a user.' })
export class SessionType {
  @Field(() => ID, {
    name: 'sessionId',
    description: 'The `jti` of its token. No global id: `node` does not find it.',
  })
  readonly id!: string;

  @Field(() => String, { description: 'Address the login came from.' })
  readonly address!: string;

  @Field(() => String, { description: 'Program the login came from.' })
  readonly userAgent!: string;

  @Field(() => DateTime, { description: 'When the user signed in.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { description: 'When it was last used, up to a minute behind.' })
  readonly lastAccessed!: Date;

  @Field(() => DateTime, { description: 'When it ends at the latest.' })
  readonly expiresAt!: Date;
}

export const SessionConnection = ConnectionOf(SessionType, 'SessionConnection');

export const SessionOrderField = {
  CREATED_AT: 'CREATED_AT',
  LAST_ACCESSED: 'LAST_ACCESSED',
} as const;
registerEnumType(SessionOrderField, {
  name: 'SessionOrderField',
  description: 'What sessions can be ordered by.',
  valuesConfig: {
    CREATED_AT: { description: 'When the user signed in.' },
    LAST_ACCESSED: { description: 'When they were last used.' },
  },
});

export const SessionOrder = orderInput(SessionOrderField, 'SessionOrder');

export const SessionEventKind = { FORCE_LOGOUT: 'FORCE_LOGOUT' } as const;
registerEnumType(SessionEventKind, {
  name: 'SessionEventKind',
  description: 'What happened to a session.',
  valuesConfig: { FORCE_LOGOUT: { description: 'It was ended; the socket closes next.' } },
});

export const EndReason: { readonly [R in SessionEndReason]: R } = {
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
    ENDED: { description: 'Ended from another session of the user, or by an administrator.' },
    PASSWORD_CHANGED: { description: 'The password was changed.' },
    USER_DELETED: { description: 'The user was deleted.' },
  },
});

@ObjectType('SessionEvent', { description: 'Something that happened to the own session.' })
export class SessionEventType {
  @Field(() => SessionEventKind, { description: 'What happened to the session.' })
  readonly kind!: keyof typeof SessionEventKind;

  @Field(() => ID, { description: 'The session that was ended: the one that listens.' })
  readonly sessionId!: string;

  @Field(() => EndReason, { description: 'Why it was ended.' })
  readonly reason!: SessionEndReason;

  @Field(() => DateTime, { description: 'When it was ended.' })
  readonly at!: Date;
}

@InputType({ description: 'E-mail and password.' })
export class LoginInput {
  @Field(() => String, { description: 'The address of the user, in any letter case.' })
  readonly email!: string;

  @Field(() => String, { description: 'The password, however the keyboard composes its letters.' })
  readonly password!: string;
}

@ObjectType({ description: 'The result of a login.' })
export class LoginPayload extends MutationPayload {
  @Field(() => UserType, { nullable: true, description: 'Who signed in.' })
  readonly user!: UserType | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Send it as `Authorization: Bearer …`. It also comes in that header of the answer.',
  })
  readonly token!: string | null;

  @Field(() => SessionType, { nullable: true, description: 'The new session.' })
  readonly session!: SessionType | null;
}

@InputType({ description: 'Which session to sign out of.' })
export class LogoutInput {
  @Field(() => ID, {
    nullable: true,
    description:
      "A session of one's own, as `mySessions` names it. Without it: the session of this request.",
  })
  readonly sessionId?: string | null;
}

@ObjectType({ description: 'The result of a logout.' })
export class LogoutPayload extends MutationPayload {
  @Field(() => ID, { nullable: true, description: 'The session that was ended.' })
  readonly sessionId!: string | null;
}

@InputType({ description: 'Which session to end.' })
export class SessionEndInput {
  @Field(() => ID, { description: 'The session, as `mySessions` names it.' })
  readonly sessionId!: string;
}

@ObjectType({ description: 'A session that was ended.' })
export class SessionPayload extends MutationPayload {
  @Field(() => SessionType, {
    nullable: true,
    description: 'The session; null when nothing was changed.',
  })
  readonly session!: SessionType | null;
}

@InputType({ description: 'Whose sessions to end.' })
export class UserSessionsEndInput {
  @Field(() => ID, { description: 'The user: global id or integer.' })
  readonly id!: string;
}
