import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
  ArgsType,
  Field,
  ID,
  InputType,
  ObjectType,
  registerEnumType,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs, ServedOnFullDisk, SurvivesSessionEnd } from '../../platform/graphql/schema/needs';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import {
  nestedPage,
  toOrder,
  ConnectionArgs,
  ConnectionOf,
} from '../../platform/graphql/schema/connection';
import { payload, MutationPayload } from '../../platform/graphql/schema/payload';
import { events } from '../../platform/graphql/subscriptions/event-queue';
import type { Page } from '../../platform/store/lists/page';
import type { User } from '../users/user.service';
import { UserPayload, UserType } from '../users/user.types';
import { SESSION_ENDED } from '../../platform/events/session-ended';
import type { SessionEnded, SessionEndReason } from '../../platform/events/session-ended';
import { sessionPolicy } from './session.policy';
import type { Session } from './session.service';
import { LoginChallengeType, SessionType } from './session.types';
import { DateTime } from '../../platform/graphql/schema/scalars';
import { IdInput, orderType, payloadType } from '../../platform/graphql/schema/record-types';

const SessionConnection = ConnectionOf(SessionType, 'SessionConnection');

const SessionOrder = orderType('SessionOrder', {
  CREATED_AT: 'When the user signed in.',
  LAST_ACCESSED: 'When the session was last used.',
});

@ArgsType()
class SessionsArgs extends ConnectionArgs {
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
  USER_DISABLED: 'USER_DISABLED',
};
registerEnumType(EndReason, {
  name: 'SessionEndReason',
  description: 'Why a session ended.',
  valuesConfig: {
    LOGOUT: { description: 'The user signed out.' },
    ENDED: { description: 'Another session of the user or an administrator ended it.' },
    PASSWORD_CHANGED: { description: 'The password was changed.' },
    USER_DELETED: { description: 'The user was deleted.' },
    USER_DISABLED: { description: 'The user was disabled.' },
  },
});

@ObjectType('SessionEvent', { description: 'An event of the own session.' })
class SessionEventType {
  @Field(() => SessionEventKind, { description: 'The kind of event.' })
  readonly kind!: keyof typeof SessionEventKind;

  @Field(() => ID, { description: 'The session that has ended.' })
  readonly sessionId!: string;

  @Field(() => EndReason, { description: 'Why it ended.' })
  readonly reason!: SessionEndReason;

  @Field(() => DateTime, { description: 'When it ended.' })
  readonly at!: Date;
}

const LoginInput = inputType('LoginInput', 'E-mail and password.', {
  email: [String, 'E-mail, without regard to case.'],
  password: [String, 'Password, in any Unicode normalization form.'],
});
type LoginInput = InstanceType<typeof LoginInput>;

@ObjectType({ description: 'The result of a login.' })
class LoginPayload extends MutationPayload {
  @Field(() => UserType, { nullable: true, description: 'The signed-in user.' })
  readonly user!: UserType | null;

  @Field(() => String, {
    nullable: true,
    description: 'Send it as `Authorization: Bearer …`. The response also has this header.',
  })
  readonly token!: string | null;

  @Field(() => SessionType, { nullable: true, description: 'The new session.' })
  readonly session!: SessionType | null;

  @Field(() => LoginChallengeType, {
    nullable: true,
    description: 'If the login needs a code of the second factor, in place of a session.',
  })
  readonly challenge!: LoginChallengeType | null;
}

const LogoutInput = inputType('LogoutInput', 'The session to sign out of.', {
  sessionId: [
    optional(ID),
    'A session of the signed-in user: `sessionId` in `mySessions`. Default: the session of this request.',
  ],
});
type LogoutInput = InstanceType<typeof LogoutInput>;

@ObjectType({ description: 'The result of a logout.' })
class LogoutPayload extends MutationPayload {
  @Field(() => ID, { nullable: true, description: 'The session that was ended.' })
  readonly sessionId!: string | null;
}

const SessionEndInput = inputType('SessionEndInput', 'The session to end.', {
  sessionId: [ID, 'The session: `sessionId` in `mySessions`.'],
});
type SessionEndInput = InstanceType<typeof SessionEndInput>;

const SessionPayload = payloadType(
  'SessionPayload',
  'session',
  SessionType,
  'A session that was ended.',
);

@InputType({ description: 'The user whose sessions to end.' })
class UserSessionsEndInput extends IdInput {}

@Resolver(() => SessionType)
export class SessionResolver {
  @Query(() => [SessionType], {
    description: 'Sessions of the signed-in user, newest first. Default: 20.',
  })
  @Needs(sessionPolicy.readOwn)
  mySessions(
    @Arg('first', () => Int, { nullable: true, description: 'Maximum number.' })
    first: number | null,
    @Ctx() { actor, services, defaultPage }: GraphqlContext,
  ): Promise<Session[]> {
    return services.sessions.ofUser(actor.userId, first ?? defaultPage);
  }

  @FieldResolver(() => Boolean, { description: 'Whether it is the session of this request.' })
  current(@Root() session: Session, @Ctx() { authentication }: GraphqlContext): boolean {
    return authentication.state === 'signed-in' && authentication.actor.sessionId === session.id;
  }

  @Mutation(() => LoginPayload, {
    description: 'Signs in. Errors: CREDENTIALS_WRONG, TOO_MANY_ATTEMPTS.',
  })
  @ServedOnFullDisk()
  @Needs('public')
  async login(@Arg('input') input: LoginInput, @Ctx() context: GraphqlContext) {
    const { result, userErrors } = await payload('result', () =>
      context.services.login.login(input, context.origin),
    );
    const nothing = { user: null, token: null, session: null, challenge: null, userErrors };
    if (result && 'challengeId' in result) return { ...nothing, challenge: result };
    if (result) context.setHeader('Authorization', `Bearer ${result.token}`);
    return { ...nothing, ...result };
  }

  @Mutation(() => LogoutPayload, {
    description:
      'Signs out: ends the session of this request, or another session of the signed-in user.',
  })
  @ServedOnFullDisk()
  @Needs(sessionPolicy.logout)
  logout(
    @Arg('input', () => LogoutInput, {
      nullable: true,
      description: 'The session. Default: the session of this request.',
    })
    input: LogoutInput | null | undefined,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('sessionId', () =>
      services.sessions.logout(actor, input?.sessionId ?? undefined),
    );
  }

  @Mutation(() => SessionPayload, {
    description: 'Ends a session of the signed-in user or, with USER:UPDATE, of any user.',
  })
  @ServedOnFullDisk()
  @Needs(sessionPolicy.endOne)
  sessionEnd(@Arg('input') input: SessionEndInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('session', () => services.sessions.end(actor, input.sessionId));
  }

  @Mutation(() => UserPayload, {
    description: 'Ends all sessions of the signed-in user or, with USER:UPDATE, of any user.',
  })
  @ServedOnFullDisk()
  @Needs(sessionPolicy.endAll)
  userSessionsEnd(
    @Arg('input') input: UserSessionsEndInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) => services.sessions.endAllOf(actor, ids.read('User', input.id)));
  }

  @Subscription(() => SessionEventType, {
    description: 'Notifies that the own session has ended. Then the socket closes.',
    subscribe: events<SessionEnded>(
      SESSION_ENDED,
      ({ sessionId }, { context }) =>
        context.authentication.state === 'signed-in' &&
        context.authentication.actor.sessionId === sessionId,
    ),
  })
  @Needs('authenticated')
  @SurvivesSessionEnd()
  sessionEvents(@Root() { sessionId, reason, at }: SessionEnded): SessionEventType {
    return { kind: 'FORCE_LOGOUT', sessionId, reason, at };
  }
}

const ORDERS = { CREATED_AT: 'createdAt', LAST_ACCESSED: 'lastAccessed' } as const;

@Resolver(() => UserType)
export class SessionsOfUserResolver {
  @FieldResolver(() => SessionConnection, {
    nullable: true,
    description:
      'Active sessions of the user; null, with the error FORBIDDEN, without permission to see them.',
  })
  @Needs(sessionPolicy.read, (_args, user) => (user as User).id)
  sessions(
    @Root() { id }: User,
    @Args() args: SessionsArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<Session>> {
    const { orderBy, ...page } = args;
    const order = toOrder(orderBy, ORDERS, { field: 'createdAt', direction: 'desc' });
    return nestedPage(context, 'sessionsOfUsers', id, args, (ids) =>
      context.services.sessions.pagesOfUsers(ids, page, order),
    );
  }
}
