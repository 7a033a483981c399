import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { NotFound } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Store } from '../../platform/store/store';
import { workflowPolicy } from '../workflows/workflow.policy';
import type { KnownConnectors } from '../workflows/workflow.ports';
import type { WorkflowService } from '../workflows/workflow.service';
import { connectorIdsIn } from './body/connector-slots';
import { withAggregatorNames } from './body/named-aggregators';
import type { AggregatorNames } from './body/named-aggregators';
import { templateBody } from './body/template-body';
import type { TemplateBody } from './body/template-body';
import { TEMPLATE_VERSION } from './conversion/template-versions';
import type { TemplateRecord } from './template.model';
import { factProblems, newTemplateId, templateInvalid } from './template.rules';
import type { SentTemplate, TemplateFacts } from './template.rules';
import type { TemplateWriting } from './template-writing';

/** Name, description and license of a template; missing ones are taken from the workflow. */
export type TemplateWords = Partial<TemplateFacts>;

export interface UnsavedTemplate extends TemplateFacts {
  readonly templateId: string;
  readonly body: TemplateBody;
}

export interface TemplateCreationDependencies {
  readonly store: Store;
  readonly workflows: WorkflowService;
  readonly connectors: Pick<KnownConnectors, 'facts'>;
  readonly aggregators: AggregatorNames;
  readonly writing: TemplateWriting;
}

/** Creates templates, from a workflow or from a request body. */
export function createTemplateCreation({
  store,
  workflows,
  connectors,
  aggregators,
  writing,
}: TemplateCreationDependencies) {
  /** Without the read permission, a workflow is reported as missing. */
  async function bodyOf(actor: Actor, workflowId: number) {
    if (!allows(workflowPolicy.read, actor))
      throw new NotFound('CONNECTION_NOT_FOUND', `There is no workflow ${workflowId}.`, {
        path: ['workflowId'],
      });
    const { record, document } = await workflows.getOriginal(workflowId);
    return {
      record,
      body: await templateBody(
        await withAggregatorNames(document, aggregators),
        TEMPLATE_VERSION,
        'workflow',
        await connectors.facts(connectorIdsIn(document)),
      ),
    };
  }

  return {
    /**
     * Returns a workflow as a template with a new id, without storing it.
     * @throws NotFound CONNECTION_NOT_FOUND
     */
    async ofWorkflow(actor: Actor, workflowId: number): Promise<UnsavedTemplate> {
      const { record, body } = await bodyOf(actor, workflowId);
      return {
        templateId: newTemplateId(),
        name: record.title,
        description: record.description,
        license: null,
        body,
      };
    },

    /**
     * Stores a workflow as a template. It contains the names of invokers, but no credentials,
     * connectors or secrets.
     * @throws NotFound CONNECTION_NOT_FOUND
     * @throws Refused  TEMPLATE_INVALID, NAME_INVALID
     */
    async create(
      actor: Actor,
      workflowId: number,
      { name, description, license = null }: TemplateWords,
    ): Promise<TemplateRecord> {
      const found = new Findings();
      const problems = factProblems({ name: name ?? 'that of the workflow', description, license });
      if (problems.length > 0) found.add(templateInvalid(problems));
      const { record, body } = found.passed(await found.of(() => bodyOf(actor, workflowId)));
      const facts = {
        name: name?.trim() ?? record.title,
        description: description === undefined ? record.description : description,
        license,
      };
      const packed = await writing.pack(newTemplateId(), facts, body);
      return store.transaction((tx) => writing.insert(actor, packed, tx));
    },

    /**
     * Stores a template from a client, under a new id.
     * @throws Refused TEMPLATE_INVALID
     */
    async add(actor: Actor, sent: SentTemplate): Promise<TemplateRecord> {
      const packed = await writing.pack(
        newTemplateId(),
        sent,
        await templateBody(sent.connection, sent.version, 'file'),
      );
      return store.transaction((tx) => writing.insert(actor, packed, tx));
    },
  };
}
