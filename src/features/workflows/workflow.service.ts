import type { Config } from '../../config/config';
import type { Core } from '../../platform/core';
import type { AuditService } from '../audit/audit.service';
import type { RunCounters } from '../widgets/run-counters.service';
import { ErrorWorkflows } from './error-workflow/error-workflows';
import { WorkflowLists } from './lists/workflow-lists';
import { ReferenceChecker } from './references/reference-checker';
import { MaskingRuleRecords } from './rules/rule-records';
import { MaskingRuleService } from './rules/rule.service';
import { WorkflowValidation } from './validation/workflow-validation';
import { EditingService } from './editing/editing.service';
import { UndoStack } from './editing/undo-stack';
import { VersionService } from './versions/version.service';
import { WorkflowSnapshots } from './versions/workflow-snapshots';
import { WorkflowVersions } from './versions/workflow-versions';
import type { ReferencedRecords, SchedulesOfWorkflows } from './workflow.ports';
import { WorkflowDeletion } from './workflow-deletion';
import { WorkflowDuplication } from './workflow-duplication';
import { WorkflowParser } from './workflow-parser';
import type { WorkflowReading } from './workflow-reading';
import { WorkflowSaving } from './workflow-saving';
import { WorkflowWriting } from './workflow-writing';

declare module '../../platform/context' {
  interface Services {
    workflows: WorkflowService;
  }
}

/** Reads and saves workflows. */
export type WorkflowService = WorkflowSaving;

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
  const versions = new WorkflowVersions(store);
  const undos = new UndoStack(store);
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
  const reading: WorkflowReading = saving;
  const errorWorkflows = new ErrorWorkflows(store, { audit, reading, writing });
  const maskingRules = new MaskingRuleService({ core, audit, reading, writing, records: rules });
  const { workflowBytes } = config.limits;
  const snapshots = new WorkflowSnapshots({
    store,
    clock,
    reading,
    writing,
    versions,
    workflowBytes,
  });
  return {
    workflows: saving,
    workflowSnapshots: snapshots,
    workflowEditing: new EditingService({ reading, saving, undos, workflowBytes }),
    workflowVersions: new VersionService({ store, audit, reading, writing, versions }),
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
