import { Refused } from '../../../platform/errors/errors';
import type { Problem } from '../../../platform/errors/errors';
import { isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import type { ConnectorSlot } from '../body/connector-slots';

const FORMAT = 'hypha-workflow';
/** Incremented by changes that readers of the previous version would misread. */
const FORMAT_VERSION = 1;

/** An open connector in a file. */
export interface FileConnector extends ConnectorSlot {
  readonly slot: number;
}

/**
 * An exported workflow. Contains names of invokers and secrets, never their values
 * (docs/templates.md).
 */
export interface WorkflowFile {
  readonly format: typeof FORMAT;
  readonly formatVersion: number;
  /** Version whose form the workflow has. */
  readonly productVersion: string;
  readonly title: string;
  readonly connectors: readonly FileConnector[];
  readonly secrets: readonly string[];
  /** Paths of removed values. */
  readonly leftOut: readonly string[];
  readonly workflow: JsonObject;
}

export const workflowFile = (
  content: Omit<WorkflowFile, 'format' | 'formatVersion'>,
): WorkflowFile => ({ format: FORMAT, formatVersion: FORMAT_VERSION, ...content });

const problem = (path: string, message: string): Problem => ({
  code: 'WORKFLOW_FILE_INVALID',
  path: ['content', path],
  message,
});

/**
 * Parses an exported file. Besides the workflow only the title and version are used: the workflow
 * contains the rest.
 * @throws Refused WORKFLOW_FILE_INVALID with each wrong path
 */
export function readWorkflowFile(
  value: unknown,
): Pick<WorkflowFile, 'title' | 'productVersion' | 'workflow'> {
  const { format, formatVersion, productVersion, title, workflow } = isJsonObject(value)
    ? value
    : {};
  const problems = [
    ...(format === FORMAT ? [] : [problem('format', `Expected ${FORMAT}.`)]),
    ...(formatVersion === FORMAT_VERSION
      ? []
      : [problem('formatVersion', `Only version ${FORMAT_VERSION} of the format is read here.`)]),
    ...(typeof productVersion === 'string' ? [] : [problem('productVersion', 'Expected text.')]),
    ...(typeof title === 'string' ? [] : [problem('title', 'Expected text.')]),
    ...(isJsonObject(workflow)
      ? []
      : [problem('workflow', 'Expected the workflow as a JSON object.')]),
  ];
  if (
    problems.length > 0 ||
    typeof title !== 'string' ||
    typeof productVersion !== 'string' ||
    !isJsonObject(workflow)
  ) {
    throw new Refused('WORKFLOW_FILE_INVALID', 'This is no file of a workflow.', {
      path: problems[0]?.path,
      problems,
    });
  }
  return { title, productVersion, workflow };
}
