import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { payload } from '../../platform/graphql/schema/payload';
import type { User } from '../users/user.service';
import { UserPayload, UserType } from '../users/user.types';
import { secondFactorPolicy } from './second-factor.policy';
import type { SecondFactorState } from './second-factor-records';
import {
  LoginConfirmInput,
  LoginConfirmPayload,
  RecoveryCodesPayload,
  SecondFactorBeginInput,
  SecondFactorBeginPayload,
  SecondFactorCodeInput,
  SecondFactorStateEnum,
  UserSecondFactorInput,
} from './second-factor.types';

@Resolver()
export class SecondFactorResolver {
  @Query(() => Boolean, { description: 'Whether the group of the user needs a second factor.' })
  @Needs(secondFactorPolicy.readOwn)
  secondFactorRequired(@Ctx() { actor, services }: GraphqlContext): boolean {
    return services.secondFactors.isRequired(actor);
  }

  @Mutation(() => LoginConfirmPayload, {
    description:
      'Completes a login with a code. Errors: SECOND_FACTOR_INVALID, LOGIN_ENDED, TOO_MANY_ATTEMPTS.',
  })
  @ServedOnFullDisk()
  @Needs('public')
  async loginConfirm(
    @Arg('input', () => LoginConfirmInput, { description: 'The challenge and the code.' })
    { challengeId, code }: LoginConfirmInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { signedIn, userErrors } = await payload('signedIn', () =>
      context.services.secondFactorLogin.complete(challengeId, code, context.origin),
    );
    if (signedIn) context.setHeader('Authorization', `Bearer ${signedIn.token}`);
    return { user: null, token: null, session: null, recoveryCodes: null, ...signedIn, userErrors };
  }

  @Mutation(() => SecondFactorBeginPayload, {
    description: 'Creates a secret for an authenticator app of the signed-in user.',
  })
  @Needs(secondFactorPolicy.changeOwn)
  secondFactorBegin(
    @Arg('input', () => SecondFactorBeginInput, { description: 'The present password.' })
    { password }: SecondFactorBeginInput,
    @Ctx() { actor, origin, services }: GraphqlContext,
  ) {
    return payload('enrolment', () =>
      services.secondFactors.begin(actor, password, origin.network),
    );
  }

  @Mutation(() => RecoveryCodesPayload, {
    description: 'Turns the second factor on with a first code of the app.',
  })
  @Needs(secondFactorPolicy.changeOwn)
  secondFactorConfirm(
    @Arg('input', () => SecondFactorCodeInput, { description: 'A code of the app.' })
    { code }: SecondFactorCodeInput,
    @Ctx() { actor, origin, services }: GraphqlContext,
  ) {
    return payload('recoveryCodes', () =>
      services.secondFactors.confirm(actor, code, origin.network),
    );
  }

  @Mutation(() => RecoveryCodesPayload, {
    description: 'Replaces the recovery codes of the signed-in user.',
  })
  @Needs(secondFactorPolicy.changeOwn)
  recoveryCodesRenew(
    @Arg('input', () => SecondFactorCodeInput, { description: 'A code.' })
    { code }: SecondFactorCodeInput,
    @Ctx() { actor, origin, services }: GraphqlContext,
  ) {
    return payload('recoveryCodes', () =>
      services.secondFactors.renewRecoveryCodes(actor, code, origin.network),
    );
  }

  @Mutation(() => UserPayload, {
    description: 'Removes the second factor of the signed-in user.',
  })
  @Needs(secondFactorPolicy.changeOwn)
  secondFactorDisable(
    @Arg('input', () => SecondFactorCodeInput, { description: 'A code.' })
    { code }: SecondFactorCodeInput,
    @Ctx() { actor, origin, services }: GraphqlContext,
  ) {
    return payload('user', async () => {
      await services.secondFactors.disable(actor, code, origin.network);
      return services.userRecords.get(actor.userId);
    });
  }

  @Mutation(() => UserPayload, {
    description:
      'Makes another user set up a new authenticator app at the next login, and ends their sessions.',
  })
  @Needs(secondFactorPolicy.changeOthers)
  userSecondFactorRequire(
    @Arg('input', () => UserSecondFactorInput, { description: 'The user.' })
    { id }: UserSecondFactorInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.secondFactors.changeOther(actor, ids.read('User', id), 'enable'),
    );
  }

  @Mutation(() => UserPayload, {
    description: 'Removes the second factor of another user, such as of a lost telephone.',
  })
  @Needs(secondFactorPolicy.changeOthers)
  userSecondFactorReset(
    @Arg('input', () => UserSecondFactorInput, { description: 'The user.' })
    { id }: UserSecondFactorInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.secondFactors.changeOther(actor, ids.read('User', id), 'disable'),
    );
  }
}

@Resolver(() => UserType)
export class SecondFactorOfUserResolver {
  @FieldResolver(() => SecondFactorStateEnum, {
    nullable: true,
    description:
      'Whether the user has a second factor; null, with the error FORBIDDEN, without permission to see it.',
  })
  @Needs(secondFactorPolicy.read, (_args, user) => (user as User).id)
  async secondFactor(
    @Root() user: User,
    @Ctx() context: GraphqlContext,
  ): Promise<SecondFactorState | null> {
    const { secondFactorRecords, secondFactors } = context.services;
    const state = await context
      .loader<number, SecondFactorState>('secondFactorsOfUsers', (ids) =>
        secondFactorRecords.states(ids),
      )
      .load(user.id);
    return state && secondFactors.stateOf(user, state);
  }
}
