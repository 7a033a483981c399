import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/schema/needs';
import { payload } from '../../platform/graphql/schema/payload';
import { IdInput } from '../../platform/graphql/schema/record-types';
import { detailChange } from '../users/user-changes.graphql';
import { UserDetailInput } from '../users/user.inputs';
import { userPolicy, usersPolicy } from '../users/user.policy';
import { UserPayload } from '../users/user.types';

@InputType({ description: 'A new user, who sets the password.' })
class UserInviteInput {
  @Field(() => String, { description: 'Gets the mail. Unique without regard to case.' })
  readonly email!: string;

  @Field(() => ID, {
    description:
      'The group: global id or integer. It must not have rights that the signed-in user lacks.',
  })
  readonly groupId!: string;

  @Field(() => UserDetailInput, {
    nullable: true,
    description: 'Personal details; `lang` is the language of the mail.',
  })
  readonly detail?: UserDetailInput | null;
}

@InputType({ description: 'A user who has not signed in yet.' })
class UserInviteAgainInput extends IdInput {}

@Resolver()
export class InvitationResolver {
  @Mutation(() => UserPayload, {
    description:
      'Creates a user and mails them a link to set their password, valid for seven days. Not possible with an API token.',
  })
  @Needs(usersPolicy.create)
  userInvite(
    @Arg('input', () => UserInviteInput, { description: 'The new user.' }) input: UserInviteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.invitations.invite(actor, {
        email: input.email,
        groupId: ids.read('UserGroup', input.groupId, ['groupId']),
        detail: detailChange(input.detail ?? {}),
      }),
    );
  }

  @Mutation(() => UserPayload, {
    description:
      'Mails a new link to a user who has not signed in yet. Earlier links stop working. Not possible with an API token.',
  })
  @Needs(userPolicy.invite)
  userInviteAgain(
    @Arg('input', () => UserInviteAgainInput, { description: 'The user.' })
    input: UserInviteAgainInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.invitations.inviteAgain(actor, ids.read('User', input.id)),
    );
  }
}
