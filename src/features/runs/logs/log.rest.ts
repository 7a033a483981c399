import { z } from 'zod';
import type { Origin, Services } from '../../../platform/context';
import type { Presenters } from '../../../platform/http/presenters';
import { Reply, routesTagged } from '../../../platform/http/route';
import type { Route } from '../../../platform/http/route';
import {
  IdParams,
  optionalWholeNumberIn,
  PathId,
  wholeNumberIn,
} from '../../../platform/http/scalars';
import { LARGEST_PAGE } from '../../../platform/store/lists/keyset';
import { runPolicy } from '../run.policy';
import { ELEMENT_STATES, ELEMENT_TYPES, elementIdOf } from './log-element';
import type { LogElement } from './log-element';
import { MAX_SEARCH } from './log-search';
import { FILE_STATES } from './run-log-files';

const route = routesTagged('Logs');

const PAGE = 500;

const firstOf = (page: number) =>
  optionalWholeNumberIn(1, LARGEST_PAGE, page).meta({ description: 'Maximum number of entries.' });
const First = firstOf(PAGE);
const After = z
  .string()
  .optional()
  .meta({ description: 'Id of the last element of the previous page.' });
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
const SearchText = z.string().meta({ override: { type: 'string', maxLength: MAX_SEARCH } });
const TURNS = /^\d{1,9}(?:,\d{1,9}){0,99}$/;
const NEXT = {
  Link: {
    description: 'This page (`rel="self"`) and the next one if there may be one (`rel="next"`).',
  },
};
const ElementParams = z.object({ elementId: z.string() });

const ANY = '-1';
/** Converts -1 to undefined. */
const withoutAny = (id: number | undefined): number | undefined =>
  id === undefined || id < 0 ? undefined : id;

type Query = Readonly<Record<string, unknown>> & { readonly first: number };

/** Links to this page, and to the next one if this page is full. */
function linksOf(
  ids: readonly string[],
  path: string,
  query: Query,
  { baseUrl }: Origin,
): { Link: string } {
  const link = (parameters: Record<string, unknown>, rel: string): string => {
    const entries = Object.entries(parameters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]);
    return `<${baseUrl}/api${path}?${new URLSearchParams(entries).toString()}>; rel="${rel}"`;
  };
  const last = ids.at(-1);
  const hasNext = last !== undefined && ids.length >= query.first;
  const links = [
    link(query, 'self'),
    ...(hasNext ? [link({ ...query, after: last }, 'next')] : []),
  ];
  return { Link: links.join(', ') };
}

const logRouteContext = (
  { runLogs, runLogFiles }: Pick<Services, 'runLogs' | 'runLogFiles'>,
  { logs: shown }: Presenters,
) => {
  const paged = (
    elements: readonly LogElement[],
    path: string,
    query: Query,
    origin: Origin,
  ): Reply => {
    const ids = elements.map(({ run, sequence }) => elementIdOf({ runId: run._id, sequence }));
    return new Reply(shown.elements(elements), linksOf(ids, path, query, origin));
  };
  return { shown, runLogFiles, runLogs, paged };
};
type LogRouteContext = ReturnType<typeof logRouteContext>;

const getExecutionLogFiles = ({ shown, runLogFiles }: LogRouteContext): Route =>
  route('GET /execution/log-files', {
    needs: runPolicy.read,
    summary: 'Lists the log files of ended runs, newest first',
    description:
      'A file name consists of date, time (UTC), workflow, state and run. Tests are visible to the user who started them and to administrators, and belong to the tested workflow.',
    query: z.object({
      connectionId: IdOrAny,
      schedulerId: IdOrAny,
      status: z
        .enum([...FILE_STATES, ANY])
        .optional()
        .meta({ description: '`s`: succeeded; `f`: did not succeed; `-1`: all.' }),
      first: firstOf(LARGEST_PAGE),
      after: z.string().optional().meta({ description: 'Last name of the previous page.' }),
    }),
    answer: shown.files.answer,
    answerHeaders: NEXT,
    errors: ['LOG_FILE_NOT_FOUND'],
    handle: async ({ actor, query, origin }) => {
      const { connectionId, schedulerId, status, first, after } = query;
      const names = await runLogFiles.names(
        actor,
        {
          workflowId: withoutAny(connectionId),
          scheduleId: withoutAny(schedulerId),
          status: status === ANY ? undefined : status,
        },
        { first, after },
      );
      return new Reply(shown.files(names), linksOf(names, '/execution/log-files', query, origin));
    },
  });

const getExecutionLogsChildren = ({ shown, runLogFiles }: LogRouteContext): Route =>
  route('GET /execution/logs/children', {
    needs: runPolicy.read,
    summary: 'Returns the root element of a log file',
    query: z.object({
      fileName: z.string().meta({ description: 'Name from `GET /execution/log-files`.' }),
    }),
    answer: shown.elements.answer,
    errors: ['LOG_FILE_NOT_FOUND', 'EXECUTION_NOT_FOUND', 'RUN_LOG_GONE'],
    handle: async ({ actor, query: { fileName } }) =>
      shown.elements([await runLogFiles.root(actor, fileName)]),
  });

const getExecutionLogsSearch = ({ shown, runLogs, paged }: LogRouteContext): Route =>
  route('GET /execution/logs/search', {
    needs: runPolicy.read,
    summary: 'Searches the logs of a workflow',
    description:
      'Newest run first, including tests that you may see. Requests and responses are searched as stored: masked, and shortened if they are long.',
    query: z.object({
      connectionId: PathId,
      text: SearchText.optional().meta({
        description:
          'Text in a name, label, connector, URL, condition, warning, error, or body of a request or response, ignoring case.',
      }),
      status: z.enum(ELEMENT_STATES).optional(),
      type: z.enum(ELEMENT_TYPES).optional(),
      step: SearchText.optional().meta({ description: 'Id, index or name of a step.' }),
      from: moment('Earliest start time, inclusive, milliseconds since 1970.'),
      before: moment('Latest start time, exclusive, milliseconds since 1970.'),
      first: First,
      after: After,
    }),
    answer: shown.elements.answer,
    answerHeaders: NEXT,
    errors: ['LOG_ELEMENT_NOT_FOUND'],
    handle: async ({ actor, query, origin }) => {
      const { connectionId, text, status, type, step, from, before, first, after } = query;
      const elements = await runLogs.search(
        actor,
        connectionId,
        { text, step, states: status && [status], types: type && [type], from, before },
        { first, after },
      );
      return paged(
        elements,
        '/execution/logs/search',
        { ...query, from: from?.getTime(), before: before?.getTime() },
        origin,
      );
    },
  });

const getExecutionLogElementChildren = ({ shown, runLogs, paged }: LogRouteContext): Route =>
  route('GET /execution/log/element/:elementId/children', {
    needs: runPolicy.read,
    summary: 'Lists the direct children of an element of a log, in order',
    description:
      'The id of a run is its element id. The only child of a run is its flowchart, which contains all steps outside loops and conditions. A method has no children.',
    params: ElementParams,
    query: z.object({
      loopIndex: z
        .string()
        .regex(TURNS, 'Expected iterations from 0, separated by commas.')
        .optional()
        .meta({
          description:
            'For a loop: the iteration, or the iterations of all enclosing loops and its own, separated by commas. Default: all iterations.',
        }),
      first: First,
      after: After,
    }),
    answer: shown.elements.answer,
    answerHeaders: NEXT,
    errors: ['LOG_ELEMENT_NOT_FOUND', 'EXECUTION_NOT_FOUND', 'RUN_LOG_GONE'],
    handle: async ({ actor, params: { elementId }, query, origin }) => {
      const { loopIndex, first, after } = query;
      const children = await runLogs.children(
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
  });

const getExecutionLogElementDetails = ({ shown, runLogs }: LogRouteContext): Route =>
  route('GET /execution/log/element/:elementId/details', {
    needs: runPolicy.read,
    summary: 'Returns an element of a log with its request and response',
    params: ElementParams,
    answer: shown.details.answer,
    errors: ['LOG_ELEMENT_NOT_FOUND', 'EXECUTION_NOT_FOUND', 'RUN_LOG_GONE'],
    handle: async ({ actor, params: { elementId } }) =>
      shown.details(await runLogs.details(actor, elementId)),
  });

const getExecutionRawLog = ({ runLogFiles }: LogRouteContext): Route =>
  route('GET /execution/:id/raw/log', {
    needs: runPolicy.read,
    summary: 'Downloads the events of a run, one line of JSON each',
    produces: 'application/octet-stream',
    description: 'All events that are stored so far, with secrets masked.',
    params: IdParams,
    errors: ['EXECUTION_NOT_FOUND', 'RUN_LOG_GONE'],
    answerHeaders: { 'Content-Disposition': { description: 'Name of the file.' } },
    handle: async ({ actor, params: { id } }) =>
      new Reply(await runLogFiles.stream(actor, id), {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="execution-${id}.log"`,
      }),
  });

export const logRoutes = (
  services: Pick<Services, 'runLogs' | 'runLogFiles'>,
  presenters: Presenters,
): Route[] => {
  const context = logRouteContext(services, presenters);
  return [
    getExecutionLogFiles,
    getExecutionLogsChildren,
    getExecutionLogsSearch,
    getExecutionLogElementChildren,
    getExecutionLogElementDetails,
    getExecutionRawLog,
  ].map((create) => create(context));
};
