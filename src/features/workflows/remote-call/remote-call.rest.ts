import { z } from 'zod';
import { HTTP_METHODS } from '../../../engine';
import { Reply, route } from '../../../platform/http/route';
import type { Route } from '../../../platform/http/route';
import { workflowPolicy } from '../workflow.policy';
import type { RemoteCallService } from './remote-call.service';

const RemoteApi = z
  .object({
    url: z.string().min(1).max(16_384).meta({ description: 'Absolute, with http or https.' }),
    method: z
      .string()
      .transform((verb) => verb.trim().toUpperCase())
      .pipe(z.enum(HTTP_METHODS))
      .default('GET')
      .meta({ override: { type: 'string', enum: [...HTTP_METHODS], default: 'GET' } }),
    header: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
      .nullish()
      .meta({
        override: {
          type: ['object', 'null'],
          additionalProperties: { type: ['string', 'number', 'boolean'] },
        },
      }),
    body: z
      .unknown()
      .optional()
      .meta({ override: { description: 'Sent as JSON; a text is sent unchanged.' } }),
    sslOn: z.boolean().nullish().meta({ description: 'True: certificates are not checked.' }),
  })
  .meta({ id: 'RemoteApi' });

/** Never a type that a browser executes: content of a remote system must not run in our origin. */
function contentTypeOf(type: string | string[] | undefined): string {
  const kind =
    String(Array.isArray(type) ? type[0] : (type ?? ''))
      .split(';', 1)[0]
      ?.trim()
      .toLowerCase() ?? '';
  if (/^application\/(?:[a-z0-9.+-]+\+)?json$/.test(kind)) return 'application/json; charset=utf-8';
  return /^text\/|xml$|x-www-form-urlencoded$/.test(kind)
    ? 'text/plain; charset=utf-8'
    : 'application/octet-stream';
}

export function remoteCallRoutes({ remoteCalls }: { remoteCalls: RemoteCallService }): Route[] {
  return [
    route({
      method: 'post',
      path: '/connection/remoteapi',
      needs: workflowPolicy.update,
      tag: 'Workflows',
      success: '2XX',
      summary: 'Calls a remote system once',
      description:
        'Returns the status (200 to 299) and the body of the remote system unchanged: JSON as JSON, other text as plain text, anything else as bytes. ' +
        'The address policy and limits of runs apply. No response, or one with another status, is COMMUNICATION_FAILED.',
      body: RemoteApi,
      example: {
        body: {
          url: 'https://tickets.example/api/version',
          method: 'GET',
          header: {},
          body: null,
          sslOn: false,
        },
      },
      produces: '*/*',
      errors: ['COMMUNICATION_FAILED'],
      handle: async ({ body }) => {
        const answer = await remoteCalls.send({
          ...body,
          header: body.header ?? {},
          sslOn: body.sslOn ?? false,
        });
        return new Reply(
          answer.body,
          { 'Content-Type': contentTypeOf(answer.headers['content-type']) },
          answer.status,
        );
      },
    }),
  ];
}
