import { NotFound } from '../../../platform/errors/errors';
import type { RunRecord } from '../run.model';
import { workflowOfLog } from '../run-log.rules';

/** `s`: succeeded; `f`: did not succeed. */
export const FILE_STATES = ['s', 'f'] as const;
export type FileState = (typeof FILE_STATES)[number];

/** Date, time (UTC), workflow, state and run: the file name of a log in the released API. */
export function fileNameOf(
  run: Pick<RunRecord, '_id' | 'workflowId' | 'state' | 'queuedAt' | 'logOf' | 'logGone'>,
): string {
  const { _id, state, queuedAt } = run;
  const [date, time = ''] = queuedAt.toISOString().split('T');
  return `${date}_${time.slice(0, 5).replace(':', '-')}_${workflowOfLog(run)}_${state === 'SUCCEEDED' ? 's' : 'f'}_${_id}.log`;
}

const FORM = /^\d{4}-\d\d-\d\d_\d\d-\d\d_\d{1,10}_[sf]_([1-9]\d{0,9})\.log$/;

export const fileNotFound = (path: 'fileName' | 'after' = 'fileName'): NotFound =>
  new NotFound('LOG_FILE_NOT_FOUND', 'There is no file of a log that is called so.', {
    path: [path],
  });

/** Returns the run that a log file is named after. @throws NotFound LOG_FILE_NOT_FOUND */
export function runOfFile(fileName: string, path?: 'fileName' | 'after'): number {
  const [, runId] = FORM.exec(fileName) ?? [];
  if (runId === undefined) throw fileNotFound(path);
  return Number(runId);
}
