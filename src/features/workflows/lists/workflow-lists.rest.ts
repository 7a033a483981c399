import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter, Presenters } from '../../../platform/http/presenters';
import type { Audience, ReleasedClient } from '../../../platform/http/dialects/released-client';
import type { Route } from '../../../platform/http/route';
import { routesTagged } from '../../../platform/http/route';
import { AnswerId, AnswerMoment, BodyId, QueryFlag } from '../../../platform/http/scalars';
import { MOST_AT_ONCE } from '../../../platform/store/records';
import { workflowPolicy } from '../workflow.policy';
import type { WorkflowLists, WorkflowMetadata } from './workflow-lists';

interface WorkflowMetadataPresenters {
  readonly list: Presenter<[AsyncIterable<WorkflowMetadata>, Audience]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly workflowMetadata: WorkflowMetadataPresenters;
  }
}

const Connector = z.object({
  connectorId: AnswerId,
  title: z.string().nullable().meta({ description: 'Null if it was deleted.' }),
  invoker: z
    .object({ name: z.string() })
    .nullable()
    .meta({ description: 'Null if it was deleted.' }),
});

/** Null fields are left out, as in the released line. The containers are constant since 5.0. */
const MetadataAnswer = z
  .object({
    id: AnswerId.meta({ description: 'Same as `connectionId`.' }),
    connectionId: AnswerId,
    title: z.string(),
    description: z.string().optional(),
    icon: z.string().optional(),
    categoryId: AnswerId.optional(),
    fromConnector: z.object({ connectorId: z.literal(-1), title: z.literal('DEFAULT') }),
    toConnector: z.null(),
    connectors: z.array(Connector).meta({ description: 'The connectors that its steps call.' }),
    invokers: z
      .array(z.string())
      .meta({ description: 'Names of the invokers that it names itself.' }),
    test: z.boolean().meta({ description: 'True for a workflow of a test run.' }),
    version: z.int(),
    createdAt: AnswerMoment,
    updatedAt: AnswerMoment,
  })
  .meta({ id: 'ConnectionMeta' });

const present = ({ record, connectors }: WorkflowMetadata): z.output<typeof MetadataAnswer> => ({
  id: record._id,
  connectionId: record._id,
  title: record.title,
  ...(record.description === null ? {} : { description: record.description }),
  ...(record.icon === null ? {} : { icon: record.icon }),
  ...(record.categoryId === null ? {} : { categoryId: record.categoryId }),
  fromConnector: { connectorId: -1, title: 'DEFAULT' },
  toConnector: null,
  connectors: connectors.map(({ connectorId, title, invoker }) => ({
    connectorId,
    title,
    invoker: invoker === null ? null : { name: invoker },
  })),
  invokers: [...record.invokers],
  test: record.test,
  version: record.version,
  createdAt: record.createdAt.getTime(),
  updatedAt: record.updatedAt.getTime(),
});

async function* presentAll(
  list: AsyncIterable<WorkflowMetadata>,
): AsyncGenerator<z.output<typeof MetadataAnswer>, void, void> {
  for await (const one of list) yield present(one);
}

/** ConnectionMeta of the released line. */
export const documentedMetadata: WorkflowMetadataPresenters = {
  list: presenter(z.array(MetadataAnswer), presentAll),
};

/** A connector of a workflow as the 4.x client reads it; empty if there is none. */
const Side = z
  .object({
    connectorId: z.int(),
    title: z.string(),
    icon: z.null(),
    invoker: z.object({ name: z.string(), description: z.string(), icon: z.null() }),
  })
  .meta({ id: 'ReleasedSide' });

const ReleasedMetadata = MetadataAnswer.extend({
  fromConnector: z.union([MetadataAnswer.shape.fromConnector, Side]),
  toConnector: Side.nullable(),
  modifiedAt: AnswerMoment,
}).meta({ id: 'ReleasedConnectionMeta' });

type ListedConnector = WorkflowMetadata['containers'][number];

const sideOf = (connector: ListedConnector | undefined): z.output<typeof Side> => ({
  connectorId: connector?.connectorId ?? -1,
  title: connector?.title ?? '',
  icon: null,
  invoker: { name: connector?.invoker ?? '', description: '', icon: null },
});

/** The pages of the 4.x client fail without two connectors. */
function sidesOf({ containers }: WorkflowMetadata) {
  const [from, to = from] = containers;
  return { fromConnector: sideOf(from), toConnector: sideOf(to) };
}

async function* presentReleased(
  list: AsyncIterable<WorkflowMetadata>,
  client: ReleasedClient,
): AsyncGenerator<z.output<typeof ReleasedMetadata>, void, void> {
  for await (const one of list)
    yield {
      ...present(one),
      ...(client === '4.x' && sidesOf(one)),
      modifiedAt: one.record.updatedAt.getTime(),
    };
}

export const releasedMetadata: WorkflowMetadataPresenters = {
  list: presenter(
    z.array(ReleasedMetadata),
    (list: AsyncIterable<WorkflowMetadata>, { client }: Audience) =>
      presentReleased(list, client()),
  ),
};

const route = routesTagged('Workflows');

const query = z.object({ includeTest: QueryFlag.default(false) });

const Ids = z.array(BodyId).max(MOST_AT_ONCE);
const IdentifiersBody = z
  .union([z.object({ identifiers: Ids }), Ids], {
    error: `Expected { "identifiers": [ids] } or a list of ids, ${MOST_AT_ONCE} at most.`,
  })
  .meta({ id: 'ConnectionIdentifiers' });

/** Lists of workflows without their documents. */
export function workflowMetadataRoutes(
  { workflowLists }: { workflowLists: WorkflowLists },
  { workflowMetadata: shown }: Presenters,
): Route[] {
  return [
    route('GET /connection/all/meta', {
      needs: workflowPolicy.read,
      summary: 'All workflows without their steps',
      query,
      answer: shown.list.answer,
      handle: async ({ query: options, audience }) =>
        shown.list(workflowLists.metadata(options), audience),
    }),
    route('GET /connection/dependency/:invokerName', {
      needs: workflowPolicy.read,
      summary: 'Workflows that call a connector of an invoker',
      description: 'Includes workflows that name the invoker themselves, as imported ones do.',
      params: z.object({ invokerName: z.string() }),
      query,
      example: { params: { invokerName: 'rest' } },
      answer: shown.list.answer,
      handle: async ({ params, query: options, audience }) =>
        shown.list(await workflowLists.metadataByInvoker(params.invokerName, options), audience),
    }),
    route('POST /connection/all/by-ids', {
      servedOnFullDisk: true,
      needs: workflowPolicy.read,
      summary: 'The workflows with these ids, without their steps',
      description: 'In the given order; ids that do not exist are skipped.',
      query,
      body: IdentifiersBody,
      example: { body: { identifiers: [1, 2] } },
      answer: shown.list.answer,
      handle: async ({ body, query: options, audience }) =>
        shown.list(
          workflowLists.metadataOf(Array.isArray(body) ? body : body.identifiers, options),
          audience,
        ),
    }),
  ];
}
