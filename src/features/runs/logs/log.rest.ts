import { z } from 'zod';
import type { Origin } from '../../../platform/context';
import type { Presenters } from '../../../platform/http/presenters';
import type { Route } from '../../../platform/http/route';
import { Reply, route } from '../../../platform/http/route';
import {
  IdParams,
  optionalWholeNumberIn,
  PathId,
  wholeNumberIn,
} from '../../../platform/http/scalars';
import { LARGEST_PAGE } from '../../../platform/store/keyset';
import { runPolicy } from '../run.policy';
import type { RunService } from '../run.service';
import type { LogElement } from './log-element';
import { ELEMENT_STATES, ELEMENT_TYPES } from './log-element';
import { elementIdOf } from './log-element-id';
import { FILE_STATES } from './log-file';
import { LONGEST_SEARCH } from './log-search';

/** Default page size. */
const PAGE = 500;

const firstOf = (page: number) =>
  optionalWholeNumberIn(1, LARGEST_PAGE, page).meta({ description: 'How many at most.' });
const First = firstOf(PAGE);
const After = z
  .string()
  .optional()
  .meta({ description: 'Id of the element that was the last of the page before.' });
/** -1, as in the released API, matches any. */
const IdOrAny = wholeNumberIn(-1, 2_147_483_647).optional();
const moment = (description: string) =>
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, 'Expected milliseconds since 1970.')
    .transform((text) => new Date(Number(text)))
    .optional()
    .meta({ description, override: { type: 'integer', minimum: 0 } });
/** Counted in characters (code points): the service rejects longer texts. */
const Sought = z.string().meta({ override: { type: 'string', maxLength: LONGEST_SEARCH } });
const TURNS = /^\d{1,9}(?:,\d{1,9}){0,99}$/;
const NEXT = {
  Link: {
    description:
      'This page (`rel="self"`) and the next one, where there may be one (`rel="next"`).',
  },
};
const ElementParams = z.object({ elementId: z.string() });

const ANY = '-1';
/** Converts -1 to undefined. */
const given = (id: number | undefined): number | undefined =>
  id === undefined || id < 0 ? undefined : id;

export function logRoutes(
  { runs: { logs } }: { runs: RunService },
  { logs: shown }: Presenters,
): Route[] {
  /** Links to this page, and to the next one if this page is full. */
  function linkOf(
    ids: readonly string[],
    path: string,
    query: Record<string, unknown> & { first: number },
    origin: Origin,
  ): { Link: string } {
    const address = (asked: Record<string, unknown>): string => {
      const given = Object.entries(asked)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)] as const);
      return `<${origin.baseUrl}/api${path}?${new URLSearchParams(Object.fromEntries(given)).toString()}>`;
    };
    const self = `${address(query)}; rel="self"`;
    const last = ids.at(-1);
    const next =
      last !== undefined && ids.length >= query.first
        ? `, ${address({ ...query, after: last })}; rel="next"`
        : '';
    return { Link: `${self}${next}` };
  }
  const paged = (
    elements: readonly LogElement[],
    path: string,
    query: Record<string, unknown> & { first: number },
    origin: Origin,
  ): Reply =>
    new Reply(
      shown.elements(elements),
      linkOf(
        elements.map(({ run, sequence }) => elementIdOf({ runId: run._id, sequence })),
        path,
        query,
        origin,
      ),
    );

  return [
    route({
      method: 'get',
      path: '/execution/log-files',
      needs: runPolicy.read,
      tag: 'Logs',
      success: 200,
      summary: 'The runs that have ended and have a log, the newest first, as names of files',
      description:
        'Date, time (UTC), workflow, state and run. A test is for who started it, and for administrators, and counts for the workflow it tests.',
      query: z.object({
        connectionId: IdOrAny,
        schedulerId: IdOrAny,
        status: z
          .enum([...FILE_STATES, ANY])
          .optional()
          .meta({ description: '`s`: ended well; `f`: not; `-1`: either.' }),
        first: firstOf(LARGEST_PAGE),
        after: z
          .string()
          .optional()
          .meta({ description: 'Name that was the last of the page before.' }),
      }),
      answer: shown.files.answer,
      answerHeaders: NEXT,
      errors: ['LOG_FILE_NOT_FOUND'],
      handle: async ({ actor, query, origin }) => {
        const { connectionId, schedulerId, status, first, after } = query;
        const names = await logs.files(
          actor,
          {
            workflowId: given(connectionId),
            scheduleId: given(schedulerId),
            status: status === ANY ? undefined : status,
          },
          { first, after },
        );
        return new Reply(shown.files(names), linkOf(names, '/execution/log-files', query, origin));
      },
    }),
    route({
      method: 'get',
      path: '/execution/logs/children',
      needs: runPolicy.read,
      tag: 'Logs',
      success: 200,
      summary: 'The root of the log with this name',
      query: z.object({
        fileName: z.string().meta({ description: 'As `GET /execution/log-files` names it.' }),
      }),
      answer: shown.elements.answer,
      errors: ['LOG_FILE_NOT_FOUND', 'EXECUTION_NOT_FOUND', 'RUN_LOG_GONE'],
      handle: async ({ actor, query: { fileName } }) =>
        shown.elements([await logs.ofFile(actor, fileName)]),
    }),
    route({
      method: 'get',
      path: '/execution/logs/search',
      needs: runPolicy.read,
      tag: 'Logs',
      success: 200,
      summary: 'What stands in the logs of a workflow',
      description:
        'The newest run first; those of its tests, too, as far as you may see them. What was sent and came back is searched as it is kept: masked, and cut where it is long.',
      query: z.object({
        connectionId: PathId,
        text: Sought.optional().meta({
          description:
            'Stands in a name, label, connector, URL, condition, error, or the body of a request or answer, whatever its case.',
        }),
        status: z.enum(ELEMENT_STATES).optional(),
        type: z.enum(ELEMENT_TYPES).optional(),
        step: Sought.optional().meta({ description: 'Id, index or name of a step.' }),
        from: moment('It began then or later, milliseconds since 1970.'),
        before: moment('It began before, milliseconds since 1970.'),
        first: First,
        after: After,
      }),
      answer: shown.elements.answer,
      answerHeaders: NEXT,
      errors: ['LOG_ELEMENT_NOT_FOUND'],
      handle: async ({ actor, query, origin }) => {
        const { connectionId, text, status, type, step, from, before, first, after } = query;
        const found = await logs.search(
          actor,
          connectionId,
          { text, step, states: status && [status], types: type && [type], from, before },
          { first, after },
        );
        return paged(
          found,
          '/execution/logs/search',
          { ...query, from: from?.getTime(), before: before?.getTime() },
          origin,
        );
      },
    }),
    route({
      method: 'get',
      path: '/execution/log/element/:elementId/children',
      needs: runPolicy.read,
      tag: 'Logs',
      success: 200,
      summary: 'What stands directly below an element of a log, in order',
      description:
        'Below a run, whose id it is, stands its flowchart, and below that every step that is in no loop and no condition. Below a method stands nothing.',
      params: ElementParams,
      query: z.object({
        loopIndex: z.string().regex(TURNS, 'Expected turns from 0, with commas.').optional().meta({
          description:
            'Of a loop: one of its turns, or with commas the turns of all loops around it and its own. Without it: all its turns.',
        }),
        first: First,
        after: After,
      }),
      answer: shown.elements.answer,
      answerHeaders: NEXT,
      errors: ['LOG_ELEMENT_NOT_FOUND', 'EXECUTION_NOT_FOUND', 'RUN_LOG_GONE'],
      handle: async ({ actor, params: { elementId }, query, origin }) => {
        const { loopIndex, first, after } = query;
        const children = await logs.children(
          actor,
          elementId,
          loopIndex === undefined ? null : loopIndex.split(',').map(Number),
          { first, after },
        );
        return paged(
          children,
          `/execution/log/element/${encodeURIComponent(elementId)}/children`,
          query,
          origin,
        );
      },
    }),
    route({
      method: 'get',
      path: '/execution/log/element/:elementId/details',
      needs: runPolicy.read,
      tag: 'Logs',
      success: 200,
      summary: 'One element of a log, with what was sent and what came back',
      params: ElementParams,
      answer: shown.details.answer,
      errors: ['LOG_ELEMENT_NOT_FOUND', 'EXECUTION_NOT_FOUND', 'RUN_LOG_GONE'],
      handle: async ({ actor, params: { elementId } }) =>
        shown.details(await logs.details(actor, elementId)),
    }),
    route({
      method: 'get',
      path: '/execution/:id/raw/log',
      needs: runPolicy.read,
      tag: 'Logs',
      success: 200,
      summary: 'The events of a run, a line of JSON each',
      produces: 'application/octet-stream',
      description: 'All that are stored by then, secrets masked.',
      params: IdParams,
      errors: ['EXECUTION_NOT_FOUND', 'RUN_LOG_GONE'],
      answerHeaders: { 'Content-Disposition': { description: 'What the file is called.' } },
      handle: async ({ actor, params: { id } }) =>
        new Reply(await logs.raw(actor, id), {
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': `attachment; filename="execution-${id}.log"`,
        }),
    }),
  ];
}
