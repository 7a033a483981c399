import { z } from 'zod';

const Found = z.enum(['EXISTS', 'NOT_EXISTS']);

/**
 * Media type of two of these responses in the released version, whose clients read JSON whatever
 * the type is.
 */
export const PROBLEM_JSON = 'application/problem+json';

/**
 * The response to "does it exist": what clients of both released styles read (spec 3.3), in one
 * shape.
 */
export const ExistsBody = z
  .object({
    type: z.literal('about:blank'),
    title: z.literal('OK'),
    status: z.literal(200),
    detail: Found,
    instance: z.string(),
    error: z.literal('OK'),
    message: Found,
    path: z.string(),
  })
  .meta({ id: 'Exists' });

/** `path` is the path of the request. */
export function existsBody(exists: boolean, path: string): z.output<typeof ExistsBody> {
  const found = exists ? 'EXISTS' : 'NOT_EXISTS';
  return {
    type: 'about:blank',
    title: 'OK',
    status: 200,
    detail: found,
    instance: path,
    error: 'OK',
    message: found,
    path,
  };
}
