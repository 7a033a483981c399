import {
  Arg,
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
import { payload } from '../../platform/graphql/payload';
import { events } from '../../platform/graphql/subscriptions';
import { UserPayload } from '../users/user.types';
import { SESSION_ENDED } from '../../platform/events/session-ended';
import type { SessionEnded } from '../../platform/events/session-ended';
import { sessionPolicy } from './session.policy';
import type { Session } from './session.service';
import {
  LoginInput,
  LoginPayload,
  LogoutInput,
  LogoutPayload,
  SessionEndInput,
  SessionEventType,
  SessionPayload,
  SessionType,
  UserSessionsEndInput,
} from './session.types';

@Resolver(() => SessionType)
export class SessionResolver {
  @Query(() => [SessionType], {
    description:
      'The youngest sessions of the signed-in user, the youngest first; 20 unless `first` says otherwise.',
  })
  @Needs(sessionPolicy.readOwn)
  mySessions(
    @Arg('first', () => Int, { nullable: true, description: 'How many at most.' })
    first: number | null,
    @Ctx() { actor, services, defaultPage }: GraphqlContext,
  ): Promise<Session[]> {
    return services.sessions.ofUser(actor.userId, first ?? defaultPage);
  }

  @FieldResolver(() => Boolean, { description: 'Is it the session of this request?' })
  current(@Root() session: Session, @Ctx() { authentication }: GraphqlContext): boolean {
    return authentication.state === 'signed-in' && authentication.actor.sessionId === session.id;
  }

  @Mutation(() => LoginPayload, {
    description:
      'Signs in. A wrong e-mail or password is the error UNAUTHENTICATED; too many of them, RATE_LIMITED.',
  })
  @Needs('public')
  async login(
    @Arg('input', () => LoginInput, { description: 'Who signs in, and the password.' })
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
    description: "Signs out: ends the session of this request, or another one of one's own.",
  })
  @Needs(sessionPolicy.logout)
  logout(
    @Arg('input', () => LogoutInput, {
      nullable: true,
      description: 'Which session. Without it: that of this request.',
    })
    input: LogoutInput | null | undefined,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('sessionId', () =>
      services.sessionEndings.logout(actor, input?.sessionId ?? undefined),
    );
  }

  @Mutation(() => SessionPayload, {
    description: "Ends a session: one's own, or anybody's with USER:UPDATE.",
  })
  @Needs(sessionPolicy.endOne)
  sessionEnd(
    @Arg('input', () => SessionEndInput, { description: 'Which session to end.' })
    input: SessionEndInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('session', () => services.sessionEndings.end(actor, input.sessionId));
  }

  @Mutation(() => UserPayload, {
    description: "Ends every session of a user: one's own, or anybody's with USER:UPDATE.",
  })
  @Needs(sessionPolicy.endAll)
  userSessionsEnd(
    @Arg('input', () => UserSessionsEndInput, { description: 'Whose sessions to end.' })
    input: UserSessionsEndInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.sessionEndings.endAllOf(actor, ids.read('User', input.id)),
    );
  }

  @Subscription(() => SessionEventType, {
    description: 'Tells that the own session was ended. The socket closes after it.',
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
