import type { Actor } from '../../../platform/access/actor';
import { allows } from '../../../platform/access/need';
import {
  Forbidden,
  isCurable,
  NotFound,
  reasonsOf,
  Refused,
} from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import { inTurns } from '../../../platform/event-loop';
import { parseJson } from '../../../platform/json/parse-json';
import type { LargeInputs } from '../../../platform/large-inputs';
import { secretsNamedIn } from '../../../platform/secrets';
import { fold } from '../../../platform/text/fold';
import { workflowPolicy } from '../../workflows/workflow.policy';
import type { KnownConnectors } from '../../workflows/workflow.ports';
import type { WorkflowWithDocument } from '../../workflows/workflow-reading';
import type { WorkflowService } from '../../workflows/workflow.service';
import { chosenConnectors, withChosen } from '../body/choose-connectors';
import type { ConnectorChoice } from '../body/choose-connectors';
import { connectorIdsIn } from '../body/connector-slots';
import type { ConnectorSlot } from '../body/connector-slots';
import { withAggregatorIds, withAggregatorNames } from '../body/named-aggregators';
import type { AggregatorNames } from '../body/named-aggregators';
import { saveBody } from '../body/save-body';
import { templateBody } from '../body/template-body';
import type { TemplateBody } from '../body/template-body';
import { TEMPLATE_VERSION } from '../conversion/template-versions';
import { readWorkflowFile, workflowFile } from './workflow-file';
import type { WorkflowFile } from './workflow-file';

declare module '../../../platform/context' {
  interface Services {
    workflowExchange: WorkflowExchangeService;
  }
}

export interface WorkflowExchangeDependencies {
  readonly workflows: WorkflowService;
  readonly connectors: Pick<KnownConnectors, 'facts' | 'ofInvoker'>;
  readonly aggregators: AggregatorNames;
  readonly largeInputs: LargeInputs;
}

export interface WorkflowToImport {
  /** The file as bytes, or its parsed content. */
  readonly file: Buffer | { readonly content: unknown };
  readonly connectors: readonly ConnectorChoice[];
  /** Null: the title in the file, or the first free title derived from it. */
  readonly title: string | null;
}

export type WorkflowExchangeService = ReturnType<typeof createWorkflowExchange>;

/** Export and import of workflows between installations. */
export function createWorkflowExchange({
  workflows,
  connectors,
  aggregators,
  largeInputs,
}: WorkflowExchangeDependencies) {
  /** Chooses connectors for open slots: those with the same title and invoker. */
  async function sameNamed(
    slots: readonly ConnectorSlot[],
    chosen: readonly ConnectorChoice[],
  ): Promise<ConnectorChoice[]> {
    const named = new Set(chosen.map(({ slot }) => slot));
    const found: ConnectorChoice[] = [];
    for (const [at, { invoker, title }] of slots.entries()) {
      if (named.has(at + 1) || invoker === null) continue;
      const candidates = await connectors.facts([...(await connectors.ofInvoker(invoker))]);
      const same = [...candidates].find(([, facts]) => fold(facts.title) === fold(title));
      if (same) found.push({ slot: at + 1, connectorId: same[0] });
    }
    return found;
  }

  const read = async (
    file: WorkflowToImport['file'],
  ): Promise<ReturnType<typeof readWorkflowFile>> =>
    readWorkflowFile(Buffer.isBuffer(file) ? await parsed(file) : file.content);

  return {
    /**
     * Exports a workflow as a file for `import`. It contains names of invokers and secrets, but no
     * connectors, credentials or values.
     * @throws NotFound CONNECTION_NOT_FOUND
     */
    async export(id: number): Promise<WorkflowFile> {
      const { record, document } = await workflows.getOriginal(id);
      const body = await templateBody(
        await withAggregatorNames(document, aggregators),
        TEMPLATE_VERSION,
        'workflow',
        await connectors.facts(connectorIdsIn(document)),
      );
      return workflowFile({
        productVersion: TEMPLATE_VERSION,
        title: record.title,
        connectors: body.connectors.map((slot, at) => ({ slot: at + 1, ...slot })),
        secrets: [...(await inTurns((turn) => secretsNamedIn(body.document, turn)))].sort(),
        leftOut: body.leftOut,
        workflow: body.document,
      });
    },

    /**
     * Saves a new workflow from an exported file.
     * @throws Forbidden may not create workflows
     * @throws Refused   WORKFLOW_FILE_INVALID, TEMPLATE_CONNECTOR_MISSING,
     * TEMPLATE_CONNECTOR_UNKNOWN, TEMPLATE_CONNECTOR_MISFIT; the errors of a save
     * @throws NotFound  CONNECTOR_NOT_FOUND a chosen connector does not exist
     * @throws Conflict  TITLE_HAS_ALREADY_TAKEN the given title is in use
     * @throws Unavailable INPUT_QUEUE_FULL
     */
    async import(
      actor: Actor,
      { file, connectors: choices, title }: WorkflowToImport,
    ): Promise<WorkflowWithDocument> {
      if (!allows(workflowPolicy.create, actor))
        throw new Forbidden(`This needs ${workflowPolicy.create}.`);
      using share = largeInputs.share();
      if (Buffer.isBuffer(file)) await share.take(file.length);
      const found = new Findings();
      const sent = await found.of(() => read(file));
      const body = sent && (await found.of(() => bodyOf(sent)));
      if (!sent || !body) return found.refuse() as never;
      const chosen = await chosenConnectors(
        body.connectors,
        [...choices, ...(await sameNamed(body.connectors, choices))],
        connectors,
        found,
      );
      return saveBody({
        workflows,
        actor,
        document: await withAggregatorIds(
          await withChosen(body.document, body.connectors, chosen),
          aggregators,
        ),
        title,
        fallbackTitle: sent.title,
        found,
      });
    },
  };
}

async function parsed(bytes: Buffer): Promise<unknown> {
  try {
    return await parseJson(bytes);
  } catch (error) {
    if (!isCurable(error)) throw error;
    throw new Refused('WORKFLOW_FILE_INVALID', `The file should be JSON. ${error.message}`, {
      path: ['file'],
    });
  }
}

async function bodyOf({
  workflow,
  productVersion,
}: Pick<WorkflowFile, 'workflow' | 'productVersion'>): Promise<TemplateBody> {
  try {
    return await templateBody(workflow, productVersion, 'file');
  } catch (error) {
    if (!isCurable(error) || error instanceof NotFound) throw error;
    const problems = reasonsOf(error).map((problem) => ({
      ...problem,
      path: ['content', 'workflow', ...problem.path.slice(1)],
    }));
    throw new Refused('WORKFLOW_FILE_INVALID', 'This is no file of a workflow.', {
      path: problems[0]?.path,
      problems,
    });
  }
}
