import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { HTTP_METHODS } from '../../../engine';
import type { OutboundResponse } from '../../../platform/outbound';
import type { Presenters } from '../../../platform/http/presenters';
import { Reply, routesTagged } from '../../../platform/http/route';
import type { Route } from '../../../platform/http/route';
import { workflowPolicy } from '../workflow.policy';
import type { RemoteCallService } from './remote-call.service';

const route = routesTagged('Workflows');

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

interface RemoteCallPresenters {
  /** How the response of the remote system is described. */
  readonly described: Pick<Route, 'success' | 'produces' | 'answer' | 'description'>;
  readonly reply: (response: OutboundResponse) => unknown;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly remoteCalls: RemoteCallPresenters;
  }
}

export const documentedRemoteCalls: RemoteCallPresenters = {
  described: {
    success: '2XX',
    produces: '*/*',
    description:
      'Returns the status (200 to 299) and the body of the remote system unchanged: JSON as JSON, other text as plain text, anything else as bytes. ' +
      'The address policy and limits of runs apply. No response, or one with another status, is COMMUNICATION_FAILED.',
  },
  reply: ({ body, headers, status }) =>
    new Reply(body, { 'Content-Type': contentTypeOf(headers['content-type']) }, status),
};

const ReleasedResponse = z
  .object({
    body: z.string(),
    headers: z.record(z.string(), z.string()),
    statusCode: z.string().meta({ description: 'Name of the status: `OK`.' }),
    statusCodeValue: z.int(),
  })
  .meta({ id: 'ReleasedRemoteResponse', description: 'The response of a remote system.' });

const presentResponse = ({
  status,
  headers,
  body,
}: OutboundResponse): z.output<typeof ReleasedResponse> => ({
  body: body.toString('utf8'),
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  ),
  statusCode: (STATUS_CODES[status] ?? String(status)).toUpperCase().replaceAll(/\W+/g, '_'),
  statusCodeValue: status,
});

/** The released clients read the response as an object. */
export const releasedRemoteCalls: RemoteCallPresenters = {
  described: {
    success: 200,
    answer: ReleasedResponse,
    description:
      'Returns the response of the remote system as an object. The address policy and limits of runs apply. No response, or one with a status other than 200 to 299, is COMMUNICATION_FAILED.',
  },
  reply: presentResponse,
};

export function remoteCallRoutes(
  { remoteCalls }: { remoteCalls: RemoteCallService },
  { remoteCalls: shown }: Presenters,
): Route[] {
  return [
    route('POST /connection/remoteapi', {
      needs: workflowPolicy.update,
      summary: 'Calls a remote system once',
      ...shown.described,
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
      errors: ['COMMUNICATION_FAILED'],
      handle: async ({ body }) => {
        const answer = await remoteCalls.send({
          ...body,
          header: body.header ?? {},
          sslOn: body.sslOn ?? false,
        });
        return shown.reply(answer);
      },
    }),
  ];
}
