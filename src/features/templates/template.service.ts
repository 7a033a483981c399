import type { Clock } from '../../platform/clock/clock';
import type { Contained } from '../../platform/contained/tasks';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { JobService } from '../jobs/job.service';
import type { KnownConnectors } from '../workflows/workflow.ports';
import type { WorkflowService } from '../workflows/workflow.service';
import type { AggregatorNames } from './body/named-aggregators';
import { createTemplateChanges } from './template-changes';
import { createTemplateContents } from './template-contents';
import { createTemplateCreation } from './template-creation';
import { createTemplateImport } from './template-import';
import { createTemplateInstantiation } from './template-instantiation';
import { createTemplateReads } from './template-reads';
import type { TemplateTasks } from './template-tasks';
import { createTemplateWriting } from './template-writing';
import { templateModel } from './template.model';
import { createTemplatesByConnectors } from './templates-by-connectors';

declare module '../../platform/context' {
  interface Services {
    templates: TemplateService;
  }
}

export interface TemplateDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly jobs: JobService;
  readonly workflows: WorkflowService;
  readonly connectors: Pick<KnownConnectors, 'facts'>;
  readonly aggregators: AggregatorNames;
  /** Maximum size of an uploaded file, bytes. */
  readonly uploadBytes: number;
  readonly contained: Contained<TemplateTasks>;
}

export type TemplateService = ReturnType<typeof createTemplateService>;

/**
 * Templates: workflows without connectors and secrets, from which workflows are created. One file
 * per use case.
 */
export function createTemplateService({
  store,
  clock,
  audit,
  jobs,
  workflows,
  connectors,
  aggregators,
  uploadBytes,
  contained,
}: TemplateDependencies) {
  const templates = templateModel(store);
  const contents = createTemplateContents(store);
  const reads = createTemplateReads({ templates, contents });
  const writing = createTemplateWriting({ store, clock, audit, templates, contents });
  return {
    uploadBytes,
    ...reads,
    ...createTemplateCreation({ store, workflows, connectors, aggregators, writing }),
    ...createTemplateChanges({ store, writing }),
    ...createTemplateImport({ store, jobs, writing, contained }),
    ...createTemplateInstantiation({ workflows, connectors, aggregators, reads }),
    ...createTemplatesByConnectors({ connectors, reads }),
  };
}
