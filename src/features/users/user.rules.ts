import type { Problem } from '../../platform/errors/errors';
import { passwordProblem } from '../../platform/crypto/password-text';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { textProblems } from '../../platform/text/text-problems';
import { fold } from '../../platform/text/fold';
import type { DetailKeys, UserDetail } from './user.model';

/** A change of details: what is missing stays as it is. */
export type DetailChange = { readonly [K in keyof UserDetail]?: UserDetail[K] };

/** What is known of a user who has told nothing. */
export const EMPTY_DETAIL: UserDetail = {
  name: null,
  surname: null,
  salutation: null,
  phoneNumber: null,
  department: null,
  organisation: null,
  appTour: true,
  theme: null,
  themeSync: false,
  lang: 'en',
  bitbucketUser: null,
  requestTime: null,
};

/** Longest texts, in characters: those of installed databases, so that data goes both ways. */
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

/** The longest address that mail can be sent to. */
export const LONGEST_EMAIL = 254;

/** One `@`, something before it, a host after it; no blanks. */
const EMAIL = /^[^\s@"<>()[\]\\,;:]{1,64}@[^\s@"<>()[\]\\,;:.]+(?:\.[^\s@"<>()[\]\\,;:.]+)*$/u;

/** Judged as it was typed and as it is compared: a sign that is only another form of `@` or a dot is no part of a name. */
const isEmail = (email: string): boolean =>
  isVisible(email) && EMAIL.test(email) && EMAIL.test(fold(email));

export function emailProblems(email: string | undefined): Problem[] {
  const wrong = (message: string): Problem[] => [
    { code: 'EMAIL_INVALID', path: ['email'], message },
  ];
  if (email === undefined || email.trim() === '') return wrong('The e-mail is missing.');
  if (hasMoreCharacters(email.trim(), LONGEST_EMAIL))
    return wrong(`The e-mail may have ${LONGEST_EMAIL} characters at most.`);
  return isEmail(email.trim()) ? [] : wrong('This is not an e-mail address.');
}

export function passwordProblems(password: string | undefined): Problem[] {
  const message =
    password === undefined || password === ''
      ? 'The password is missing.'
      : passwordProblem(password);
  return message === null ? [] : [{ code: 'PASSWORD_INVALID', path: ['password'], message }];
}

/** The documented form of a time has four digits for the year. */
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

/** What users are found and ordered by. */
export const keysOf = ({ name, surname, department, organisation }: UserDetail): DetailKeys => ({
  name: key(name),
  surname: key(surname),
  department: key(department),
  organisation: key(organisation),
});

const key = (text: string | null): string => fold(text ?? '');

/** The details after a change. */
export function changedDetail(detail: UserDetail, change: DetailChange): UserDetail {
  const given = Object.entries(change).filter(
    ([field, value]) => value !== undefined && field in EMPTY_DETAIL,
  );
  return { ...detail, ...(Object.fromEntries(given) as DetailChange) };
}
