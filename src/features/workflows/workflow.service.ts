import type { Config } from '../../config/config';
import type { Core } from '../../platform/core';
import type { AuditService } from '../audit/audit.service';
import type { RunCounters } from '../widgets/run-counters.service';
import { createWorkflowDiff } from './diff/workflow-diff';
import { createWorkflowEdits } from './edits/workflow-edits';
import { ErrorWorkflows } from './error-workflow/error-workflows';
import { WorkflowLists } from './lists/workflow-lists';
import { createWorkflowPatches } from './patches/workflow-patches';
import { ReferenceChecker } from './references/reference-checker';
import { MaskingRuleRecords } from './rules/rule-records';
import { MaskingRuleService } from './rules/rule.service';
import { createUndoStack } from './undo/undo-stack';
import { createWorkflowUndo } from './undo/workflow-undo';
import { WorkflowValidation } from './validation/workflow-validation';
import { createVersionHistory } from './versions/version-history';
import { createWorkflowSnapshots } from './versions/workflow-snapshots';
import { createWorkflowVersions } from './versions/workflow-versions';
import { workflowModel } from './workflow.model';
import type { ReferencedRecords, SchedulesOfWorkflows } from './workflow.ports';
import { WorkflowDeletion } from './workflow-deletion';
import { WorkflowDuplication } from './workflow-duplication';
import { WorkflowParser } from './workflow-parser';
import { WorkflowSaving } from './workflow-saving';
import { WorkflowWriting } from './workflow-writing';

declare module '../../platform/context' {
  interface Services {
    workflows: WorkflowService;
  }
}

/** Reads, saves and edits workflows, with the snapshots for runs and the history. */
export type WorkflowService = ReturnType<typeof createWorkflows>['workflows'];

/** Creates the services of workflows, in the order in which they need each other. */
export function createWorkflows({
  core,
  audit,
  counters,
  config,
  records,
  schedules,
}: {
  readonly core: Core;
  readonly audit: AuditService;
  readonly counters: RunCounters;
  readonly config: Pick<Config, 'workflow' | 'limits'>;
  readonly records: ReferencedRecords;
  readonly schedules: SchedulesOfWorkflows;
}) {
  const { store, clock } = core;
  const versions = createWorkflowVersions(store);
  const undos = createUndoStack(store);
  const rules = new MaskingRuleRecords(store);
  const references = new ReferenceChecker(records);
  const writing = new WorkflowWriting({ core, versions, references, undos, rules });
  const saving = new WorkflowSaving(store, versions, rules, {
    audit,
    config: config.workflow,
    parser: new WorkflowParser(references, config.limits.workflowBytes),
    writing,
    references,
    undos,
  });
  const reading = saving;
  const errorWorkflows = new ErrorWorkflows(store, { audit, reading, writing });
  const maskingRules = new MaskingRuleService({ core, audit, reading, writing, records: rules });
  const history = createVersionHistory({ store, audit, reading, writing, versions });
  const workflows = workflowModel(store);
  return {
    // To be services of their own: until then they are added to the instance, not spread, because
    // spreading would lose the methods of the class.
    workflows: Object.assign(saving, {
      ...history,
      ...createWorkflowSnapshots({ store, clock, config, workflows, reading, writing, versions }),
      ...createWorkflowDiff({ reading, history }),
      ...createWorkflowPatches({ config, saving }),
      ...createWorkflowEdits({ saving }),
      ...createWorkflowUndo({ reading, saving, undos }),
    }),
    workflowDeletion: new WorkflowDeletion(store, {
      audit,
      counters,
      reading,
      writing,
      versions,
      schedules,
    }),
    workflowDuplication: new WorkflowDuplication(store, {
      audit,
      reading,
      writing,
      versions,
      rules: maskingRules,
      errorWorkflows,
    }),
    workflowLists: new WorkflowLists(core, records.connectors),
    workflowValidation: new WorkflowValidation(reading, records),
    maskingRules,
    errorWorkflows,
  };
}
