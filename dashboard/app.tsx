import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { signedIn } from './api/session';
import { AggregatorPage } from './build/aggregators/aggregator';
import { Aggregators, NewAggregator } from './build/aggregators/aggregators';
import { Categories } from './build/categories/categories';
import { ConnectorPage } from './build/connectors/connector';
import { Connectors } from './build/connectors/connectors';
import { NewConnector } from './build/connectors/new-connector';
import { InvokerPage } from './build/invokers/invoker';
import { InvokerEditPage } from './build/invokers/invoker-editor';
import { Invokers } from './build/invokers/invokers';
import { SecretPage } from './build/secrets/secret';
import { Secrets } from './build/secrets/secrets';
import { SupportLogs } from './build/support-logs/support-logs';
import { ImportPage } from './build/import/import-page';
import { NewSchedule } from './build/schedules/schedule-form';
import { TemplatePage } from './build/templates/template';
import { Templates } from './build/templates/templates';
import { Layout } from './layout';
import { Account } from './pages/account';
import { Audit } from './pages/audit';
import { ComparePage } from './pages/compare';
import { Configuration } from './pages/configuration';
import { GroupPage } from './pages/group';
import { Groups } from './pages/groups';
import { Home } from './pages/home';
import { LogSearch } from './pages/log-search';
import { MessageTemplatePage } from './pages/message-template';
import { MessageTemplates } from './pages/message-templates';
import { Notifications } from './pages/notifications';
import { OnlineServices } from './pages/online-services';
import { RunPage } from './pages/run';
import { Runs } from './pages/runs';
import { SchedulePage } from './pages/schedule';
import { Schedules } from './pages/schedules';
import { SystemPage } from './pages/system';
import { UserPage } from './pages/user';
import { Users } from './pages/users';
import { WorkflowPage } from './pages/workflow';
import { Workflows } from './pages/workflows';
import { lazyComponent } from './parts/lazy';
import { Heading } from './parts/page';
import { EmptyState } from './parts/states';
import { route } from './router';
import { SignIn } from './sign-in';

const EditorPage = lazyComponent<{ id: string }>(
  async () => (await import('./editor/editor-page')).EditorPage,
);

/** Pages by path; a number in it is the id of the shown record. */
const PAGES: readonly (readonly [RegExp, FunctionComponent<{ id: string }>])[] = [
  [/^$/, Home],
  [/^runs$/, Runs],
  [/^runs\/search$/, LogSearch],
  [/^runs\/(\d{1,9})$/, RunPage],
  [/^runs\/(\d{1,9})\/compare(?:\/\d{1,9})?$/, ComparePage],
  [/^schedules$/, Schedules],
  [/^schedules\/new$/, NewSchedule],
  [/^schedules\/(\d{1,9})$/, SchedulePage],
  [/^notifications$/, Notifications],
  [/^notifications\/templates$/, MessageTemplates],
  [/^notifications\/templates\/(\d{1,9})$/, MessageTemplatePage],
  [/^workflows$/, Workflows],
  [/^workflows\/(\d{1,9})$/, WorkflowPage],
  [/^workflows\/(\d{1,9})\/edit$/, EditorPage],
  [/^connectors$/, Connectors],
  [/^connectors\/new$/, NewConnector],
  [/^connectors\/(\d{1,9})$/, ConnectorPage],
  [/^invokers$/, Invokers],
  [/^invokers\/([^/]{1,3000})$/, InvokerPage],
  [/^invokers\/([^/]{1,3000})\/edit$/, InvokerEditPage],
  [/^secrets$/, Secrets],
  [/^secrets\/(\d{1,9})$/, SecretPage],
  [/^aggregators$/, Aggregators],
  [/^aggregators\/new$/, NewAggregator],
  [/^aggregators\/(\d{1,9})$/, AggregatorPage],
  [/^support-files$/, SupportLogs],
  [/^import$/, ImportPage],
  [/^templates$/, Templates],
  [/^templates\/(\d{1,9})$/, TemplatePage],
  [/^categories$/, Categories],
  [/^users$/, Users],
  [/^users\/(\d{1,9})$/, UserPage],
  [/^groups$/, Groups],
  [/^groups\/(\d{1,9})$/, GroupPage],
  [/^audit$/, Audit],
  [/^system$/, SystemPage],
  [/^online-services$/, OnlineServices],
  [/^configuration$/, Configuration],
  [/^account$/, Account],
];

function pageAt(path: string): ComponentChildren {
  for (const [pattern, Page] of PAGES) {
    const match = pattern.exec(path);
    if (match !== null) return <Page key={path} id={match[1] ?? ''} />;
  }
  return (
    <>
      <Heading title="Page not found" />
      <EmptyState icon="empty" title="Page not found">
        Check the address, or the link may be outdated.
      </EmptyState>
    </>
  );
}

export function App() {
  const { path } = route.value;
  const focusedPath = useRef(path);
  useEffect(() => {
    if (focusedPath.current === path) return;
    focusedPath.current = path;
    // Moves the focus to the new page, for screen readers and keyboard users.
    document.querySelector<HTMLElement>('#page')?.focus({ preventScroll: true });
  }, [path]);
  if (signedIn.value !== 'signed-in') return <SignIn />;
  return <Layout>{pageAt(path)}</Layout>;
}
