import type { ReachedService } from '../service/harness';
import { shownBy } from './filled-instance';
import type { FilledInstance } from './filled-instance';

/** The body of the response to a REST request. @throws Error if it was refused */
export async function send(
  service: ReachedService,
  httpMethod: string,
  path: string,
  body?: unknown,
): Promise<any> {
  const answer = await service.api(httpMethod, `/api${path}`, { body });
  if (answer.status >= 300) throw new Error(`${httpMethod} ${path}: ${answer.text}`);
  return answer.body;
}

/** Fields of lists. Values that depend on the time of reading are not among them. */
const LISTS: Readonly<Record<string, string>> = {
  users: `databaseId email authSource disabledAt createdAt detail { name surname lang appTour department organisation phoneNumber } group { name }
    secondFactor apiTokens { name prefix scopes expiresAt }`,
  userGroups: 'databaseId name description components { component { name } permissions { name } }',
  permissions: 'databaseId name description',
  categories: 'databaseId name parent { name }',
  aggregators:
    'databaseId name script active arguments { argumentId name description } usedBy { databaseId }',
  secrets: 'databaseId name note origins usedBy { databaseId }',
  connectors: `databaseId title invokerName timeout requestData { name stored suspended value }
    lastCheck { at status }`,
  workflows: `databaseId title description version createdAt category { name } errorWorkflow { databaseId } ui
    steps { __typename stepId parentStepId index
      ... on MethodStep { name methodType request { endpoint httpMethod header } }
      ... on OperatorStep { type expression iterator } }
    rules { nodes { type expression } }
    versions(first: 10) { nodes { number comment createdAt current steps { stepId } } }`,
  templates: 'databaseId templateId name productVersion document',
  runs: `databaseId state trigger test logging hasLog stepCount warnings queuedAt startedAt finishedAt workflowTitle
    workflow { databaseId } schedule { databaseId } error { code stepId index message }
    retryOf { databaseId } errorOf { databaseId } errorRun { databaseId } values { name value }
    errorExchange { request { url method } response { status } }
    events(first: 20) { totalCount }`,
  schedules: `databaseId title cron enabled logging timeZone missedFires overlapPolicy nextFireTimes
    workflow { databaseId } lastRun { databaseId } webhook { createdAt }
    notifications { name eventType recipients template { name } }`,
  messageTemplates: 'databaseId name channel contents { language subject body }',
  deliveries: 'databaseId channel purpose recipient subject',
  jobs: 'databaseId kind state createdAt result',
  synchronisations: 'databaseId kind state isDryRun items { name action }',
  supportLogs: 'databaseId fileName size workflowTitle runs { databaseId }',
};

/** Reads records of all kinds through the APIs. */
export async function readRecords(
  service: ReachedService,
  filled: Pick<FilledInstance, 'workflowId' | 'runId' | 'scheduleId' | 'invoker'>,
): Promise<Record<string, unknown>> {
  const {
    '/invoker/all': _invokers,
    '/role/all': _groups,
    ...records
  } = await shownBy(service, filled);
  records.invoker = await send(service, 'GET', `/invoker/${encodeURIComponent(filled.invoker)}`);
  for (const [name, fields] of Object.entries(LISTS)) {
    const tests = name === 'runs' ? ', includeTest: true' : '';
    records[name] = await service.field(
      `{ ${name}(first: 50${tests}) { totalCount nodes { ${fields} } } }`,
    );
  }
  // The oldest ones: each login adds another.
  records.auditEvents = await service.field(
    '{ auditEvents(last: 30) { nodes { databaseId at action actor { email } target { type targetId } before after } } }',
  );
  for (const field of [
    'widgets { databaseId key icon }',
    'widgetSettings { settingId x y w h widget { key } }',
    'topWorkflows { title executions failureRate }',
  ])
    records[field] = await service.field(`{ ${field} }`);
  for (const path of ['/editor/settings/user/1', '/system-setting/theme_colors', '/sync-history'])
    records[path] = await send(service, 'GET', path);
  return records;
}
