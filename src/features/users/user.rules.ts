import type { Problem } from '../../platform/errors/errors';
import { passwordProblem } from '../../platform/crypto/password-text';
import { hasMoreCharacters, isVisible, textProblems } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { DetailKeys, UserDetail } from './user.model';

/** Changed details; missing fields stay unchanged. */
export type DetailChange = { readonly [K in keyof UserDetail]?: UserDetail[K] };

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
export const LONGEST_EMAIL = 254;

/** One `@` with a local part before and a host name after it; no blanks. */
const EMAIL = /^[^\s@"<>()[\]\\,;:]{1,64}@[^\s@"<>()[\]\\,;:.]+(?:\.[^\s@"<>()[\]\\,;:.]+)*$/u;

/** Checks the raw and the folded form: look-alikes of `@` and `.` are not allowed in a name. */
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

export const keysOf = ({ name, surname, department, organisation }: UserDetail): DetailKeys => ({
  name: key(name),
  surname: key(surname),
  department: key(department),
  organisation: key(organisation),
});

const key = (text: string | null): string => fold(text ?? '');

export function changedDetail(detail: UserDetail, change: DetailChange): UserDetail {
  const given = Object.entries(change).filter(
    ([field, value]) => value !== undefined && field in EMPTY_DETAIL,
  );
  return { ...detail, ...(Object.fromEntries(given) as DetailChange) };
}
