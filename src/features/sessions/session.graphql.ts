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
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs, OutlivesSession } from '../../platform/graphql/needs';
import { nestedPage, toOrder } from '../../platform/graphql/connection';
import { payload } from '../../platform/graphql/payload';
import { events } from '../../platform/graphql/subscriptions';
import type { Page } from '../../platform/store/page';
import type { User } from '../users/user.service';
import { UserPayload, UserType } from '../users/user.types';
import { SESSION_ENDED } from '../../platform/events/session-ended';
import type { SessionEnded } from '../../platform/events/session-ended';
import { sessionPolicy } from './session.policy';
import type { Session } from './session.service';
import {
  LoginInput,
  LoginPayload,
  LogoutInput,
  LogoutPayload,
  SessionConnection,
  SessionEndInput,
  SessionEventType,
  SessionPayload,
  SessionsArgs,
  SessionType,
  UserSessionsEndInput,
} from './session.types';

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
    description:
      'Signs in. Errors: UNAUTHENTICATED for a wrong e-mail or password, RATE_LIMITED after too many failures.',
  })
  @Needs('public')
  async login(
    @Arg('input', () => LoginInput, { description: 'E-mail and password.' })
    input: LoginInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { signedIn, userErrors } = await payload('signedIn', () =>
      context.services.login.login(input, context.origin),
    );
    if (signedIn) context.setHeader('Authorization', `Bearer ${signedIn.token}`);
    return { user: null, token: null, session: null, ...signedIn, userErrors };
  }

  @Mutation(() => LogoutPayload, {
    description:
      'Signs out: ends the session of this request, or another session of the signed-in user.',
  })
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
  @Needs(sessionPolicy.endOne)
  sessionEnd(
    @Arg('input', () => SessionEndInput, { description: 'The session.' })
    input: SessionEndInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('session', () => services.sessions.end(actor, input.sessionId));
  }

  @Mutation(() => UserPayload, {
    description: 'Ends all sessions of the signed-in user or, with USER:UPDATE, of any user.',
  })
  @Needs(sessionPolicy.endAll)
  userSessionsEnd(
    @Arg('input', () => UserSessionsEndInput, { description: 'The user.' })
    input: UserSessionsEndInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) => services.sessions.endAllOf(actor, ids.read('User', input.id)));
  }

  @Subscription(() => SessionEventType, {
    description: 'Notifies that the own session has ended. Then the socket closes.',
    subscribe: events<SessionEnded>(SESSION_ENDED, {
      accepts: ({ sessionId }, { context }) =>
        context.authentication.state === 'signed-in' &&
        context.authentication.actor.sessionId === sessionId,
    }),
  })
  @Needs('authenticated')
  @OutlivesSession()
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
