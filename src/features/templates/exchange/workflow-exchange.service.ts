import type { Actor } from '../../../platform/access/actor';
import { allows } from '../../../platform/access/need';
import {
  Forbidden,
  isCurable,
  NotFound,
  reasonsOf,
  Refused,
} from '../../../platform/errors/errors';
import type { Problem } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import { parseJsonFile } from '../../../platform/json/parse-json';
import type { LargeInputs } from '../../../platform/large-inputs';
import { secretsNamedIn } from '../../../platform/secrets';
import { isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import { workflowPolicy } from '../../workflows/workflow.policy';
import type { WorkflowWithDocument } from '../../workflows/workflow-reader';
import type { ConnectorSlot } from '../body/connector-slots';
import { templateBody } from '../body/template-body';
import type { TemplateBody } from '../body/template-body';
import type { ConnectorChoice, WorkflowBodies } from '../body/workflow-bodies';
import { TEMPLATE_VERSION } from '../conversion/template-versions';

declare module '../../../platform/context' {
  interface Services {
    workflowExchange: WorkflowExchangeService;
  }
}

const FORMAT = 'hypha-workflow';
/** Incremented by changes that readers of the previous version would misread. */
const FORMAT_VERSION = 1;
const NOT_A_WORKFLOW_FILE = 'This is not a workflow file.';

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
  readonly connectors: readonly (ConnectorSlot & { readonly slot: number })[];
  readonly secrets: readonly string[];
  /** Paths of removed values. */
  readonly leftOut: readonly string[];
  readonly workflow: JsonObject;
}

type ReadFile = Pick<WorkflowFile, 'title' | 'productVersion' | 'workflow'>;

interface WorkflowToImport {
  /** The file as bytes, or its parsed content. */
  readonly file: Buffer | { readonly content: unknown };
  readonly connectors: readonly ConnectorChoice[];
  /** Null: the title in the file, or the first free title derived from it. */
  readonly title: string | null;
}

/** Export and import of workflows between installations. */
export class WorkflowExchangeService {
  constructor(
    private readonly bodies: WorkflowBodies,
    private readonly largeInputs: LargeInputs,
    /** Maximum size of a file, bytes. */
    readonly fileBytes: number,
  ) {}

  /**
   * Exports a workflow as a file for `import`. It contains names of invokers and secrets, but no
   * connectors, credentials or values.
   * @throws NotFound CONNECTION_NOT_FOUND
   */
  async export(id: number): Promise<WorkflowFile> {
    const { record, body } = await this.bodies.read(id);
    const { document, connectors, leftOut } = body;
    return {
      format: FORMAT,
      formatVersion: FORMAT_VERSION,
      productVersion: TEMPLATE_VERSION,
      title: record.title,
      connectors: connectors.map((slot, at) => ({ slot: at + 1, ...slot })),
      secrets: [...secretsNamedIn(document)].sort(),
      leftOut,
      workflow: document,
    };
  }

  /**
   * Saves a new workflow from an exported file.
   * @throws Forbidden may not create workflows
   * @throws Refused WORKFLOW_FILE_INVALID
   * @throws Unavailable INPUT_QUEUE_FULL
   * @throws the errors of `WorkflowBodies.save`
   */
  async import(
    actor: Actor,
    { file, connectors, title }: WorkflowToImport,
  ): Promise<WorkflowWithDocument> {
    if (!allows(workflowPolicy.create, actor))
      throw new Forbidden(`This needs ${workflowPolicy.create}.`);
    using share = this.largeInputs.share();
    if (Buffer.isBuffer(file)) await share.take(file.length);
    const sent = readContent(Buffer.isBuffer(file) ? parseFile(file) : file.content);
    const { document: body, connectors: slots } = readBody(sent);
    const choices = [...connectors, ...(await this.bodies.chooseByTitle(slots, connectors))];
    return this.bodies.save(
      actor,
      { body, slots, choices, title, fallbackTitle: sent.title },
      new Findings(),
    );
  }
}

function parseFile(bytes: Buffer): unknown {
  try {
    return parseJsonFile(bytes);
  } catch (error) {
    if (!isCurable(error)) throw error;
    const message = `The file is not valid JSON. ${error.message}`;
    throw new Refused('WORKFLOW_FILE_INVALID', message, { path: ['file'] });
  }
}

/**
 * Reads an exported file. Besides the workflow only the title and version are used: the workflow
 * contains the rest.
 * @throws Refused WORKFLOW_FILE_INVALID with each wrong path
 */
function readContent(value: unknown): ReadFile {
  const { format, formatVersion, productVersion, title, workflow } = isJsonObject(value)
    ? value
    : {};
  const problems: Problem[] = [];
  const expect = (isValid: boolean, field: string, message: string): void => {
    if (!isValid)
      problems.push({ code: 'WORKFLOW_FILE_INVALID', path: ['content', field], message });
  };
  expect(format === FORMAT, 'format', `Expected ${FORMAT}.`);
  const version = `Only version ${FORMAT_VERSION} of the format is supported.`;
  expect(formatVersion === FORMAT_VERSION, 'formatVersion', version);
  expect(typeof productVersion === 'string', 'productVersion', 'Expected text.');
  expect(typeof title === 'string', 'title', 'Expected text.');
  expect(isJsonObject(workflow), 'workflow', 'Expected the workflow as a JSON object.');
  if (problems.length > 0)
    throw new Refused('WORKFLOW_FILE_INVALID', NOT_A_WORKFLOW_FILE, {
      path: problems[0].path,
      problems,
    });
  return { title, productVersion, workflow } as ReadFile;
}

/** @throws Refused WORKFLOW_FILE_INVALID with each wrong path */
function readBody({ workflow, productVersion }: ReadFile): TemplateBody {
  try {
    return templateBody(workflow, productVersion, 'file');
  } catch (error) {
    if (!isCurable(error) || error instanceof NotFound) throw error;
    const problems = reasonsOf(error).map((problem) => ({
      ...problem,
      path: ['content', 'workflow', ...problem.path.slice(1)],
    }));
    throw new Refused('WORKFLOW_FILE_INVALID', NOT_A_WORKFLOW_FILE, {
      path: problems[0]?.path,
      problems,
    });
  }
}
