import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { Forbidden } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import type { ExpectedVersion } from '../../platform/store/expected-version';
import { userPolicy } from './user.policy';
import type { User, UserService } from './user.service';

declare module '../../platform/context' {
  interface Services {
    pictures: PictureService;
  }
}

export type PictureService = ReturnType<typeof createPictureService>;

/** Profile pictures: a file among the uploads, and its name in the user's record. */
export function createPictureService({ users, uploads }: { users: UserService; uploads: Uploads }) {
  const service = {
    /** The files themselves, for whoever serves them. */
    uploads,

    /**
     * Sets the picture. The old file goes once the new one is in the record.
     * @throws NotFound USER_NOT_EXIST
     * @throws Refused  WRONG_FORMAT
     * @throws Conflict CONFLICT another version than expected
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
     * The same for the user with an e-mail. Whose record it is shows only now, so the right to it is asked for here.
     * @throws NotFound  USER_NOT_EXIST
     * @throws Forbidden neither his own nor allowed to change others
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
     * @throws Conflict CONFLICT another version than expected
     */
    async remove(actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<User> {
      return users.setPicture(actor, id, null, expectedVersion);
    },
  };
  return service;
}
