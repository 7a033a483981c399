import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { listPayload, payload } from '../../platform/graphql/schema/payload';
import { readUpload } from '../../platform/graphql/schema/upload';
import {
  UserCreateInput,
  UserDetailChangeInput,
  UserGroupChangeInput,
  UserIdInput,
  UserIdsInput,
  UserInviteAgainInput,
  UserInviteInput,
  UserPasswordChangeInput,
  UserPictureUploadInput,
  UserUpdateInput,
} from './user.inputs';
import type { UserDetailInput } from './user.inputs';
import { userPolicy, usersPolicy } from './user.policy';
import { confirmationOf } from './user.schema';
import type { DetailChange } from './user.rules';
import { UserPayload, UsersPayload } from './user.types';

/** Null clears a text; for a required value it means no change. */
const detailChange = ({ appTour, themeSync, lang, ...texts }: UserDetailInput): DetailChange => ({
  ...texts,
  appTour: appTour ?? undefined,
  themeSync: themeSync ?? undefined,
  lang: lang ?? undefined,
});

@Resolver()
export class UserChangesResolver {
  @Mutation(() => UserPayload, { description: 'Creates a user.' })
  @Needs(usersPolicy.create)
  userCreate(@Arg('input') input: UserCreateInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('user', (ids) =>
      services.users.create(actor, {
        email: input.email,
        password: input.password,
        groupId: ids.read('UserGroup', input.groupId, ['groupId']),
        detail: detailChange(input.detail ?? {}),
      }),
    );
  }

  @Mutation(() => UserPayload, {
    description:
      'Changes e-mail, password, group and details at once. Your own e-mail needs `currentPassword`. Your own password is changed with `ownPasswordChange`.',
  })
  @Needs(userPolicy.update)
  userUpdate(
    @Arg('input') input: UserUpdateInput,
    @Ctx() { actor, origin, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.users.update(
        actor,
        ids.read('User', input.id),
        {
          email: input.email ?? undefined,
          password: input.password ?? undefined,
          groupId:
            input.groupId == null ? undefined : ids.read('UserGroup', input.groupId, ['groupId']),
          detail: detailChange(input.detail ?? {}),
        },
        input.expectedVersion,
        { ...confirmationOf(input, origin), isForEmail: true },
      ),
    );
  }

  @Mutation(() => UserPayload, {
    description:
      'Sets a new password of another user and ends all their sessions. For your own, use `ownPasswordChange`.',
  })
  @Needs(userPolicy.changePassword)
  userPasswordChange(
    @Arg('input') input: UserPasswordChangeInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.userPasswords.set(
        actor,
        ids.read('User', input.id),
        input.password,
        input.expectedVersion,
      ),
    );
  }

  @Mutation(() => UserPayload, {
    description:
      'Removes the local password of another user, so that the LDAP directory checks their password. Ends their sessions.',
  })
  @Needs(userPolicy.removePassword)
  userPasswordRemove(
    @Arg('input', () => UserIdInput, { description: 'The user.' }) input: UserIdInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.userPasswords.remove(actor, ids.read('User', input.id), input.expectedVersion),
    );
  }

  @Mutation(() => UserPayload, { description: 'Changes the details of a user.' })
  @Needs(userPolicy.changeDetail)
  userDetailChange(
    @Arg('input') input: UserDetailChangeInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.users.changeDetail(
        actor,
        ids.read('User', input.id),
        detailChange(input.detail),
        input.expectedVersion,
      ),
    );
  }

  @Mutation(() => UserPayload, {
    description: 'Moves a user to another group. Their rights change with their next request.',
  })
  @Needs(userPolicy.changeGroup)
  userGroupChange(
    @Arg('input') input: UserGroupChangeInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.users.changeGroup(
        actor,
        ids.read('User', input.id),
        ids.read('UserGroup', input.groupId, ['groupId']),
        input.expectedVersion,
      ),
    );
  }

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

  @Mutation(() => UserPayload, {
    description:
      'Disables a user: they cannot sign in. Ends their sessions, and deletes their API tokens and webhooks; their schedules go on.',
  })
  @Needs(userPolicy.disable)
  userDisable(
    @Arg('input', () => UserIdInput, { description: 'The user.' }) input: UserIdInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.userStates.disable(actor, ids.read('User', input.id), input.expectedVersion),
    );
  }

  @Mutation(() => UserPayload, {
    description:
      'Lets a disabled user sign in again. Their API tokens and webhooks do not come back. Not possible with an API token.',
  })
  @Needs(userPolicy.disable)
  userEnable(
    @Arg('input', () => UserIdInput, { description: 'The user.' }) input: UserIdInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', (ids) =>
      services.userStates.enable(actor, ids.read('User', input.id), input.expectedVersion),
    );
  }

  @Mutation(() => UserPayload, { description: 'Deletes a user and ends their sessions.' })
  @ServedOnFullDisk()
  @Needs(userPolicy.delete)
  userDelete(@Arg('input') input: UserIdInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('user', (ids) =>
      services.userDeletion.remove(actor, ids.read('User', input.id), input.expectedVersion),
    );
  }

  @Mutation(() => UsersPayload, {
    description: 'Deletes users, all or none, and ends their sessions.',
  })
  @ServedOnFullDisk()
  @Needs(usersPolicy.delete)
  usersDelete(@Arg('input') input: UserIdsInput, @Ctx() { actor, services }: GraphqlContext) {
    return listPayload('users', 'User', (ids) =>
      services.userDeletion.removeAll(actor, ids.readAll('User', input.ids)),
    );
  }

  @Mutation(() => UserPayload, { description: 'Sets the profile picture of a user.' })
  @Needs(userPolicy.changePicture)
  userPictureUpload(
    @Arg('input') input: UserPictureUploadInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('user', async (ids) => {
      const userId = ids.read('User', input.id);
      const { bytes } = await readUpload(input.file, services.pictures.uploads.limit);
      return services.pictures.set(actor, userId, bytes, input.expectedVersion);
    });
  }

  @Mutation(() => UserPayload, { description: 'Removes the profile picture of a user.' })
  @ServedOnFullDisk()
  @Needs(userPolicy.changePicture)
  userPictureRemove(@Arg('input') input: UserIdInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('user', (ids) =>
      services.users.setPicture(actor, ids.read('User', input.id), null, input.expectedVersion),
    );
  }
}
