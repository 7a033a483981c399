import type { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import type { DirectoryService } from '../groups/directory.service';
import { fileUrl, presentGroup, presentGroupOfCreatedUser } from '../groups/group.presenter';
import { CreatedUserBody, DetailBody, UserBody, UserList } from './user.schema';
import type { User } from './user.service';

/** REST representations of users. The string is the base URL of the request. */
export interface UserPresenters {
  readonly one: Presenter<[User, DirectoryService, string]>;
  /** The answer to a creation. */
  readonly created: Presenter<[User, DirectoryService, string]>;
  readonly detail: Presenter<[User, string]>;
  readonly list: Presenter<[AsyncIterable<User>, DirectoryService, string]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly users: UserPresenters;
  }
}

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

/** Spec 2.1, as the single record and the login have it. */
function presentUser(
  user: User,
  directory: DirectoryService,
  baseUrl: string,
): z.output<typeof UserBody> {
  const group = directory.group(user.groupId);
  return {
    enhanceId: user.id,
    email: user.email,
    userGroup: group ? [presentGroup(group, baseUrl)] : [],
    userDetail: presentDetail(user, baseUrl),
  };
}

type UserOfList = z.output<typeof UserList>['_embedded']['userResources'][number];

async function* presented<T, R>(
  records: AsyncIterable<T>,
  present: (record: T) => R,
): AsyncGenerator<R, void, void> {
  for await (const record of records) yield present(record);
}

/** Spec 2.6, streamed. Each group is presented once. */
function presentUserList(
  users: AsyncIterable<User>,
  directory: DirectoryService,
  baseUrl: string,
): { _embedded: { userResources: AsyncIterable<UserOfList> } } {
  const groups = new Map(
    [...directory.current().groups.values()].map((group) => [
      group.id,
      [presentGroup(group, baseUrl)],
    ]),
  );
  const present = (user: User): UserOfList => ({
    enhanceId: user.id,
    email: user.email,
    userGroup: groups.get(user.groupId) ?? [],
    userDetail: presentDetail(user, baseUrl),
  });
  return { _embedded: { userResources: presented(users, present) } };
}

/** Spec 4.1: the answer to a creation. */
function presentCreatedUser(
  user: User,
  directory: DirectoryService,
  baseUrl: string,
): z.output<typeof CreatedUserBody> {
  const group = directory.group(user.groupId);
  return {
    enhanceId: user.id,
    email: user.email,
    userGroup: group ? [presentGroupOfCreatedUser(group, baseUrl)] : [],
    userDetail: presentDetail(user, baseUrl),
  };
}

export const documentedUsers: UserPresenters = {
  one: presenter(UserBody, presentUser),
  created: presenter(CreatedUserBody, presentCreatedUser),
  detail: presenter(DetailBody, presentDetail),
  list: presenter(UserList, presentUserList),
};
