import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter } from '../../../platform/http/presenters';
import { AnswerId, AnswerMoment } from '../../../platform/http/scalars';
import type { WorkflowMetadata } from './workflow-metadata';

export interface WorkflowMetadataPresenters {
  readonly list: Presenter<[AsyncIterable<WorkflowMetadata>]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly workflowMetadata: WorkflowMetadataPresenters;
  }
}

const Connector = z.object({
  connectorId: AnswerId,
  title: z.string().nullable().meta({ description: 'Null when it is gone.' }),
  invoker: z.object({ name: z.string() }).nullable().meta({ description: 'Null when it is gone.' }),
});

/** Null fields are left out, as in the released line. The containers are constant since 5.0. */
const MetadataAnswer = z
  .object({
    id: AnswerId.meta({ description: 'The same as `connectionId`.' }),
    connectionId: AnswerId,
    title: z.string(),
    description: z.string().optional(),
    icon: z.string().optional(),
    categoryId: AnswerId.optional(),
    fromConnector: z.object({ connectorId: z.literal(-1), title: z.literal('DEFAULT') }),
    toConnector: z.null(),
    connectors: z.array(Connector).meta({ description: 'The connectors its steps call.' }),
    invokers: z
      .array(z.string())
      .meta({ description: 'Names of invokers that are written in it.' }),
    test: z.boolean().meta({ description: 'Made for a test.' }),
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
