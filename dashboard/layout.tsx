import type { ComponentChildren } from 'preact';
import { addressOf, signOut } from './api/session';
import { connection } from './api/subscriptions';
import type { Connection } from './api/subscriptions';
import { currentUser, hasPermission } from './current-user';
import { Icon } from './parts/icon';
import { NoticeList } from './parts/notices';
import { PaletteButton, PaletteDialogs } from './palette/palette-dialogs';
import { href, route } from './router';

interface NavigationItem {
  readonly path: string;
  readonly label: string;
  /** At least one of these permissions is required. */
  readonly permissions: readonly string[];
}

interface NavigationGroup {
  readonly title: string;
  readonly items: readonly NavigationItem[];
}

export const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: 'Automation',
    items: [
      { path: '', label: 'Overview', permissions: ['DASHBOARD:READ', 'CONNECTION:READ'] },
      { path: 'workflows', label: 'Workflows', permissions: ['CONNECTION:READ'] },
      { path: 'schedules', label: 'Schedules', permissions: ['SCHEDULE:READ'] },
      { path: 'runs', label: 'Runs', permissions: ['CONNECTION:READ', 'CONNECTION:UPDATE'] },
      { path: 'notifications', label: 'Notifications', permissions: ['SCHEDULE:READ'] },
    ],
  },
  {
    title: 'Build',
    items: [
      { path: 'connectors', label: 'Connectors', permissions: ['CONNECTOR:READ'] },
      { path: 'invokers', label: 'Invokers', permissions: ['INVOKER:READ'] },
      { path: 'secrets', label: 'Secrets', permissions: ['SECRET:READ'] },
      { path: 'aggregators', label: 'Aggregators', permissions: ['CONNECTION:READ'] },
      { path: 'templates', label: 'Templates', permissions: ['SCHEDULE:READ'] },
      { path: 'categories', label: 'Categories', permissions: ['CONNECTION:READ'] },
      {
        path: 'import',
        label: 'Import',
        permissions: ['CONNECTION:CREATE', 'SCHEDULE:CREATE', 'INVOKER:CREATE', 'INVOKER:UPDATE'],
      },
    ],
  },
  {
    title: 'Access',
    items: [
      { path: 'users', label: 'Users', permissions: ['USER:READ'] },
      { path: 'groups', label: 'Groups', permissions: ['USERGROUP:READ'] },
      { path: 'audit', label: 'Audit', permissions: ['admin'] },
    ],
  },
  {
    title: 'Service',
    items: [
      { path: 'system', label: 'System', permissions: ['APP:READ'] },
      { path: 'support-files', label: 'Support files', permissions: ['APP:READ'] },
      { path: 'configuration', label: 'Configuration', permissions: ['admin'] },
      { path: 'online-services', label: 'Online services', permissions: ['admin'] },
    ],
  },
];

/** The links of a group that the user may open, under its title. */
function NavigationLinks({ group: { title, items } }: { group: NavigationGroup }) {
  const [section = ''] = route.value.path.split('/');
  const visible = items.filter(({ permissions }) => permissions.some(hasPermission.value));
  if (visible.length === 0) return null;
  return (
    <div class="nav-group" role="group" aria-label={title}>
      <span class="nav-title" aria-hidden="true">
        {title}
      </span>
      <div class="nav-links">
        {visible.map(({ path, label }) => (
          <a key={path} href={href(path)} aria-current={path === section ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </div>
    </div>
  );
}

const CONNECTION_TEXTS: Readonly<Record<Connection, string | null>> = {
  idle: null,
  opening: 'Connecting',
  open: 'Live',
  lost: 'Connection lost, reconnecting',
};

function ConnectionStatus() {
  const text = CONNECTION_TEXTS[connection.value];
  return (
    <span class={`live live-${connection.value}`} role="status">
      {text === null ? null : (
        <>
          <i aria-hidden="true" />
          <span>{text}</span>
        </>
      )}
    </span>
  );
}

function UserMenu() {
  const user = currentUser.value;
  const name = [user?.detail.name, user?.detail.surname].filter(Boolean).join(' ') || user?.email;
  return (
    <div class="user-menu">
      {name === undefined ? null : (
        <a
          class="user-name"
          href={href('account')}
          title={user?.email}
          aria-label={`Account: ${name}`}
          aria-current={route.value.path === 'account' ? 'page' : undefined}
        >
          <Icon name="person" size={14} />
          <bdi>{name}</bdi>
        </a>
      )}
      <button type="button" class="button quiet-button" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  );
}

/** The frame of all pages: navigation, connection state, current user. */
export function Layout({ children }: { children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#page">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href={href('')}>
          <img src={addressOf('assets/icon.svg')} alt="" width={24} height={24} />
          <span>Hypha</span>
        </a>
        <nav aria-label="Pages">
          {NAVIGATION.map((group) => (
            <NavigationLinks key={group.title} group={group} />
          ))}
        </nav>
        <PaletteButton />
        <ConnectionStatus />
        <UserMenu />
      </header>
      <main id="page" tabIndex={-1}>
        {children}
      </main>
      <PaletteDialogs />
      <NoticeList />
    </>
  );
}
