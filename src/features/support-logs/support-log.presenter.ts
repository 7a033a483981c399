import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId, AnswerMoment } from '../../platform/http/scalars';
import type { SupportLogRecord } from './support-log.model';

interface SupportLogPresenters {
  readonly one: Presenter<[SupportLogRecord]>;
  readonly list: Presenter<[readonly SupportLogRecord[]]>;
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
};
