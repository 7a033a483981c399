import { BadInput, Conflict, NotFound } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { textProblems } from '../../../platform/text/text-problems';
import type { VersionRecord, WorkflowRecord } from '../workflow.model';

/** Characters of what is said about a version. */
export const COMMENT_LENGTH = 500;

/**
 * What people say about a version: any text that is not too long.
 * @throws BadInput TEXT_TOO_LONG, TEXT_INVALID
 */
export function refuseComment(comment: string): void {
  const problems = textProblems(comment, COMMENT_LENGTH, ['comment']);
  if (problems.length > 0)
    throw new BadInput('BAD_REQUEST', 'The comment does not fit.', { problems });
}

/** Is this the version that the workflow is now? */
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
 * What a workflow is now, and what a run executes, stays.
 * @throws Conflict VERSION_IN_USE
 */
export function refuseInUse(version: VersionRecord, workflow: WorkflowRecord): void {
  const inUse = (message: string): Conflict =>
    new Conflict('VERSION_IN_USE', message, { path: ['snapshotId'] });
  if (isCurrent(version, workflow))
    throw inUse('This is the current version of the workflow. Switch to another one first.');
  if (version.uses > 0) throw inUse('A run executes this version. Wait for its end, or cancel it.');
}
