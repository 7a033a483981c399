import { auditIndexesById } from './features/audit/audit.migrations';
import { connectorIndexesByInvoker, consentOfCredentials, invokerKeysOfConnectors } from './features/connectors/connector.migrations';
import { componentOfSecrets, foldedGroupNames } from './features/groups/group.migrations';
import { foldedPermissionNames, versionsOfPermissions } from './features/permissions/permission.migrations';
import { batchesOfRunEvents, codesOfRunErrors, durationsOfRuns, eventsBeforeLogs, ownersOfRuns, runIndexesById, snapshotsOfRuns, triggersOfRuns } from './features/runs/run.migrations';
import { overlapPoliciesOfSchedules, testSchedulesApart } from './features/schedules/schedule.migrations';
import { sessionIndexesWithEnded } from './features/sessions/session.migrations';
import { firstAdministratorsWhoNeverSignedIn, foldedDetails, foldedEmails, lastLogins, userIndexesById } from './features/users/user.migrations';
import { deletedWorkflowsOutOfRanking, firstWidgets } from './features/widgets/widget.migrations';
import { aggregatorsOfWorkflows, foldedTitles, invokerKeysOfWorkflows, rowsOfWorkflows, snapshotsOfWorkflows, testsByPrefix, workflowIndexesByInvokers, workflowIndexesWithTests } from './features/workflows/workflow.migrations';
import type { Migrations } from './platform/store/migrations';

/** What was changed in stored data since the first release, in order. Add at the end; what stands here was run somewhere. */
export const MIGRATIONS: Migrations = {
  1: foldedEmails,
  2: foldedGroupNames,
  3: foldedPermissionNames,
  4: foldedTitles,
  5: auditIndexesById,
  6: sessionIndexesWithEnded,
  7: deletedWorkflowsOutOfRanking,
  8: foldedDetails,
  9: userIndexesById,
  10: runIndexesById,
  11: workflowIndexesWithTests,
  12: firstAdministratorsWhoNeverSignedIn,
  13: durationsOfRuns,
  14: versionsOfPermissions,
  15: testsByPrefix,
  16: lastLogins,
  17: rowsOfWorkflows,
  18: snapshotsOfWorkflows,
  19: componentOfSecrets,
  20: invokerKeysOfConnectors,
  21: invokerKeysOfWorkflows,
  22: connectorIndexesByInvoker,
  23: workflowIndexesByInvokers,
  24: ownersOfRuns,
  25: triggersOfRuns,
  26: codesOfRunErrors,
  27: aggregatorsOfWorkflows,
  28: snapshotsOfRuns,
  29: batchesOfRunEvents,
  30: testSchedulesApart,
  31: eventsBeforeLogs,
  32: firstWidgets,
  33: consentOfCredentials,
  34: overlapPoliciesOfSchedules,
};
