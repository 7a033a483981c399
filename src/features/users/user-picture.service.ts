import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { Forbidden } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import type { ExpectedVersion } from '../../platform/store/records';
import { userPolicy } from './user.policy';
import type { User, UserService } from './user.service';

declare module '../../platform/context' {
  interface Services {
    pictures: PictureService;
  }
}

export type PictureService = ReturnType<typeof createPictureService>;

/** Profile pictures: an uploaded file, and its name in the user record. */
export function createPictureService({ users, uploads }: { users: UserService; uploads: Uploads }) {
  const service = {
    uploads,

    /**
     * Sets the picture. The old file is deleted after the commit.
     * @throws NotFound USER_NOT_EXIST
     * @throws Refused WRONG_FORMAT
     * @throws Conflict CONFLICT if the version is not the expected one
     */
    async set(
      actor: Actor,
      id: number,
      bytes: Buffer,
      expectedVersion?: ExpectedVersion,
    ): Promise<User> {
      const found = new Findings();
      await found.of(() => users.get(id));
      await found.of(() => uploads.requireImage(bytes));
      found.refuse();
      const picture = await uploads.save(bytes);
      try {
        return await users.setPicture(actor, id, picture, expectedVersion);
      } catch (error) {
        await uploads.discard(picture);
        throw error;
      }
    },

    /**
     * Sets the picture of the user with this e-mail. The permission is checked here because the
     * user is known only after the lookup.
     * @throws NotFound USER_NOT_EXIST
     * @throws Forbidden if it is another user whom the actor may not change
     */
    async setByEmail(
      actor: Actor,
      email: string,
      bytes: Buffer,
      expectedVersion?: ExpectedVersion,
    ): Promise<User> {
      const mayChangeAnybody = allows(userPolicy.changePicture, actor);
      const isOwn = users.accountName(email) === users.accountName(actor.email);
      if (!mayChangeAnybody && !(isOwn && allows(userPolicy.changePicture, actor, actor.userId)))
        throw new Forbidden();
      const { id } = await users.getByEmail(email);
      if (!allows(userPolicy.changePicture, actor, id)) throw new Forbidden();
      return service.set(actor, id, bytes, expectedVersion);
    },

    /**
     * @throws NotFound USER_NOT_EXIST
     * @throws Conflict CONFLICT if the version is not the expected one
     */
    async remove(actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<User> {
      return users.setPicture(actor, id, null, expectedVersion);
    },
  };
  return service;
}
