import { z } from 'zod';
import type { Services } from '../../platform/context';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId, AnswerMoment } from '../../platform/http/scalars';
import type { MaskingRule } from '../../platform/redaction';
import { partOfRule } from './hidden-parts';
import type { LoggedPart } from './hidden-parts';
import type { SupportLogRecord } from './support-log.model';

/** Returns those of the workflows that exist. */
type FindWorkflows = (ids: readonly number[]) => Promise<ReadonlySet<number>>;

export const findWorkflows =
  ({ workflows }: Pick<Services, 'workflows'>): FindWorkflows =>
  async (ids) =>
    new Set((await workflows.byIds(ids)).flatMap((workflow) => workflow?._id ?? []));

interface SupportLogPresenters {
  readonly one: Presenter<[SupportLogRecord]>;
  readonly list: Presenter<[readonly SupportLogRecord[], FindWorkflows]>;
  /** The part of requests and responses that a sent rule stands for; null if it is a rule. */
  readonly partOfRule: (rule: MaskingRule) => LoggedPart | null;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly supportLogs: SupportLogPresenters;
  }
}

const SupportFile = z
  .object({
    filename: z.string(),
    connectionId: AnswerId,
    connectionTitle: z.string().meta({ description: 'The title when it was packed.' }),
    executionIds: z
      .array(AnswerId)
      .meta({ description: 'The runs whose logs it contains, newest first.' }),
    size: z.int().min(0).meta({ description: 'Bytes.' }),
    createdAt: AnswerMoment,
    expiresAt: AnswerMoment,
  })
  .meta({ id: 'SupportFile' });

export const presentSupportLog = ({
  fileName,
  workflowId,
  workflowTitle,
  runIds,
  size,
  createdAt,
  expiresAt,
}: SupportLogRecord): z.output<typeof SupportFile> => ({
  filename: fileName,
  connectionId: workflowId,
  connectionTitle: workflowTitle,
  executionIds: [...runIds],
  size,
  createdAt: createdAt.getTime(),
  expiresAt: expiresAt.getTime(),
});

export const documentedSupportLogs: SupportLogPresenters = {
  one: presenter(SupportFile, presentSupportLog),
  list: presenter(z.array(SupportFile), (records: readonly SupportLogRecord[]) =>
    records.map(presentSupportLog),
  ),
  partOfRule: () => null,
};

const ReleasedSupportFile = SupportFile.extend({
  supportFile: z.string().meta({ description: 'Its path below the address of the API.' }),
  status: z.enum(['CONNECTION_FOUND', 'CONNECTION_IS_MISSING']),
  message: z.string(),
}).meta({ id: 'ReleasedSupportFile' });

function presentReleased(
  record: SupportLogRecord,
  isFound: boolean,
): z.output<typeof ReleasedSupportFile> {
  const { workflowId, fileName } = record;
  return {
    ...presentSupportLog(record),
    supportFile: `/connection/support-file/${workflowId}/${fileName}`,
    status: isFound ? 'CONNECTION_FOUND' : 'CONNECTION_IS_MISSING',
    message: isFound ? '' : `The workflow ${workflowId} was deleted.`,
  };
}

export const releasedSupportLogs: SupportLogPresenters = {
  ...documentedSupportLogs,
  list: presenter(
    z.array(ReleasedSupportFile),
    async (records: readonly SupportLogRecord[], find: FindWorkflows) => {
      const workflows = await find([...new Set(records.map(({ workflowId }) => workflowId))]);
      return records.map((record) => presentReleased(record, workflows.has(record.workflowId)));
    },
  ),
  partOfRule,
};
