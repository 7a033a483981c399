import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId } from '../../platform/http/scalars';
import type { DirectoryService } from '../groups/directory.service';
import {
  ComponentBody,
  fileUrl,
  GroupBody,
  presentGroup,
  presentGroupOfCreatedUser,
} from '../groups/group.presenter';
import type { User } from './user.service';

/** REST representations of users. The string is the base URL of the request. */
interface UserPresenters {
  readonly one: Presenter<[User, DirectoryService, string]>;
  /** The response to a creation. */
  readonly created: Presenter<[User, DirectoryService, string]>;
  readonly detail: Presenter<[User, string]>;
  readonly list: Presenter<[AsyncIterable<User>, DirectoryService, string]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly users: UserPresenters;
  }
}

const text = z.string().nullable();

/** Spec 2.2. */
const DetailBody = z
  .object({
    enhanceId: AnswerId,
    name: text,
    surname: text,
    phoneNumber: text,
    department: text,
    organisation: text,
    salutation: text,
    profilePicture: z
      .string()
      .meta({ format: 'uri', description: 'URL of the picture.' })
      .nullable(),
    requestTime: z
      .string()
      .meta({
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}\\+0000$',
        description: 'yyyy-MM-ddTHH:mm:ss.SSS+0000',
      })
      .nullable(),
  })
  .meta({ id: 'UserDetail' });

/** Spec 2.1. */
const UserBody = z
  .object({
    enhanceId: AnswerId,
    email: z.string(),
    userGroup: z.array(GroupBody),
    userDetail: DetailBody,
  })
  .meta({ id: 'User' });

/** Spec 4.1: the group of a created user calls its name `role`. */
const CreatedUserBody = UserBody.extend({
  userGroup: z.array(
    GroupBody.omit({ name: true }).extend({ role: z.string(), components: z.array(ComponentBody) }),
  ),
}).meta({ id: 'CreatedUser' });

const UserList = z
  .object({ _embedded: z.object({ userResources: z.array(UserBody) }) })
  .meta({ id: 'UserList' });

/** `yyyy-MM-ddTHH:mm:ss.SSS+0000`. */
const documentedTime = (time: Date | null): string | null =>
  time && time.toISOString().replace('Z', '+0000');

/** Spec 2.2. */
function presentDetail(
  { id, detail, picture }: User,
  baseUrl: string,
): z.output<typeof DetailBody> {
  const { name, surname, phoneNumber, department, organisation, salutation, requestTime } = detail;
  return {
    enhanceId: id,
    name,
    surname,
    phoneNumber,
    department,
    organisation,
    salutation,
    profilePicture: fileUrl(picture, baseUrl),
    requestTime: documentedTime(requestTime),
  };
}

const presentWith = <G>(user: User, userGroup: G[], baseUrl: string) => ({
  enhanceId: user.id,
  email: user.email,
  userGroup,
  userDetail: presentDetail(user, baseUrl),
});

/** Spec 2.1, as the single record and the login have it. */
function presentUser(user: User, directory: DirectoryService, baseUrl: string) {
  const group = directory.group(user.groupId);
  return presentWith(user, group ? [presentGroup(group, baseUrl)] : [], baseUrl);
}

/** Spec 4.1: the response to a creation. */
function presentCreatedUser(user: User, directory: DirectoryService, baseUrl: string) {
  const group = directory.group(user.groupId);
  return presentWith(user, group ? [presentGroupOfCreatedUser(group, baseUrl)] : [], baseUrl);
}

/** Spec 2.6, streamed. Each group is presented once. */
function presentUserList(users: AsyncIterable<User>, directory: DirectoryService, baseUrl: string) {
  const groups = new Map(
    [...directory.current().groups].map(([id, group]) => [id, [presentGroup(group, baseUrl)]]),
  );
  async function* present() {
    for await (const user of users)
      yield presentWith(user, groups.get(user.groupId) ?? [], baseUrl);
  }
  return { _embedded: { userResources: present() } };
}

export const documentedUsers: UserPresenters = {
  one: presenter(UserBody, presentUser),
  created: presenter(CreatedUserBody, presentCreatedUser),
  detail: presenter(DetailBody, presentDetail),
  list: presenter(UserList, presentUserList),
};
