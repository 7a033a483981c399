import { z } from 'zod';
import type { Origin } from '../../platform/context';
import { BadInput } from '../../platform/errors/errors';
import type { PathTable } from '../../platform/errors/findings';
import { BodyId, requiring } from '../../platform/http/scalars';
import type { PasswordConfirmation } from './user-credentials';
import { DETAIL_LENGTHS } from './user.rules';
import type { DetailChange, NewUser } from './user.rules';

const text = z.string().nullish();
/**
 * A text of the details. The service checks its length, in code points as JSON Schema counts them.
 */
const textOf = (field: keyof typeof DETAIL_LENGTHS) =>
  z.string().meta({ maxLength: DETAIL_LENGTHS[field] }).nullish();
const DOCUMENTED_TIME =
  /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/;
const MILLISECONDS = /^\d{1,15}$/;

/** JavaScript parses 31 February as 3 March. */
const isDay = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

/**
 * Parses `yyyy-MM-ddTHH:mm:ss.SSS+0000` or milliseconds since 1970 (text or number). Returns
 * undefined for anything else.
 */
function readRequestTime(value: string | number): Date | undefined {
  const input = String(value).trim();
  return MILLISECONDS.test(input) ? new Date(Number(input)) : readDocumentedTime(input);
}

function readDocumentedTime(text: string): Date | undefined {
  const day = DOCUMENTED_TIME.exec(text)?.[1];
  const time = day === undefined ? NaN : Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return day !== undefined && Number.isFinite(time) && isDay(day) ? new Date(time) : undefined;
}

const RequestTime = z
  .union([z.string(), z.number()])
  .nullish()
  .refine(
    (value) => value == null || value === '' || readRequestTime(value) !== undefined,
    'Expected yyyy-MM-ddTHH:mm:ss.SSS+0000 or milliseconds.',
  );
const Language = z
  .string()
  .nullish()
  .refine(
    (value) => value == null || /^(?:|en|eng|de|deu|ger)$/i.test(value),
    'Expected en or de.',
  );

/**
 * Details in a request, with the field names of both client lines. `profilePicture` is accepted and
 * ignored.
 */
export const DetailInput = z
  .object({
    enhanceId: BodyId.nullish(),
    userId: BodyId.nullish(),
    name: textOf('name'),
    surname: textOf('surname'),
    phoneNumber: textOf('phoneNumber'),
    department: textOf('department'),
    organisation: textOf('organisation'),
    organization: textOf('organisation'),
    salutation: textOf('salutation'),
    userTitle: textOf('salutation'),
    profilePicture: z.unknown().optional(),
    requestTime: RequestTime,
    appTour: z.boolean().nullish(),
    theme: textOf('theme'),
    themeSync: z.boolean().nullish(),
    lang: Language,
    bitbucketUser: textOf('bitbucketUser'),
  })
  .meta({ id: 'UserDetailInput' });

const GroupReference = z.object({ enhanceId: BodyId.nullish(), groupId: BodyId.nullish() });
const GroupInput = z.union([BodyId, GroupReference, z.array(GroupReference).length(1)], {
  error: 'Expected the id of one group.',
});

const UserInput = z
  .object({
    enhanceId: BodyId.nullish(),
    userId: BodyId.nullish(),
    email: text,
    password: text.meta({ description: '8 to 128 characters.', format: 'password' }),
    userGroup: GroupInput.nullish(),
    userDetail: DetailInput.nullish(),
  })
  .meta({ id: 'UserInput' });

const currentPasswordFor = (field: string) =>
  text.meta({
    description: `The current password, to change the own ${field}. Required if \`hypha.password.require-current\` is set.`,
    format: 'password',
  });

export const UserUpdateInput = UserInput.extend({
  currentPassword: currentPasswordFor('e-mail or password'),
}).meta({
  id: 'UserUpdateInput',
});

export const NewUserInput = requiring(UserInput, 'email', 'password', 'userGroup').meta({
  id: 'NewUser',
});

export const InvitedUserInput = requiring(UserInput, 'email', 'userGroup').meta({
  id: 'InvitedUser',
});

/** Names in REST bodies that differ from those of the service. */
export const IN_USER: PathTable = [
  [['groupId'], ['userGroup']],
  [['detail'], ['userDetail']],
];

export const PasswordInput = requiring(
  z.object({
    enhanceId: BodyId.nullish(),
    userId: BodyId.nullish(),
    email: text,
    password: text,
    currentPassword: currentPasswordFor('one'),
  }),
  'password',
).meta({ id: 'PasswordInput' });

export const GroupChangeInput = z
  .object({ enhanceId: BodyId.nullish(), userId: BodyId.nullish(), userGroup: GroupInput })
  .meta({ id: 'UserGroupChange' });

function requestTimeOf(value: string | number | null | undefined): Date | null | undefined {
  if (value == null) return value;
  return value === '' ? null : readRequestTime(value);
}

const either = <T>(first: T | undefined, second: T | undefined): T | undefined =>
  first === undefined ? second : first;

/** The 4.x client names languages by three letters. */
const languageOf = (text: string): 'de' | 'en' => (/^[dg]/i.test(text) ? 'de' : 'en');

export function detailChange(body: z.output<typeof DetailInput>): DetailChange {
  return {
    name: body.name,
    surname: body.surname,
    phoneNumber: body.phoneNumber,
    department: body.department,
    organisation: either(body.organisation, body.organization),
    salutation: either(body.salutation, body.userTitle),
    requestTime: requestTimeOf(body.requestTime),
    appTour: body.appTour ?? undefined,
    theme: body.theme,
    themeSync: body.themeSync ?? undefined,
    lang: body.lang == null ? undefined : languageOf(body.lang),
    bitbucketUser: body.bitbucketUser,
  };
}

export function groupIdOf(
  group: z.output<typeof GroupInput> | null | undefined,
): number | undefined {
  if (group == null || typeof group === 'number') return group ?? undefined;
  const reference = Array.isArray(group) ? group[0] : group;
  return reference?.enhanceId ?? reference?.groupId ?? undefined;
}

export const userInput = ({
  email,
  password,
  userGroup,
  userDetail,
}: z.output<typeof UserInput>): NewUser => ({
  email: email ?? undefined,
  password: password ?? undefined,
  groupId: groupIdOf(userGroup),
  detail: userDetail ? detailChange(userDetail) : undefined,
});

interface BodyIds {
  readonly enhanceId?: number | null;
  readonly userId?: number | null;
}

/** @throws BadInput if the body has the id of another user */
export function requireSameId({ enhanceId, userId }: BodyIds, id: number): void {
  const bodyId = enhanceId ?? userId ?? id;
  if (bodyId !== id)
    throw new BadInput('BAD_REQUEST', `The body has user id ${bodyId}, the path ${id}.`, {
      path: ['enhanceId'],
    });
}

export const confirmationOf = (
  { currentPassword }: { readonly currentPassword?: string | null },
  { network }: Origin,
): PasswordConfirmation => ({ currentPassword: currentPassword ?? undefined, network });
