import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/schema/needs';
import { payload } from '../../platform/graphql/schema/payload';
import { UserPayload } from '../users/user.types';
import { changeOwnPassword } from './password-reset.policy';
import { IN_PASSWORDS } from './password-reset.rest';
import {
  OwnPasswordChangeInput,
  PasswordForgottenInput,
  PasswordForgottenPayload,
  PasswordResetInput,
  PasswordResetPayload,
} from './password-reset.types';

@Resolver()
export class PasswordResetResolver {
  @Mutation(() => PasswordForgottenPayload, {
    description:
      'Mails a link to set a new password. The result is the same whether there is such a user or not.',
  })
  @Needs('public')
  async passwordForgotten(
    @Arg('input', () => PasswordForgottenInput, { description: 'The user.' })
    { email }: PasswordForgottenInput,
    @Ctx() { origin, services }: GraphqlContext,
  ) {
    const { accepted, userErrors } = await payload('accepted', async () => {
      await services.passwordReset.request(email, origin);
      return true;
    });
    return { accepted: accepted ?? false, userErrors };
  }

  @Mutation(() => PasswordResetPayload, {
    description: 'Sets a new password with a mailed link. Ends all sessions of the user.',
  })
  @Needs('public')
  async passwordReset(
    @Arg('input', () => PasswordResetInput, { description: 'Link and password.' })
    { token, ...password }: PasswordResetInput,
    @Ctx() { origin, services }: GraphqlContext,
  ) {
    const { done, userErrors } = await payload(
      'done',
      async () => {
        await services.passwordReset.reset(token, password, origin);
        return true;
      },
      IN_PASSWORDS,
    );
    return { done: done ?? false, userErrors };
  }

  @Mutation(() => UserPayload, {
    description:
      'Changes the password of the signed-in user. Ends their other sessions. Not possible with an API token.',
  })
  @Needs(changeOwnPassword)
  ownPasswordChange(
    @Arg('input', () => OwnPasswordChangeInput, { description: 'The passwords.' })
    { currentPassword, ...password }: OwnPasswordChangeInput,
    @Ctx() { actor, origin, services }: GraphqlContext,
  ) {
    return payload(
      'user',
      () => services.userPasswords.changeOwn(actor, currentPassword, password, origin.network),
      IN_PASSWORDS,
    );
  }
}
