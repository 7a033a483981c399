import { z } from 'zod';
import type { Need } from '../../platform/access/need';
import type { Origin, Services } from '../../platform/context';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId, AnswerMoment } from '../../platform/http/scalars';
import type { DirectoryService } from '../groups/directory.service';
import {
  ComponentBody,
  fileUrl,
  GroupBody,
  presentGroup,
  presentReleasedGroup,
  presentGroupOfCreatedUser,
  ReleasedGroupBody,
} from '../groups/group.presenter';
import { userPolicy } from './user.policy';
import type { User } from './user.service';

/** What is shown with users. */
interface UserContext {
  readonly directory: DirectoryService;
  readonly baseUrl: string;
  /** Returns those of the users, by default of all, who have a second factor. */
  readonly withSecondFactor: (userIds?: readonly number[]) => Promise<ReadonlySet<number>>;
}

/** REST representations of users. The string is the base URL of the request. */
interface UserPresenters {
  readonly one: Presenter<[User, UserContext]>;
  /** The response to a creation. */
  readonly created: Presenter<[User, UserContext]>;
  readonly detail: Presenter<[User, string]>;
  readonly list: Presenter<[AsyncIterable<User>, UserContext]>;
  /**
   * Who may read a user, and change one at once. Without USER:UPDATE only the details are changed.
   */
  readonly needs: Readonly<Record<'read' | 'update', Need>>;
}

/** The address of a user over REST. */
export const addressOf = ({ id }: Pick<User, 'id'>, baseUrl: string): string =>
  `${baseUrl}/api/user/${id}`;

export const userContext = (
  { directory, secondFactorRecords }: Pick<Services, 'directory' | 'secondFactorRecords'>,
  { baseUrl }: Pick<Origin, 'baseUrl'>,
): UserContext => ({
  directory,
  baseUrl,
  withSecondFactor: (userIds) => secondFactorRecords.enabledFor(userIds),
});

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

/** The documented bodies have no such field: only disabled users have it. */
const DisabledAt = z.string().optional().meta({
  format: 'date-time',
  description: 'When the user was disabled. Missing if they are not.',
});

const presentState = ({ disabledAt }: User): { readonly disabledAt?: string } =>
  disabledAt === null ? {} : { disabledAt: disabledAt.toISOString() };

/** Spec 2.1. */
const UserBody = z
  .object({
    enhanceId: AnswerId,
    email: z.string(),
    userGroup: z.array(GroupBody),
    userDetail: DetailBody,
    disabledAt: DisabledAt,
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
  ...presentState(user),
});

/** Spec 2.1, as the single record and the login have it. */
function presentUser(user: User, { directory, baseUrl }: UserContext) {
  const group = directory.group(user.groupId);
  return presentWith(user, group ? [presentGroup(group, baseUrl)] : [], baseUrl);
}

/** Spec 4.1: the response to a creation. */
function presentCreatedUser(user: User, { directory, baseUrl }: UserContext) {
  const group = directory.group(user.groupId);
  return presentWith(user, group ? [presentGroupOfCreatedUser(group, baseUrl)] : [], baseUrl);
}

/** Spec 2.6, streamed. Each group is presented once. */
function presentUserList(users: AsyncIterable<User>, { directory, baseUrl }: UserContext) {
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
  needs: userPolicy,
};

const ReleasedDetail = z
  .object({
    name: text,
    surname: text,
    userTitle: text,
    phoneNumber: text,
    department: text,
    organization: text,
    profilePicture: DetailBody.shape.profilePicture,
    appTour: z.boolean(),
    theme: text,
    themeSync: z.boolean(),
    lang: z.enum(['en', 'de']),
    bitbucketUser: text,
    requestTime: AnswerMoment.nullable(),
  })
  .meta({ id: 'ReleasedUserDetail' });

const ReleasedUser = z
  .object({
    userId: AnswerId,
    email: z.string(),
    username: z.null(),
    totpEnabled: z
      .boolean()
      .meta({ description: 'Whether a second factor is set up or required.' }),
    userGroup: ReleasedGroupBody,
    userDetail: ReleasedDetail,
    disabledAt: DisabledAt,
  })
  .meta({ id: 'ReleasedUser' });

function presentReleasedDetail(
  { detail, picture }: User,
  baseUrl: string,
): z.output<typeof ReleasedDetail> {
  const { salutation, organisation, requestTime, ...same } = detail;
  return {
    name: same.name,
    surname: same.surname,
    userTitle: salutation,
    phoneNumber: same.phoneNumber,
    department: same.department,
    organization: organisation,
    profilePicture: fileUrl(picture, baseUrl),
    appTour: same.appTour,
    theme: same.theme,
    themeSync: same.themeSync,
    lang: same.lang,
    bitbucketUser: same.bitbucketUser,
    requestTime: requestTime && requestTime.getTime(),
  };
}

/** The clients fail on a user without a group, which a group that was just deleted may cause. */
const noGroup = (groupId: number): z.output<typeof ReleasedGroupBody> => ({
  groupId,
  name: '',
  description: '',
  icon: null,
  components: [],
});

function presentReleased(
  user: User,
  { directory, baseUrl }: UserContext,
  secondFactors: ReadonlySet<number>,
): z.output<typeof ReleasedUser> {
  const group = directory.group(user.groupId);
  return {
    userId: user.id,
    email: user.email,
    username: null,
    totpEnabled: secondFactors.has(user.id),
    userGroup: group ? presentReleasedGroup(group, baseUrl) : noGroup(user.groupId),
    userDetail: presentReleasedDetail(user, baseUrl),
    ...presentState(user),
  };
}

async function presentReleasedUser(user: User, context: UserContext) {
  return presentReleased(user, context, await context.withSecondFactor([user.id]));
}

async function* presentReleasedUsers(users: AsyncIterable<User>, context: UserContext) {
  const secondFactors = await context.withSecondFactor();
  for await (const user of users) yield presentReleased(user, context, secondFactors);
}

export const releasedUsers: UserPresenters = {
  one: presenter(ReleasedUser, presentReleasedUser),
  created: presenter(ReleasedUser, presentReleasedUser),
  detail: presenter(ReleasedDetail, presentReleasedDetail),
  list: presenter(ReleasedUser.array(), presentReleasedUsers),
  // The 5.x client signs out who cannot read themselves, and saves a profile with the whole user.
  needs: {
    read: { own: 'authenticated', others: 'USER:READ' },
    update: userPolicy.changeDetail,
  },
};
