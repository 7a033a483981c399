import { route } from '../router';
import { pageKeys } from './page-commands';
import type { KeyHelp } from './page-commands';

const GENERAL_KEYS: readonly KeyHelp[] = [
  ['Ctrl K or ⌘ K', 'Find pages, workflows, runs and actions'],
  ['?', 'Show this help'],
  ['Esc', 'Close a dialog or menu'],
];

/** Pages of the documentation by the first part of the path. */
const DOCS: Readonly<Record<string, readonly [file: string, about: string]>> = {
  workflows: ['workflows.md', 'Workflows'],
  runs: ['runs.md', 'Runs'],
  schedules: ['schedules.md', 'Schedules and webhooks'],
  notifications: ['mail.md', 'Mail and notifications'],
  connectors: ['connectors.md', 'Connectors'],
  invokers: ['invokers.md', 'Invokers'],
  secrets: ['workflows.md', 'Workflows: named secrets'],
  aggregators: ['workflows.md', 'Workflows: data aggregators'],
  templates: ['templates.md', 'Templates'],
  categories: ['editing.md', 'Editing workflows: categories'],
  import: ['export.md', 'Export and import'],
  users: ['users.md', 'Users'],
  groups: ['users.md', 'Users and groups'],
  audit: ['logs.md', 'Logs'],
  system: ['monitoring.md', 'Monitoring'],
  'support-files': ['logs.md', 'Logs'],
  configuration: ['configuration.md', 'Configuration'],
  'online-services': ['online-services.md', 'Online services'],
  account: ['tokens.md', 'API tokens'],
};

function Keys({ title, keys }: { title: string; keys: readonly KeyHelp[] }) {
  if (keys.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {keys.map(([key, description]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The keys of the shown page, and where it is documented. */
export function Help() {
  const [section = ''] = route.value.path.split('/');
  const [file, about] = DOCS[section] ?? ['dashboard.md', 'Dashboard'];
  return (
    <>
      <h2>Help</h2>
      <Keys title="Keys of this page" keys={pageKeys.value} />
      <Keys title="Keys of all pages" keys={GENERAL_KEYS} />
      <section>
        <h3>Documentation</h3>
        <p>
          {about}: <code>docs/{file}</code> in the repository, or in the folder of the service.
        </p>
      </section>
      <form method="dialog" class="dialog-buttons">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </>
  );
}
