import type { Config } from '../../config/config';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { RunCounters } from '../widgets/run-counters.service';
import type { WorkflowRecord } from './workflow.model';
import { workflowSchema } from './workflow.model';
import type { WorkflowPorts } from './workflow.ports';
import { createWorkflowMetadata } from './lists/workflow-metadata';
import { createKnownReferences } from './references/known-references';
import { createWorkflowCategories } from './references/workflow-categories';
import { rowsNaming } from './references/rows-naming';
import { createSecretUsers } from './references/secret-users';
import { createWebhookVariables } from './references/known-webhook-variables';
import { createWorkflowUsage } from './references/workflow-usage';
import { createMaskingRules } from './rules/masking-rules';
import { createRuleRows } from './rules/rule-rows';
import { createErrorWorkflows } from './error-workflow/error-workflows';
import { createWorkflowDeletion } from './workflow-deletion';
import { createWorkflowDraft } from './workflow-draft';
import { createWorkflowDuplication } from './workflow-duplication';
import { createWorkflowReading } from './workflow-reading';
import { createWorkflowEdits } from './edits/workflow-edits';
import { createWorkflowPatches } from './patches/workflow-patches';
import { createUndoStack } from './undo/undo-stack';
import { createWorkflowUndo } from './undo/workflow-undo';
import { createWorkflowSaving } from './workflow-saving';
import type { WorkflowSaving } from './workflow-saving';
import { createWorkflowSnapshots } from './versions/workflow-snapshots';
import { createWorkflowDiff } from './diff/workflow-diff';
import { createWorkflowValidation } from './validation/workflow-validation';
import { createVersionHistory } from './versions/version-history';
import { createWorkflowVersions } from './versions/workflow-versions';
import { createWorkflowWriting } from './workflow-writing';
import type { WorkflowWriting } from './workflow-writing';
import { createWorkflowsChanging } from './workflows-changing';

declare module '../../platform/context' {
  interface Services {
    workflows: WorkflowService;
  }
}

export type WorkflowService = ReturnType<typeof createWorkflowService>;

export interface WorkflowDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly counters: RunCounters;
  readonly config: Pick<Config, 'workflow' | 'limits'>;
  readonly ports: WorkflowPorts;
}

/** The rules of workflows, one file each: reading, saving, deleting, and what runs hold on to. */
export function createWorkflowService({ store, bus, clock, audit, counters, config, ports }: WorkflowDependencies) {
  const workflows = store.model<WorkflowRecord>('Workflow', workflowSchema, 'workflows');
  const versions = createWorkflowVersions(store);
  const reading = createWorkflowReading({ workflows, versions });
  const references = createKnownReferences(ports);
  const undos = createUndoStack(store);
  const rows = createRuleRows(store);
  const writing = createWorkflowWriting({ store, bus, clock, workflows, versions, references, undos, rules: rows });
  const saving = createWorkflowSaving({ store, audit, config, reading, writing, versions, references, undos });
  const history = createVersionHistory({ store, audit, reading, writing, versions });
  const errors = createErrorWorkflows({ store, audit, workflows, reading, writing });
  const rules = createMaskingRules({ store, clock, audit, reading, writing, rows });

  return {
    ...reading,
    ...rules,
    ...errors,
    ...createWorkflowUsage(workflows),
    ...createWorkflowCategories({ workflows, writing }),
    ...createSecretUsers(workflows),
    /** The saved workflows with a method that names each of these aggregators: one read for all. */
    workflowsOfAggregators: (ids: readonly number[]) => rowsNaming(workflows, 'aggregatorIds', ids),
    ...createWorkflowMetadata({ workflows, connectors: ports.connectors }),
    ...createWorkflowSnapshots({ store, clock, config, workflows, reading, writing, versions }),

    ...history,

    ...createWorkflowDiff({ reading, history }),

    ...createWorkflowDuplication({ store, audit, workflows, reading, writing, versions, rules, errors }),

    webhookVariables: createWebhookVariables(reading),

    ...createWorkflowValidation({ reading, ports }),

    ...createWorkflowDeletion({ store, audit, counters, workflows, reading, writing, versions, errors, schedules: ports.schedules }),

    claimLasting: (...of: Parameters<WorkflowWriting['claimLasting']>) => writing.claimLasting(...of),
    save: (...of: Parameters<WorkflowSaving['save']>) => saving.save(...of),
    ...createWorkflowPatches({ config, saving }),
    ...createWorkflowEdits({ saving }),
    ...createWorkflowUndo({ reading, saving, undos }),
    ...createWorkflowDraft(saving),
    ...createWorkflowsChanging({ store, bus, workflows }),
  };
}
