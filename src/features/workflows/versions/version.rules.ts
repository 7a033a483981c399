import { BadInput, Conflict, NotFound } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { textProblems } from '../../../platform/text/characters';
import type { VersionRecord, WorkflowRecord } from '../workflow.model';

/** Maximum characters of a version comment. */
export const COMMENT_LENGTH = 500;

/**
 * Checks the comment of a version.
 * @throws BadInput TEXT_TOO_LONG, TEXT_INVALID
 */
export function refuseComment(comment: string): void {
  const problems = textProblems(comment, COMMENT_LENGTH, ['comment']);
  if (problems.length > 0)
    throw new BadInput('BAD_REQUEST', 'The comment does not fit.', { problems });
}

export const isCurrent = (
  version: Pick<VersionRecord, '_id'>,
  workflow: Pick<WorkflowRecord, 'snapshotId'>,
): boolean => version._id === workflow.snapshotId;

export const versionNotFound = (
  workflowId: number,
  snapshotId: string,
  path: InputPath = ['snapshotId'],
): NotFound =>
  new NotFound(
    'VERSION_NOT_FOUND',
    `Workflow ${workflowId} has no version ${JSON.stringify(snapshotId.slice(0, 100))}.`,
    { path },
  );

/**
 * Rejects the deletion of the current version, and of one that a run executes.
 * @throws Conflict VERSION_IN_USE
 */
export function refuseInUse(version: VersionRecord, workflow: WorkflowRecord): void {
  const inUse = (message: string): Conflict =>
    new Conflict('VERSION_IN_USE', message, { path: ['snapshotId'] });
  if (isCurrent(version, workflow))
    throw inUse('This is the current version of the workflow. Switch to another one first.');
  if (version.uses > 0) throw inUse('A run executes this version. Wait for its end, or cancel it.');
}
