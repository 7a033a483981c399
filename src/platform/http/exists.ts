import { z } from 'zod';
import { presenter } from './presenters';
import type { Presenter } from './presenters';

/** How one dialect answers whether something exists. */
interface ExistsPresenters {
  /** A record with a name; the text is the path of the request. */
  readonly record: Presenter<[boolean, string]>;
  /** Media type of some of these responses in the released version, whose clients read JSON. */
  readonly recordType: 'application/problem+json' | 'application/json';
  readonly result: Presenter<[boolean]>;
  /** Whether a name is free. */
  readonly free: Presenter<[boolean]>;
}

declare module './presenters' {
  interface Presenters {
    readonly exists: ExistsPresenters;
  }
}

const Existence = z.enum(['EXISTS', 'NOT_EXISTS']);
const existenceOf = (exists: boolean): z.output<typeof Existence> =>
  exists ? 'EXISTS' : 'NOT_EXISTS';

export const ResultBody = z.object({ result: z.boolean() }).meta({ id: 'Result' });
const presentResult = (result: boolean): z.output<typeof ResultBody> => ({ result });

/** What clients of both released styles read (spec 3.3), in one shape. */
const ExistsBody = z
  .object({
    type: z.literal('about:blank'),
    title: z.literal('OK'),
    status: z.literal(200),
    detail: Existence,
    instance: z.string(),
    error: z.literal('OK'),
    message: Existence,
    path: z.string(),
  })
  .meta({ id: 'Exists' });

const presentExists = (exists: boolean, path: string): z.output<typeof ExistsBody> => ({
  type: 'about:blank',
  title: 'OK',
  status: 200,
  detail: existenceOf(exists),
  instance: path,
  error: 'OK',
  message: existenceOf(exists),
  path,
});

export const documentedExists: ExistsPresenters = {
  record: presenter(ExistsBody, presentExists),
  recordType: 'application/problem+json',
  result: presenter(ResultBody, presentResult),
  free: presenter(ResultBody, presentResult),
};

/** The 4.x client reads `message`, the 5.x client `result`. */
const ReleasedExistsBody = z
  .object({ message: Existence, result: z.boolean(), detail: Existence })
  .meta({ id: 'ReleasedExists' });
const presentExistence = (exists: boolean): z.output<typeof ReleasedExistsBody> => ({
  message: existenceOf(exists),
  result: exists,
  detail: existenceOf(exists),
});

export const releasedExists: ExistsPresenters = {
  record: presenter(ReleasedExistsBody, presentExistence),
  recordType: 'application/json',
  result: presenter(ReleasedExistsBody, presentExistence),
  free: presenter(ReleasedExistsBody, (isFree: boolean) => ({
    ...presentExistence(!isFree),
    result: isFree,
  })),
};
