import type { z } from 'zod';
import type { DirectoryService } from '../groups/directory.service';
import { fileUrl, presentGroup, presentGroupOfCreatedUser } from '../groups/group.presenter';
import type { CreatedUserBody, DetailBody, UserBody, UserList } from './user.schema';
import type { User } from './user.service';

/** `yyyy-MM-ddTHH:mm:ss.SSS+0000`. */
const documentedTime = (time: Date | null): string | null => time && time.toISOString().replace('Z', '+0000');

/** Spec 2.2. */
export function presentDetail({ id, detail, picture }: User, baseUrl: string): z.output<typeof DetailBody> {
  const { name, surname, phoneNumber, department, organisation, salutation, requestTime } = detail;
  return {
    enhanceId: id, name, surname, phoneNumber, department, organisation, salutation,
    profilePicture: fileUrl(picture, baseUrl),
    requestTime: documentedTime(requestTime),
  };
}

/** Spec 2.1, as the single record and the login have it. */
export function presentUser(user: User, directory: DirectoryService, baseUrl: string): z.output<typeof UserBody> {
  const group = directory.group(user.groupId);
  return { enhanceId: user.id, email: user.email, userGroup: group ? [presentGroup(group, baseUrl)] : [], userDetail: presentDetail(user, baseUrl) };
}

/** Spec 2.6. A group is presented once, however many users are in it. */
export function presentUserList(users: readonly User[], directory: DirectoryService, baseUrl: string): z.output<typeof UserList> {
  const groups = new Map([...directory.current().groups.values()].map((group) => [group.id, [presentGroup(group, baseUrl)]]));
  const userResources = users.map((user) =>
    ({ enhanceId: user.id, email: user.email, userGroup: groups.get(user.groupId) ?? [], userDetail: presentDetail(user, baseUrl) }));
  return { _embedded: { userResources } };
}

/** Spec 4.1: the answer to a creation. */
export function presentCreatedUser(user: User, directory: DirectoryService, baseUrl: string): z.output<typeof CreatedUserBody> {
  const group = directory.group(user.groupId);
  return { enhanceId: user.id, email: user.email, userGroup: group ? [presentGroupOfCreatedUser(group, baseUrl)] : [], userDetail: presentDetail(user, baseUrl) };
}
