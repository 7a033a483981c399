import type { Feature } from '../feature';
import { aggregatorsFeature } from './aggregators';
import { apiTokensFeature } from './api-tokens';
import { applicationConfigFeature } from './application-config';
import { assistantFeature } from './assistant';
import { auditFeature } from './audit';
import { categoriesFeature } from './categories';
import { connectorsFeature } from './connectors';
import { editorSettingsFeature } from './editor-settings';
import { examplesFeature } from './examples';
import { groupsFeature } from './groups';
import { invokersFeature } from './invokers';
import { jobsFeature } from './jobs';
import { ldapFeature } from './ldap';
import { importReleasedFeature } from './import-released';
import { movingFeature } from './moving';
import { notificationsFeature } from './notifications';
import { onlineServicesFeature } from './online-services';
import { outboxFeature } from './outbox';
import { passwordResetFeature } from './password-reset';
import { permissionsFeature } from './permissions';
import { runsFeature } from './runs';
import { secondFactorFeature } from './second-factor';
import { schedulesFeature } from './schedules';
import { searchFeature } from './search';
import { secretsFeature } from './secrets';
import { sessionsFeature } from './sessions';
import { subscriptionFeature } from './subscription';
import { supportLogsFeature } from './support-logs';
import { systemFeature } from './system';
import { systemSettingsFeature } from './system-settings';
import { templatesFeature } from './templates';
import { usersFeature } from './users';
import { webhooksFeature } from './webhooks';
import { widgetsFeature } from './widgets';
import { workflowsFeature } from './workflows';

/** All features, in the order in which they are prepared, started, stopped and searched. */
export const FEATURES: readonly Feature[] = [
  systemFeature,
  applicationConfigFeature,
  sessionsFeature,
  usersFeature,
  ldapFeature,
  secondFactorFeature,
  apiTokensFeature,
  outboxFeature,
  passwordResetFeature,
  groupsFeature,
  permissionsFeature,
  jobsFeature,
  workflowsFeature,
  examplesFeature,
  connectorsFeature,
  invokersFeature,
  templatesFeature,
  secretsFeature,
  categoriesFeature,
  aggregatorsFeature,
  runsFeature,
  schedulesFeature,
  notificationsFeature,
  webhooksFeature,
  widgetsFeature,
  searchFeature,
  supportLogsFeature,
  subscriptionFeature,
  onlineServicesFeature,
  assistantFeature,
  editorSettingsFeature,
  systemSettingsFeature,
  auditFeature,
  movingFeature,
  importReleasedFeature,
];
