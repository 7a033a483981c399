import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';

/** Maximum number of support files of one workflow; a new one replaces the oldest. */
export const MOST_OF_A_WORKFLOW = 10;

export const supportLogNotFound = (path: InputPath = ['id']): NotFound =>
  new NotFound('SUPPORT_FILE_NOT_FOUND', 'There is no such support file, or no longer.', { path });

/** `support_7_2026-05-07_15-13-01_3.zip`: workflow id, time of packing (UTC), id of the file. */
export function supportFileName(id: number, workflowId: number, at: Date): string {
  const moment = at.toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '-');
  return `support_${workflowId}_${moment}_${id}.zip`;
}
