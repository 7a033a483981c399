import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { addressOf, signOut } from './api/session';
import { connection } from './api/subscriptions';
import type { Connection } from './api/subscriptions';
import { currentUser, hasPermission } from './current-user';
import { Icon } from './parts/icon';
import { NoticeList } from './parts/notices';
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
    title: 'Build',
    items: [
      { path: 'workflows', label: 'Workflows', permissions: ['CONNECTION:READ'] },
      { path: 'schedules', label: 'Schedules', permissions: ['SCHEDULE:READ'] },
      { path: 'connectors', label: 'Connectors', permissions: ['CONNECTOR:READ'] },
      { path: 'secrets', label: 'Secrets', permissions: ['SECRET:READ'] },
      { path: 'invokers', label: 'Invokers', permissions: ['INVOKER:READ'] },
      { path: 'templates', label: 'Templates', permissions: ['SCHEDULE:READ'] },
      { path: 'categories', label: 'Categories', permissions: ['CONNECTION:READ'] },
      { path: 'aggregators', label: 'Aggregators', permissions: ['CONNECTION:READ'] },
      {
        path: 'import',
        label: 'Import',
        permissions: ['CONNECTION:CREATE', 'SCHEDULE:CREATE', 'INVOKER:CREATE', 'INVOKER:UPDATE'],
      },
    ],
  },
  {
    title: 'Watch',
    items: [
      { path: '', label: 'Overview', permissions: ['DASHBOARD:READ', 'CONNECTION:READ'] },
      { path: 'runs', label: 'Runs', permissions: ['CONNECTION:READ', 'CONNECTION:UPDATE'] },
      { path: 'notifications', label: 'Notifications', permissions: ['SCHEDULE:READ'] },
    ],
  },
  {
    title: 'Admin',
    items: [
      { path: 'users', label: 'Users', permissions: ['USER:READ'] },
      { path: 'groups', label: 'Groups', permissions: ['USERGROUP:READ'] },
      { path: 'audit', label: 'Audit', permissions: ['admin'] },
      { path: 'system', label: 'System', permissions: ['APP:READ'] },
      { path: 'support-files', label: 'Support files', permissions: ['APP:READ'] },
      { path: 'configuration', label: 'Configuration', permissions: ['admin'] },
      { path: 'online-services', label: 'Online services', permissions: ['admin'] },
    ],
  },
];

/** A menu of the pages of a group that the user may open. It closes when one is chosen. */
function NavigationMenu({ group: { title, items } }: { group: NavigationGroup }) {
  const [isOpen, setIsOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const [section = ''] = route.value.path.split('/');
  const visible = items.filter(({ permissions }) => permissions.some(hasPermission.value));
  useEffect(() => setIsOpen(false), [route.value.path]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = (event: Event): void => {
      if (!menu.current?.contains(event.target as Node)) setIsOpen(false);
    };
    addEventListener('pointerdown', closeOutside);
    addEventListener('focusin', closeOutside);
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);
  if (visible.length === 0) return null;
  const current = visible.find(({ path }) => path === section);
  return (
    <div
      class="nav-menu"
      ref={menu}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setIsOpen(false);
        menu.current?.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        class={current === undefined ? 'nav-button' : 'nav-button nav-current'}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {title}
        <Icon name="down" size={10} />
      </button>
      <ul class="nav-links" hidden={!isOpen} aria-label={title}>
        {visible.map(({ path, label }) => (
          <li key={path}>
            <a
              href={href(path)}
              aria-current={path === section ? 'page' : undefined}
              onClick={() => setIsOpen(false)}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
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
            <NavigationMenu key={group.title} group={group} />
          ))}
        </nav>
        <ConnectionStatus />
        <UserMenu />
      </header>
      <main id="page" tabIndex={-1}>
        {children}
      </main>
      <NoticeList />
    </>
  );
}
