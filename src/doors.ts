import type { Config } from './config/config';
import { AggregatorArgumentResolver, AggregatorResolver } from './features/aggregators/aggregator.graphql';
import { documentedAggregators } from './features/aggregators/aggregator.presenter';
import { aggregatorRoutes } from './features/aggregators/aggregator.rest';
import { AggregatorOfRunValueResolver, AggregatorOfStepResolver, WorkflowsOfAggregatorResolver } from './features/aggregators/aggregator-links.graphql';
import { AuditResolver } from './features/audit/audit.graphql';
import { ConnectorResolver } from './features/connectors/connector.graphql';
import { documentedConnectors } from './features/connectors/connector.presenter';
import { connectorRoutes } from './features/connectors/connector.rest';
import { connectorRemoteRoutes } from './features/connectors/connector-remote.rest';
import { ConnectorsOfInvokerResolver, InvokerOfConnectorResolver } from './features/connectors/invoker-links.graphql';
import { ConnectorOfStepResolver } from './features/connectors/step-connector.graphql';
import { GroupResolver } from './features/groups/group.graphql';
import { documentedCategories } from './features/categories/category.presenter';
import { CategoryOfWorkflowResolver, WorkflowsOfCategoryResolver } from './features/categories/category-workflows.graphql';
import { CategoryResolver } from './features/categories/category.graphql';
import { categoryRoutes } from './features/categories/category.rest';
import { documentedGroups } from './features/groups/group.presenter';
import { groupRoutes } from './features/groups/group.rest';
import { JobResolver } from './features/jobs/job.graphql';
import { documentedJobs } from './features/jobs/job.presenter';
import { jobRoutes } from './features/jobs/job.rest';
import { InvokerResolver } from './features/invokers/invoker.graphql';
import { documentedInvokers } from './features/invokers/invoker.presenter';
import { invokerRoutes } from './features/invokers/invoker.rest';
import { PermissionResolver } from './features/permissions/permission.graphql';
import { documentedPermissions } from './features/permissions/permission.presenter';
import { permissionRoutes } from './features/permissions/permission.rest';
import { RetriesOfRunResolver, RunRepairResolver } from './features/runs/run-repair.graphql';
import { LogResolver } from './features/runs/logs/log.graphql';
import { documentedLogs } from './features/runs/logs/log.presenter';
import { logRoutes } from './features/runs/logs/log.rest';
import { logDestinations } from './features/runs/logs/log.stomp';
import { RunsChangedResolver } from './features/runs/runs-changed.graphql';
import { RunEventResolver, RunLogResolver, RunResolver, RunValueResolver } from './features/runs/run.graphql';
import { documentedRuns } from './features/runs/run.presenter';
import { runRoutes } from './features/runs/run.rest';
import { documentedSchedules } from './features/schedules/schedule.presenter';
import { scheduleRoutes } from './features/schedules/schedule.rest';
import { LinksOfScheduleResolver, ScheduleOfRunResolver, SchedulesOfWorkflowResolver } from './features/schedules/schedule-links.graphql';
import { ScheduleResolver } from './features/schedules/schedule.graphql';
import { SchedulesChangedResolver } from './features/schedules/schedules-changed.graphql';
import { RunsOfWorkflowResolver, WorkflowOfRunResolver } from './features/runs/workflow-runs.graphql';
import { SearchResolver } from './features/search/search.graphql';
import { documentedSearch } from './features/search/search.presenter';
import { searchRoutes } from './features/search/search.rest';
import { SecretResolver } from './features/secrets/secret.graphql';
import { documentedSecrets } from './features/secrets/secret.presenter';
import { secretRoutes } from './features/secrets/secret.rest';
import { WorkflowsOfSecretResolver } from './features/secrets/secret-users.graphql';
import { SessionResolver } from './features/sessions/session.graphql';
import { SessionsOfUserResolver } from './features/sessions/user-sessions.graphql';
import { sessionRoutes } from './features/sessions/session.rest';
import { sessionDestinations } from './features/sessions/session.stomp';
import { socketInfoRoutes } from './features/system/socket-info.rest';
import { systemCheckRoutes } from './features/system/system-check.rest';
import { systemRoutes } from './features/system/system.rest';
import type { SystemDependencies } from './features/system/system.rest';
import { pictureRoutes } from './features/users/picture.rest';
import { SupportLogResolver } from './features/support-logs/support-log.graphql';
import { documentedSupportLogs } from './features/support-logs/support-log.presenter';
import { supportLogRoutes } from './features/support-logs/support-log.rest';
import { supportLogDestinations } from './features/support-logs/support-log.stomp';
import { TemplateResolver } from './features/templates/template.graphql';
import { documentedTemplates } from './features/templates/template.presenter';
import { templateRoutes } from './features/templates/template.rest';
import { WorkflowExchangeResolver } from './features/templates/exchange/workflow-exchange.graphql';
import { templateUploadRoutes } from './features/templates/template-upload.rest';
import { UserOfAuditActorResolver, UserOfAuthorResolver } from './features/users/author-links.graphql';
import { UsersOfGroupResolver } from './features/users/group-users.graphql';
import { UserChangesResolver } from './features/users/user-changes.graphql';
import { UserResolver } from './features/users/user.graphql';
import { documentedUsers } from './features/users/user.presenter';
import { userRoutes } from './features/users/user.rest';
import { BoundsOfTimelinePointResolver, LinksOfRunningRunResolver, WorkflowOfTopWorkflowResolver } from './features/widgets/widget-links.graphql';
import { WebhookOfScheduleResolver, WebhookResolver } from './features/webhooks/webhook.graphql';
import { documentedWebhooks } from './features/webhooks/webhook.presenter';
import { webhookRoutes } from './features/webhooks/webhook.rest';
import { WidgetResolver } from './features/widgets/widget.graphql';
import { WidgetCatalogueResolver } from './features/widgets/catalogue/widget-catalogue.graphql';
import { documentedWidgetCatalogue } from './features/widgets/catalogue/widget-catalogue.presenter';
import { widgetCatalogueRoutes } from './features/widgets/catalogue/widget-catalogue.rest';
import { WidgetSettingsResolver } from './features/widgets/settings/widget-settings.graphql';
import { documentedWidgetSettings } from './features/widgets/settings/widget-settings.presenter';
import { widgetSettingsRoutes } from './features/widgets/settings/widget-settings.rest';
import { documentedWidgets } from './features/widgets/widget.presenter';
import { widgetRoutes } from './features/widgets/widget.rest';
import { MaskingRuleResolver, RulesOfWorkflowResolver } from './features/workflows/rules/rule.graphql';
import { documentedRules } from './features/workflows/rules/rule.presenter';
import { ruleRoutes } from './features/workflows/rules/rule.rest';
import { DiffOfWorkflowResolver, FieldBindingDifferenceResolver, StepDifferenceResolver, WorkflowDiffResolver } from './features/workflows/diff/diff.graphql';
import { documentedDiffs } from './features/workflows/diff/diff.presenter';
import { diffRoutes } from './features/workflows/diff/diff.rest';
import { ValidationOfWorkflowResolver } from './features/workflows/validation/validation.graphql';
import { documentedValidation } from './features/workflows/validation/validation.presenter';
import { validationRoutes } from './features/workflows/validation/validation.rest';
import { VersionChangesResolver } from './features/workflows/versions/version.graphql';
import { documentedMetadata } from './features/workflows/lists/metadata.presenter';
import { workflowMetadataRoutes } from './features/workflows/lists/metadata.rest';
import { webhookVariableRoutes } from './features/workflows/references/webhook-variables.rest';
import { remoteCallRoutes } from './features/workflows/remote-call/remote-call.rest';
import { workflowCleanupRoutes } from './features/workflows/workflow-cleanup.rest';
import { documentedVersions } from './features/workflows/versions/version.presenter';
import { versionRoutes } from './features/workflows/versions/version.rest';
import { WorkflowEditsResolver } from './features/workflows/edits/edit.graphql';
import { documentedPatches } from './features/workflows/patches/patch.presenter';
import { patchRoutes } from './features/workflows/patches/patch.rest';
import { undoRoutes } from './features/workflows/undo/undo.rest';
import { WorkflowsChangedResolver } from './features/workflows/workflows-changed.graphql';
import { WorkflowResolver, WorkflowVersionResolver } from './features/workflows/workflow.graphql';
import { documentedWorkflows } from './features/workflows/workflow.presenter';
import { ErrorWorkflowResolver } from './features/workflows/error-workflow/error-workflow.graphql';
import { errorWorkflowRoutes } from './features/workflows/error-workflow/error-workflow.rest';
import { workflowRoutes } from './features/workflows/workflow.rest';
import type { Services } from './platform/context';
import { documentedErrors } from './platform/http/error-body';
import type { Presenters } from './platform/http/presenters';
import type { Route } from './platform/http/route';
import type { Destination } from './platform/stomp/destination';
import type { ResolverClass } from './platform/graphql/schema';

/** Everything GraphQL offers. */
export const RESOLVERS: readonly ResolverClass[] = [
  AggregatorArgumentResolver,
  AggregatorOfRunValueResolver,
  AggregatorOfStepResolver,
  AggregatorResolver,
  AuditResolver,
  CategoryOfWorkflowResolver,
  CategoryResolver,
  ConnectorOfStepResolver,
  ConnectorResolver,
  ConnectorsOfInvokerResolver,
  ErrorWorkflowResolver,
  GroupResolver,
  JobResolver,
  InvokerOfConnectorResolver,
  InvokerResolver,
  LinksOfRunningRunResolver,
  LinksOfScheduleResolver,
  LogResolver,
  PermissionResolver,
  RetriesOfRunResolver,
  RunEventResolver,
  RunLogResolver,
  RunRepairResolver,
  RunResolver,
  RunValueResolver,
  RunsChangedResolver,
  RunsOfWorkflowResolver,
  ScheduleOfRunResolver,
  ScheduleResolver,
  SchedulesChangedResolver,
  SchedulesOfWorkflowResolver,
  SearchResolver,
  SecretResolver,
  SessionResolver,
  SessionsOfUserResolver,
  SupportLogResolver,
  TemplateResolver,
  UserChangesResolver,
  UserOfAuditActorResolver,
  UserOfAuthorResolver,
  UserResolver,
  UsersOfGroupResolver,
  MaskingRuleResolver,
  RulesOfWorkflowResolver,
  DiffOfWorkflowResolver,
  FieldBindingDifferenceResolver,
  StepDifferenceResolver,
  WorkflowDiffResolver,
  ValidationOfWorkflowResolver,
  VersionChangesResolver,
  WebhookOfScheduleResolver,
  WebhookResolver,
  WidgetCatalogueResolver,
  WidgetResolver,
  WidgetSettingsResolver,
  WorkflowExchangeResolver,
  WorkflowOfRunResolver,
  BoundsOfTimelinePointResolver,
  WorkflowOfTopWorkflowResolver,
  WorkflowEditsResolver,
  WorkflowResolver,
  WorkflowsChangedResolver,
  WorkflowVersionResolver,
  WorkflowsOfAggregatorResolver,
  WorkflowsOfCategoryResolver,
  WorkflowsOfSecretResolver,
];

/** What the operations of a tag have in common, for the API browser. */
export const REST_TAGS: Readonly<Record<string, string>> = {
  Aggregators: 'Scripts that make values of what the methods of a run were answered.',
  Categories: 'Folders of workflows.',
  Connectors: 'Remote systems, the credentials for them, and the master password.',
  Files: 'Pictures of users, icons of groups and connectors.',
  Jobs: 'Long work in the background.',
  Invokers: 'Descriptions of the interfaces of remote systems.',
  Logs: 'What executions sent and what came back, step by step.',
  Permissions: 'The names of what may be done with a component.',
  Runs: 'Executions of workflows.',
  Schedules: 'What runs workflows: at the times they say, or on demand. The schedule of a test goes with it.',
  Search: 'Finding things by what they are called.',
  Secrets: 'Values that steps use by their names, each sent to its own origins only.',
  Sessions: 'Signing in and out.',
  'Support files': 'Logs of workflows, packed for whoever is asked for help.',
  System: 'For probes, frontends and tools.',
  Templates: 'Workflows without connectors and secrets, to be made into workflows.',
  'User groups': 'Groups of users, also called roles, and what they may do.',
  Users: 'Accounts, their details, passwords and groups.',
  Webhooks: 'What starts schedules for whoever knows its URL.',
  Widgets: 'What the dashboard shows.',
  'Masking rules': 'What else is hidden in logs of a workflow that are handed on.',
  'Workflow versions': 'What the saves of workflows left behind.',
  Workflows: 'Workflows, under their documented name `connection`.',
};

/** The dialect of spec.md. Another one is another set of this type: no route knows which one it speaks. */
export const DOCUMENTED: Presenters = {
  aggregators: documentedAggregators,
  categories: documentedCategories,
  connectors: documentedConnectors,
  errors: documentedErrors,
  groups: documentedGroups,
  jobs: documentedJobs,
  patches: documentedPatches,
  invokers: documentedInvokers,
  permissions: documentedPermissions,
  logs: documentedLogs,
  runs: documentedRuns,
  schedules: documentedSchedules,
  search: documentedSearch,
  secrets: documentedSecrets,
  supportLogs: documentedSupportLogs,
  templates: documentedTemplates,
  users: documentedUsers,
  webhooks: documentedWebhooks,
  widgetCatalogue: documentedWidgetCatalogue,
  widgetSettings: documentedWidgetSettings,
  widgets: documentedWidgets,
  workflowValidation: documentedValidation,
  workflowDiffs: documentedDiffs,
  workflowMetadata: documentedMetadata,
  maskingRules: documentedRules,
  workflowVersions: documentedVersions,
  workflows: documentedWorkflows,
};

/** What routes are made of beside the services. */
export interface RestParts {
  readonly config: Config;
  readonly system: SystemDependencies;
  readonly presenters: Presenters;
}

/** Everything REST offers, in the dialect of the presenters. */
export function restRoutes(services: Services, { config, system, presenters }: RestParts): Route[] {
  return [
    ...systemRoutes(config, system),
    ...systemCheckRoutes(services),
    ...socketInfoRoutes(),
    ...sessionRoutes(services, presenters),
    ...userRoutes(services, presenters),
    ...pictureRoutes(services, presenters),
    ...groupRoutes(services, presenters),
    ...jobRoutes(services, presenters),
    ...permissionRoutes(services, presenters),
    ...invokerRoutes(services, presenters),
    ...connectorRoutes(services, presenters),
    ...connectorRemoteRoutes(services, presenters),
    ...workflowRoutes(services, presenters),
    ...aggregatorRoutes(services, presenters),
    ...categoryRoutes(services, presenters),
    ...workflowMetadataRoutes(services, presenters),
    ...workflowCleanupRoutes(services),
    ...webhookVariableRoutes(services),
    ...remoteCallRoutes(services),
    ...searchRoutes(services, presenters),
    ...versionRoutes(services, presenters),
    ...diffRoutes(services, presenters),
    ...ruleRoutes(services, presenters),
    ...validationRoutes(services, presenters),
    ...patchRoutes(services, presenters),
    ...undoRoutes(services, presenters),
    ...errorWorkflowRoutes(services),
    ...logRoutes(services, presenters),
    ...runRoutes(services, presenters),
    ...scheduleRoutes(services, presenters),
    ...secretRoutes(services, presenters),
    ...supportLogRoutes(services, presenters),
    ...templateRoutes(services, presenters),
    ...templateUploadRoutes(services, presenters),
    ...webhookRoutes(services, presenters),
    ...widgetCatalogueRoutes(services, presenters),
    ...widgetSettingsRoutes(services, presenters),
    ...widgetRoutes(services, presenters),
  ];
}

/** What the clients of the released lines subscribe to, over STOMP. */
export function stompDestinations(services: Services, presenters: Presenters): Destination[] {
  return [...logDestinations(services, presenters), ...supportLogDestinations(services), ...sessionDestinations];
}
