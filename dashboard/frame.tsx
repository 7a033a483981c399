import type { ComponentChildren } from 'preact';
import { connection } from './api/live';
import type { Connection } from './api/live';
import { addressOf, signOut } from './api/session';
import { me, may } from './me';
import { Icon } from './parts/icon';
import { Notices } from './parts/notices';
import { href, place } from './place';

interface Entry {
  readonly path: string;
  readonly text: string;
  /** At least one of these rights is required. */
  readonly needs: readonly string[];
}

const ENTRIES: readonly Entry[] = [
  { path: '', text: 'Overview', needs: ['DASHBOARD:READ', 'CONNECTION:READ'] },
  { path: 'runs', text: 'Runs', needs: ['CONNECTION:READ', 'CONNECTION:UPDATE'] },
  { path: 'schedules', text: 'Schedules', needs: ['SCHEDULE:READ'] },
  { path: 'workflows', text: 'Workflows', needs: ['CONNECTION:READ'] },
  { path: 'audit', text: 'Audit', needs: ['admin'] },
];

const CONNECTIONS: Readonly<Record<Connection, string | null>> = {
  idle: null,
  opening: 'Connecting',
  open: 'Live',
  lost: 'Connection lost, reconnecting',
};

function Live() {
  const text = CONNECTIONS[connection.value];
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

function Who() {
  const found = me.value;
  const name =
    [found?.detail.name, found?.detail.surname].filter(Boolean).join(' ') || found?.email;
  return (
    <div class="who">
      {name === undefined ? null : (
        <span class="who-name" title={found?.email}>
          <Icon name="person" size={14} />
          <bdi>{name}</bdi>
        </span>
      )}
      <button type="button" class="button quiet-button" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  );
}

/** The frame of all pages: navigation, connection state, current user. */
export function Frame({ children }: { children: ComponentChildren }) {
  const [here = ''] = place.value.path.split('/');
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
          {ENTRIES.filter(({ needs }) => needs.some(may.value)).map(({ path, text }) => (
            <a key={path} href={href(path)} aria-current={path === here ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <Live />
        <Who />
      </header>
      <main id="page" tabIndex={-1}>
        {children}
      </main>
      <Notices />
    </>
  );
}
