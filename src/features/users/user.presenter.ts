import type { z } from 'zod';
import type { DirectoryService } from '../groups/directory.service';
import { fileUrl, presentGroup, presentGroupOfCreatedUser } from '../groups/group.presenter';
import type { CreatedUserBody, DetailBody, UserBody } from './user.schema';
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

/** Spec 2.1, as the list, the single record and the login have it. */
export function presentUser(user: User, directory: DirectoryService, baseUrl: string): z.output<typeof UserBody> {
  const group = directory.group(user.groupId);
  return { enhanceId: user.id, email: user.email, userGroup: group ? [presentGroup(group, baseUrl)] : [], userDetail: presentDetail(user, baseUrl) };
}

/** Spec 4.1: the answer to a creation. */
export function presentCreatedUser(user: User, directory: DirectoryService, baseUrl: string): z.output<typeof CreatedUserBody> {
  const group = directory.group(user.groupId);
  return { enhanceId: user.id, email: user.email, userGroup: group ? [presentGroupOfCreatedUser(group, baseUrl)] : [], userDetail: presentDetail(user, baseUrl) };
}
