import { WorkflowAdoption } from './saving/workflow-adoption.service';
import { RemoteCallService } from './remote-call/remote-call.service';
import { WorkflowReferences } from './references/workflow-references';
import { TestSweeper } from './testing/test-sweeper';
import { workflowPolicy } from './workflow.policy';
import { WorkflowSnapshots } from './versions/workflow-snapshots';
import { WorkflowService } from './workflow.service';
import { EditingService } from './editing/editing.service';
import { UndoStack } from './editing/undo-stack';
import { ErrorWorkflows } from './error-workflow/error-workflows';
import { WorkflowLists } from './lists/workflow-lists';
import { ReleasedDocuments } from './released-documents.service';
import { ReferenceChecker } from './references/reference-checker';
import type { ReferencedRecords } from './references/referenced-records';
import { MaskingRuleRecords } from './rules/rule-records';
import { MaskingRuleService } from './rules/rule.service';
import { WorkflowDeletion } from './saving/workflow-deletion';
import { WorkflowDuplication } from './saving/workflow-duplication';
import { WorkflowParser } from './saving/workflow-parser';
import { WorkflowWriter } from './saving/workflow-writer';
import { DraftOfWorkflowResolver, WorkflowDraftResolver } from './drafts/draft.graphql';
import { DraftRecords, WorkflowDrafts } from './drafts/workflow-drafts';
import { PresenceOfWorkflowResolver, WorkflowPresenceResolver } from './presence/presence.graphql';
import { PresenceRecords } from './presence/presence-records';
import { PresenceService } from './presence/presence.service';
import { SampleRecords } from './samples/sample-records';
import { TestSnapshots } from './testing/test-snapshots';
import { WorkflowValidation } from './validation/workflow-validation';
import { VersionService } from './versions/version.service';
import { WorkflowVersions } from './versions/workflow-versions';
import type { Services } from '../../platform/context';
import type { Feature } from '../../feature';
import { CurlResolver } from './curl/curl.graphql';
import {
  DiffOfWorkflowResolver,
  FieldBindingDifferenceResolver,
  StepDifferenceResolver,
  WorkflowDiffResolver,
} from './editing/diff.graphql';
import { diffRoutes, documentedDiffs } from './editing/diff.rest';
import { StepCopyResolver, WorkflowEditsResolver } from './editing/editing.graphql';
import { ResumeSettings } from './resume/resume-settings';
import { ResumeSettingsResolver } from './resume/resume.graphql';
import { resumeRoutes } from './resume/resume.rest';
import { ErrorWorkflowResolver } from './error-workflow/error-workflow.graphql';
import { errorWorkflowRoutes } from './error-workflow/error-workflow.rest';
import {
  documentedMetadata,
  releasedMetadata,
  workflowMetadataRoutes,
} from './lists/workflow-lists.rest';
import { documentedPatches, patchRoutes, undoRoutes } from './editing/editing.rest';
import {
  documentedRemoteCalls,
  releasedRemoteCalls,
  remoteCallRoutes,
} from './remote-call/remote-call.rest';
import { ExpressionResolver } from './expressions/expression.graphql';
import { MaskingRuleResolver, RulesOfWorkflowResolver } from './rules/rule.graphql';
import { documentedRules } from './rules/rule.presenter';
import { ruleRoutes } from './rules/rule.rest';
import {
  DraftValidationResolver,
  ValidationOfWorkflowResolver,
} from './validation/validation.graphql';
import { documentedValidation, validationRoutes } from './validation/validation.rest';
import { VisibleStepsResolver } from './validation/visible-steps.graphql';
import { VersionChangesResolver } from './versions/version.graphql';
import { documentedVersions, releasedVersions, versionRoutes } from './versions/version.rest';
import { WorkflowResolver, WorkflowVersionResolver } from './workflow.graphql';
import { documentedWorkflows, releasedWorkflows } from './workflow.presenter';
import { workflowRoutes } from './workflow.rest';
import { WorkflowsChangedResolver } from './lists/workflows-changed.graphql';

declare module '../../platform/context' {
  interface Services {
    draftRecords: DraftRecords;
    maskingRuleRecords: MaskingRuleRecords;
    presenceRecords: PresenceRecords;
    referenceChecker: ReferenceChecker;
    releasedDocuments: ReleasedDocuments;
    sampleRecords: SampleRecords;
    /** Deletes workflows that tests left behind. */
    testSweeper: TestSweeper;
    undoStack: UndoStack;
    workflowDrafts: WorkflowDrafts;
    versionRecords: WorkflowVersions;
    workflowWriter: WorkflowWriter;
  }
}

const referencedRecords = (services: Services): ReferencedRecords => ({
  invokers: services.invokerCatalog,
  connectors: services.connectorCatalog,
  secrets: services.secretNames,
  aggregators: services.aggregatorCatalog,
  categories: services.knownCategories,
});

/** What most services of workflows need. */
const saving = ({ audit, workflows, workflowWriter, versionRecords }: Services) => ({
  audit,
  reading: workflows,
  writing: workflowWriter,
  versions: versionRecords,
});

export const workflowsFeature: Feature = {
  services: {
    errorWorkflows: ({ core: { store }, services }) => new ErrorWorkflows(store, saving(services)),
    resumeSettings: ({ core: { store }, services }) => new ResumeSettings(store, saving(services)),
    maskingRuleRecords: ({ core: { store } }) => new MaskingRuleRecords(store),
    maskingRules: ({ core, services }) =>
      new MaskingRuleService({ core, ...saving(services), records: services.maskingRuleRecords }),
    referenceChecker: ({ services }) => new ReferenceChecker(referencedRecords(services)),
    releasedDocuments: ({ services }) =>
      new ReleasedDocuments(services.connectorCatalog, services.shownInvokers),
    draftRecords: ({ core: { store } }) => new DraftRecords(store),
    presence: ({ core, services }) =>
      new PresenceService({ core, ...saving(services), records: services.presenceRecords }),
    presenceRecords: ({ core: { store } }) => new PresenceRecords(store),
    workflowDrafts: ({ core, services }) =>
      new WorkflowDrafts(core, services.workflowWriter, services.draftRecords),
    sampleRecords: ({ core: { store } }) => new SampleRecords(store),
    remoteCalls: ({ outbound }) => new RemoteCallService(outbound),
    testSnapshots: ({ core, config, services }) =>
      new TestSnapshots({ core, ...saving(services), workflowBytes: config.limits.workflowBytes }),
    testSweeper: ({ core, config, services }) =>
      new TestSweeper(
        core,
        services.workflowDeletion,
        (ids) => services.runs.interruptedAmong(ids),
        config.sweeper,
      ),
    undoStack: ({ core: { store } }) => new UndoStack(store),
    versionRecords: ({ core: { store } }) => new WorkflowVersions(store),
    workflowDeletion: ({ core: { store }, services }) =>
      new WorkflowDeletion(store, {
        ...saving(services),
        counters: services.runCounters,
        schedules: services.scheduleRemoval,
      }),
    workflowDuplication: ({ core: { store }, services }) =>
      new WorkflowDuplication(store, {
        ...saving(services),
        rules: services.maskingRules,
        errorWorkflows: services.errorWorkflows,
        resumeSettings: services.resumeSettings,
      }),
    workflowAdoption: ({ services }) =>
      new WorkflowAdoption({
        versions: services.versionRecords,
        writing: services.workflowWriter,
      }),
    workflowEditing: ({ config, services: { workflows, undoStack } }) =>
      new EditingService({
        workflows,
        undos: undoStack,
        workflowBytes: config.limits.workflowBytes,
      }),
    workflowLists: ({ core, services }) => new WorkflowLists(core, services.connectorCatalog),
    workflowReferences: ({ core: { store } }) => new WorkflowReferences(store),
    workflowSnapshots: ({ core: { store }, services }) =>
      new WorkflowSnapshots({ store, ...saving(services) }),
    workflowValidation: ({ config, services }) =>
      new WorkflowValidation(
        services.workflows,
        referencedRecords(services),
        config.limits.workflowBytes,
      ),
    workflowVersions: ({ core: { store }, services }) =>
      new VersionService({ store, ...saving(services) }),
    workflowWriter: ({ core, services }) =>
      new WorkflowWriter({
        core,
        versions: services.versionRecords,
        references: services.referenceChecker,
        undos: services.undoStack,
        parts: [
          services.maskingRuleRecords,
          services.sampleRecords,
          services.presenceRecords,
          services.draftRecords,
        ],
        audit: services.audit,
      }),
    workflows: ({ core: { store }, config, services }) =>
      new WorkflowService(store, services.versionRecords, services.maskingRuleRecords, {
        versionsKeep: config.workflow.versionsKeep,
        parser: new WorkflowParser(services.referenceChecker, config.limits.workflowBytes),
        writing: services.workflowWriter,
        references: services.referenceChecker,
        undos: services.undoStack,
      }),
  },
  search: ({ workflows }) => ({
    type: 'Workflow',
    need: workflowPolicy.read,
    find: (...of) => workflows.searchTitles(...of),
  }),
  startRecurring: ({ services }) => services.testSweeper.start(),
  stop: ({ services }) => {
    services.presence.stop();
    return services.testSweeper.stop();
  },
  tags: {
    'Masking rules': 'Additional masking of the logs of a workflow.',
    'Workflow versions': 'Versions of workflows, one for each save.',
    Workflows: 'Workflows, called `connection` in the REST API.',
  },
  resolvers: [
    ErrorWorkflowResolver,
    ResumeSettingsResolver,
    MaskingRuleResolver,
    RulesOfWorkflowResolver,
    CurlResolver,
    DiffOfWorkflowResolver,
    DraftValidationResolver,
    ExpressionResolver,
    DraftOfWorkflowResolver,
    PresenceOfWorkflowResolver,
    WorkflowDraftResolver,
    WorkflowPresenceResolver,
    FieldBindingDifferenceResolver,
    StepDifferenceResolver,
    WorkflowDiffResolver,
    ValidationOfWorkflowResolver,
    VersionChangesResolver,
    VisibleStepsResolver,
    WorkflowEditsResolver,
    StepCopyResolver,
    WorkflowResolver,
    WorkflowsChangedResolver,
    WorkflowVersionResolver,
  ],
  presenters: {
    patches: documentedPatches,
    workflowValidation: documentedValidation,
    workflowDiffs: documentedDiffs,
    workflowMetadata: documentedMetadata,
    maskingRules: documentedRules,
    workflowVersions: documentedVersions,
    workflows: documentedWorkflows,
    remoteCalls: documentedRemoteCalls,
  },
  releasedPresenters: {
    workflowMetadata: releasedMetadata,
    workflowVersions: releasedVersions,
    workflows: releasedWorkflows,
    remoteCalls: releasedRemoteCalls,
  },
  routes: ({ services, presenters }) => [
    ...workflowRoutes(services, presenters),
    ...workflowMetadataRoutes(services, presenters),
    ...remoteCallRoutes(services, presenters),
    ...versionRoutes(services, presenters),
    ...diffRoutes(services, presenters),
    ...ruleRoutes(services, presenters),
    ...validationRoutes(services, presenters),
    ...patchRoutes(services, presenters),
    ...undoRoutes(services, presenters),
    ...errorWorkflowRoutes(services),
    ...resumeRoutes(services),
  ],
};
