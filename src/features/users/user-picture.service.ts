import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { Forbidden } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import type { ExpectedVersion } from '../../platform/store/records';
import { emailKeyOf } from '../../platform/text/email';
import type { UserRecords } from './user-records';
import { userPolicy } from './user.policy';
import type { User, UserService } from './user.service';

declare module '../../platform/context' {
  interface Services {
    pictures: PictureService;
  }
}

/** Profile pictures: an uploaded file, and its name in the user record. */
export class PictureService {
  constructor(
    private readonly users: UserService,
    private readonly records: UserRecords,
    readonly uploads: Uploads,
  ) {}

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
    const findings = new Findings();
    await findings.of(() => this.records.get(id));
    await findings.of(() => this.uploads.requireImage(bytes));
    findings.refuse();
    return this.uploads.withSaved(bytes, (picture) =>
      this.users.setPicture(actor, id, picture, expectedVersion),
    );
  }

  /**
   * Sets the picture of the user with this e-mail. The permission is checked here because the user
   * is found only after the lookup.
   * @throws NotFound USER_NOT_EXIST
   * @throws Forbidden if it is another user whom the actor may not change
   */
  async setByEmail(
    actor: Actor,
    email: string,
    bytes: Buffer,
    expectedVersion?: ExpectedVersion,
  ): Promise<User> {
    const ownId = emailKeyOf(email) === emailKeyOf(actor.email) ? actor.userId : undefined;
    if (!allows(userPolicy.changePicture, actor, ownId)) throw new Forbidden();
    const { id } = await this.records.getByEmail(email);
    if (!allows(userPolicy.changePicture, actor, id)) throw new Forbidden();
    return this.set(actor, id, bytes, expectedVersion);
  }
}
