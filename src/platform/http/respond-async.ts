import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { Reply } from './route';
import { AnswerId } from './scalars';

/** Returns whether the client prefers the work to be done in the background (RFC 7240). */
export const prefersAsync = ({ prefer }: IncomingHttpHeaders): boolean =>
  [prefer ?? []]
    .flat()
    .join(',')
    .split(',')
    .some((preference) => preference.split(';', 1)[0]?.trim().toLowerCase() === 'respond-async');

export const JobAccepted = z
  .object({ jobId: AnswerId.meta({ description: 'The job that does the work.' }) })
  .meta({ id: 'JobAccepted' });

export const PREFER = z.string().optional().meta({
  description: '`respond-async`: do it in the background; the answer is 202 with the id of a job.',
});

/** The response to a request that a job processes: 202 and the URL of the job. */
export class Accepted extends Reply {
  constructor(jobId: number, baseUrl: string) {
    super(
      { jobId },
      { Location: `${baseUrl}/api/job/${jobId}`, 'Preference-Applied': 'respond-async' },
    );
  }
}
