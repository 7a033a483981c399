import { Forbidden, Refused } from '../../platform/errors/errors';
import type { InputPath, Problem } from '../../platform/errors/errors';
import { passwordProblem } from '../../platform/text/password-text';
import { textProblems } from '../../platform/errors/text-problems';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { asciiEmail, emailKeyOf } from '../../platform/text/email';
import { fold } from '../../platform/text/fold';
import { EMPTY_DETAIL } from './user.model';
import type { User, UserDetail, UserRecord } from './user.model';

/** Changed details; missing fields stay unchanged. */
export type DetailChange = Partial<UserDetail>;

/** Input for a new user. All fields are optional because the rules report missing ones. */
export interface NewUser {
  readonly email?: string;
  readonly password?: string;
  readonly groupId?: number;
  readonly detail?: DetailChange;
}

/** A change of a user. Missing fields and an empty password stay unchanged. */
export type UserChange = NewUser;

/** Maximum lengths in characters. They match existing databases so that data can be exchanged. */
export const DETAIL_LENGTHS = {
  name: 45,
  surname: 45,
  salutation: 10,
  phoneNumber: 45,
  department: 45,
  organisation: 100,
  theme: 4_000,
  bitbucketUser: 100,
} as const;

/** Maximum length of a deliverable e-mail address. */
export const MAX_EMAIL_LENGTH = 254;

/** One `@` with a local part before and a host name after it; no blanks. */
const EMAIL = /^[^\s@"<>()[\]\\,;:]{1,64}@[^\s@"<>()[\]\\,;:.]+(?:\.[^\s@"<>()[\]\\,;:.]+)*$/u;

/**
 * Checks the raw and the folded form: look-alikes of `@` and `.` are not allowed in a name. An
 * international domain needs an ASCII form, to which mails are sent.
 */
const isEmail = (email: string): boolean =>
  isVisible(email) && EMAIL.test(email) && EMAIL.test(fold(email)) && asciiEmail(email) !== null;

export function emailProblems(email: string | undefined): Problem[] {
  const invalid = (message: string): Problem[] => [
    { code: 'EMAIL_INVALID', path: ['email'], message },
  ];
  if (email === undefined || email.trim() === '') return invalid('The e-mail is missing.');
  if (hasMoreCharacters(email.trim(), MAX_EMAIL_LENGTH))
    return invalid(`The e-mail may have ${MAX_EMAIL_LENGTH} characters at most.`);
  return isEmail(email.trim()) ? [] : invalid('This is not an e-mail address.');
}

export function passwordProblems(password: string | undefined): Problem[] {
  const message =
    password === undefined || password === ''
      ? 'The password is missing.'
      : passwordProblem(password);
  return message === null ? [] : [{ code: 'PASSWORD_INVALID', path: ['password'], message }];
}

/** The documented time format has a four-digit year. */
const hasPlainYear = (time: Date): boolean =>
  time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9_999;

export function detailProblems(detail: DetailChange): Problem[] {
  const texts = (Object.keys(DETAIL_LENGTHS) as (keyof typeof DETAIL_LENGTHS)[]).flatMap((field) =>
    textProblems(detail[field], DETAIL_LENGTHS[field], ['detail', field]),
  );
  if (!detail.requestTime || hasPlainYear(detail.requestTime)) return texts;
  return [
    ...texts,
    {
      code: 'TIME_INVALID',
      path: ['detail', 'requestTime'],
      message: 'The year must have four digits.',
    },
  ];
}

export function applyDetailChange(detail: UserDetail, change: DetailChange): UserDetail {
  const entries = Object.entries(change).filter(
    ([field, value]) => value !== undefined && field in EMPTY_DETAIL,
  );
  return { ...detail, ...(Object.fromEntries(entries) as DetailChange) };
}

/** @throws Refused LDAP_USER if a directory checks the password of the user */
export function requireLocal({ authSource }: Pick<UserRecord, 'authSource'>): void {
  if (authSource === 'ldap')
    throw new Refused(
      'LDAP_USER',
      'A directory checks the password of this user. Change the password there.',
    );
}

/** @throws Refused USER_DISABLED */
export function requireEnabled(
  { disabledAt }: { readonly disabledAt?: Date | null | undefined },
  path: InputPath,
): void {
  if (disabledAt)
    throw new Refused('USER_DISABLED', 'The user is disabled. Enable them first.', { path });
}

/**
 * Returns the details of a change by users who may change nothing else of themselves.
 * @throws Forbidden for any other change
 */
export function detailOnly(
  { email, password, groupId, detail = {} }: UserChange,
  before: Pick<User, 'email' | 'groupId'>,
): DetailChange {
  const isSame =
    (email === undefined || emailKeyOf(email) === emailKeyOf(before.email)) &&
    (groupId === undefined || groupId === before.groupId) &&
    !password;
  if (!isSame) throw new Forbidden('This needs USER:UPDATE.');
  return detail;
}
