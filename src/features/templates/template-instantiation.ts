import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { Forbidden } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { workflowPolicy } from '../workflows/workflow.policy';
import type { KnownConnectors } from '../workflows/workflow.ports';
import type { WorkflowWithDocument } from '../workflows/workflow-reading';
import type { WorkflowService } from '../workflows/workflow.service';
import { chosenConnectors, withChosen } from './body/choose-connectors';
import type { ConnectorChoice } from './body/choose-connectors';
import { withAggregatorIds } from './body/named-aggregators';
import type { AggregatorNames } from './body/named-aggregators';
import { saveBody } from './body/save-body';
import type { TemplateReads } from './template-reads';
import { templateNotFound } from './template-reads';
import { templatePolicy } from './template.policy';

export interface Instantiation {
  readonly connectors: readonly ConnectorChoice[];
  /** Null: the name of the template, or the first free title derived from it. */
  readonly title: string | null;
}

export interface TemplateInstantiationDependencies {
  readonly workflows: WorkflowService;
  readonly connectors: Pick<KnownConnectors, 'facts'>;
  readonly aggregators: AggregatorNames;
  readonly reads: TemplateReads;
}

export function createTemplateInstantiation({
  workflows,
  connectors,
  aggregators,
  reads,
}: TemplateInstantiationDependencies) {
  return {
    /**
     * Saves a new workflow from a template, with a connector for each open slot.
     * @throws Forbidden may not create workflows
     * @throws NotFound  TEMPLATE_NOT_FOUND, also without the permission to read templates
     * @throws Refused   TEMPLATE_CONNECTOR_MISSING, TEMPLATE_CONNECTOR_UNKNOWN,
     * TEMPLATE_CONNECTOR_MISFIT, CONNECTOR_NOT_FOUND for a choice; the errors of a save
     * @throws Conflict  TITLE_HAS_ALREADY_TAKEN the given title is in use
     */
    async instantiate(
      actor: Actor,
      id: number,
      { connectors: choices, title }: Instantiation,
    ): Promise<WorkflowWithDocument> {
      if (!allows(workflowPolicy.create, actor))
        throw new Forbidden(`This needs ${workflowPolicy.create}.`);
      const found = new Findings();
      const template = await found.of(() => {
        if (!allows(templatePolicy.read, actor)) throw templateNotFound(id);
        return reads.getWithBodyById(id);
      });
      if (!template) return found.refuse() as never;
      const { record, body } = template;
      const chosen = await chosenConnectors(record.connectors, choices, connectors, found);
      return saveBody({
        workflows,
        actor,
        document: await withAggregatorIds(
          await withChosen(body, record.connectors, chosen),
          aggregators,
        ),
        title,
        fallbackTitle: record.name,
        found,
      });
    },
  };
}
