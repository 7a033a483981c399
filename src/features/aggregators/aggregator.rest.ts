import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import { BadInput } from '../../platform/errors/errors';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { IdParams, INT32_MAX, PathId, QueryFlag } from '../../platform/http/scalars';
import type { AggregatorRecord } from './aggregator.model';
import { aggregatorPolicy, SAVE_AGGREGATOR_NEED } from './aggregator.policy';
import {
  aggregatorChange,
  AggregatorStatusBody,
  AggregatorStatusInput,
  ChangedAggregatorInput,
  SavedAggregatorInput,
} from './aggregator.presenter';

const route = routesTagged('Aggregators');

const NOT_SAVED = [
  'AGGREGATOR_NOT_FOUND',
  'ARGUMENT_NOT_FOUND',
  'AGGREGATOR_ALREADY_EXIST',
  'NAME_INVALID',
  'ARGUMENT_NAME_INVALID',
  'NAMED_TWICE',
  'TEXT_INVALID',
  'TEXT_TOO_LONG',
  'LIST_TOO_LONG',
] as const satisfies readonly ErrorCode[];
const EXAMPLE = {
  name: 'Tickets',
  args: [{ name: 'tickets', description: 'Number of tickets that were read.' }],
  script: 'tickets = Responses.length;',
};
const NOT_RUNNING = 'Runs that have started are not affected.';

const aggregatorRouteContext = (
  { aggregators }: Services,
  { aggregators: shown, exists, requests }: Presenters,
) => {
  const reply = (record: AggregatorRecord, location?: string): Reply =>
    recordReply(shown.one(record), record, location);
  return { shown, aggregators, requests, exists, reply };
};
type AggregatorRouteContext = ReturnType<typeof aggregatorRouteContext>;

const getAggregatorAll = ({ shown, aggregators }: AggregatorRouteContext): Route =>
  route('GET /aggregator/all', {
    needs: aggregatorPolicy.read,
    summary: 'List aggregators',
    answer: shown.list.answer,
    handle: async () => shown.list(aggregators.list()),
  });

const getAggregatorUniqueByName = ({
  requests,
  exists,
  aggregators,
}: AggregatorRouteContext): Route =>
  route('GET /aggregator/unique/:name', {
    needs: aggregatorPolicy.read,
    summary: 'Check whether a name is free',
    description: 'Without regard to case. `true`: the name is free.',
    params: z.object({ name: requests.pathName }),
    example: { params: { name: 'Tickets' } },
    answer: exists.free.answer,
    handle: async ({ params }) => exists.free(!(await aggregators.exists(params.name))),
  });

const getAggregatorById = ({ shown, reply, aggregators }: AggregatorRouteContext): Route =>
  route('GET /aggregator/:id', {
    needs: aggregatorPolicy.read,
    summary: 'Get an aggregator',
    params: IdParams,
    answer: shown.one.answer,
    errors: ['AGGREGATOR_NOT_FOUND'],
    record: 'shown',
    handle: async ({ params }) => reply(await aggregators.get(params.id)),
  });

const postAggregator = ({ shown, aggregators, reply }: AggregatorRouteContext): Route =>
  route('POST /aggregator', {
    needs: SAVE_AGGREGATOR_NEED,
    summary: 'Create an aggregator, or change the one with this id',
    description: `Omitted fields keep their value. ${NOT_RUNNING}`,
    body: SavedAggregatorInput,
    example: { body: EXAMPLE },
    success: 201,
    alsoChanges: true,
    answer: shown.one.answer,
    errors: NOT_SAVED,
    record: 'changed',
    handle: async ({ actor, body, expectedVersion, origin }) => {
      const id = body.id || null;
      const record = await aggregators.createOrUpdate(
        actor,
        id,
        aggregatorChange(body),
        expectedVersion,
      );
      const { body: answer, headers } = reply(
        record,
        id === null ? `${origin.baseUrl}/api/aggregator/${record._id}` : undefined,
      );
      return new Reply(answer, headers, id === null ? 201 : 200);
    },
  });

const putAggregator = ({ shown, reply, aggregators }: AggregatorRouteContext): Route =>
  route('PUT /aggregator', {
    needs: aggregatorPolicy.update,
    summary: 'Change an aggregator',
    description: `Omitted fields keep their value. ${NOT_RUNNING}`,
    body: ChangedAggregatorInput,
    example: { body: { id: INT32_MAX, active: true } },
    answer: shown.one.answer,
    errors: NOT_SAVED,
    record: 'changed',
    handle: async ({ actor, body, expectedVersion }) => {
      if (body.id == null)
        throw new BadInput('BAD_REQUEST', 'The id of the aggregator is missing in the body.', {
          path: ['id'],
        });
      return reply(
        await aggregators.update(actor, body.id, aggregatorChange(body), expectedVersion),
      );
    },
  });

const putAggregatorStatus = ({ aggregators }: AggregatorRouteContext): Route =>
  route('PUT /aggregator/:id/status', {
    needs: aggregatorPolicy.update,
    summary: 'Archive or restore an aggregator',
    description: 'Archived aggregators are not evaluated.',
    params: IdParams,
    body: AggregatorStatusInput,
    example: { body: { active: true } },
    answer: AggregatorStatusBody,
    errors: ['AGGREGATOR_NOT_FOUND'],
    record: 'changed',
    handle: async ({ actor, params, body: { active }, expectedVersion }) =>
      recordReply(
        { result: 'success' },
        await aggregators.update(actor, params.id, { active }, expectedVersion),
      ),
  });

const deleteAggregatorArgumentByArgId = ({ aggregators }: AggregatorRouteContext): Route =>
  route('DELETE /aggregator/argument/:argId', {
    needs: aggregatorPolicy.update,
    summary: 'Remove an argument from its aggregator',
    description: '`If-Match` refers to the version of the aggregator.',
    params: z.object({ argId: PathId }),
    success: 204,
    errors: ['ARGUMENT_NOT_FOUND'],
    record: 'deleted',
    handle: async ({ actor, params, expectedVersion }) =>
      void (await aggregators.removeArgument(actor, params.argId, expectedVersion)),
  });

const deleteAggregatorById = ({ aggregators }: AggregatorRouteContext): Route =>
  route('DELETE /aggregator/:id', {
    needs: aggregatorPolicy.delete,
    summary: 'Delete an aggregator',
    description:
      'An aggregator that workflows use is deleted only with `force`; their runs then store none of its values.',
    params: IdParams,
    query: z.object({ force: QueryFlag.default(false) }),
    success: 204,
    errors: ['AGGREGATOR_NOT_FOUND', 'AGGREGATOR_IN_USE'],
    record: 'deleted',
    handle: async ({ actor, params, query, expectedVersion }) =>
      void (await aggregators.remove(actor, params.id, { force: query.force, expectedVersion })),
  });

/** The paths are those of the released lines. */
export const aggregatorRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = aggregatorRouteContext(services, presenters);
  return [
    getAggregatorAll,
    getAggregatorUniqueByName,
    getAggregatorById,
    postAggregator,
    putAggregator,
    putAggregatorStatus,
    deleteAggregatorArgumentByArgId,
    deleteAggregatorById,
  ].map((create) => create(context));
};
