import { IMPORT_COLLECTION } from '../../platform/store/startup/import-mark';

/** How an export treats a collection. */
interface Treatment {
  /** `cleaned`: without a passphrase, secrets are removed from its records. */
  readonly handling: 'always left out' | 'left out without passphrase' | 'cleaned' | 'kept';
  readonly why: string;
}

const WITHOUT_SECRETS: Treatment = { handling: 'kept', why: 'It contains no secrets.' };
const cleaned = (reason: string): Treatment => ({ handling: 'cleaned', why: reason });
const leftOut = (reason: string): Treatment => ({ handling: 'always left out', why: reason });
const secret = (reason: string): Treatment => ({
  handling: 'left out without passphrase',
  why: reason,
});

/**
 * All collections. A test compares the list with the models. A collection that is missing here is
 * exported as it is.
 */
export const COLLECTIONS: Readonly<Record<string, Treatment>> = {
  aggregators: WITHOUT_SECRETS,
  api_tokens: secret('A token that is not known cannot be used.'),
  attempts: leftOut('They expire in minutes.'),
  audit_events: WITHOUT_SECRETS,
  categories: WITHOUT_SECRETS,
  components: WITHOUT_SECRETS,
  connectors: cleaned('Credentials are removed.'),
  deliveries: cleaned('Messages that are not sent yet are left out.'),
  delivery_contents: secret('Messages may contain links that set a password.'),
  directory_state: WITHOUT_SECRETS,
  editor_settings: WITHOUT_SECRETS,
  first_administrators: WITHOUT_SECRETS,
  fingerprints: leftOut('It belongs to the token secret of the installation.'),
  groups: WITHOUT_SECRETS,
  imports: leftOut('It marks an import that is not complete.'),
  invoker_files: WITHOUT_SECRETS,
  invoker_sources: cleaned('Secrets are masked.'),
  invokers: cleaned('They refer to the masked sources.'),
  job_progress: leftOut('It belongs to running processes.'),
  jobs: leftOut('They belong to running processes and expire.'),
  leases: leftOut('They belong to running processes.'),
  login_challenges: leftOut('They expire in minutes.'),
  masking_rules: WITHOUT_SECRETS,
  message_templates: WITHOUT_SECRETS,
  migrations: WITHOUT_SECRETS,
  notification_events: secret(
    'Their messages have not been made, and recipients are not complete.',
  ),
  notification_windows: leftOut('They expire in minutes.'),
  notifications: cleaned('Of the URLs of webhooks, only the origin stays.'),
  password_links: leftOut('They expire, and can be sent again.'),
  online_items: WITHOUT_SECRETS,
  permissions: WITHOUT_SECRETS,
  processes: leftOut('They describe running processes.'),
  run_counters: WITHOUT_SECRETS,
  run_event_batches: cleaned('Logs of workflows with masking rules are left out.'),
  run_exchanges: secret('They contain requests and responses of failed steps.'),
  run_journals: secret('They contain what runs received.'),
  run_log_ends: leftOut('It is needed only while a run ends.'),
  run_parameters: secret('Parameters of runs may be secret.'),
  runs: cleaned('They refer to masked documents; values that masking rules hide are removed.'),
  schedules: WITHOUT_SECRETS,
  second_factors: secret('They consist of a secret.'),
  secrets: secret('They consist of a secret.'),
  sequences: WITHOUT_SECRETS,
  sessions: leftOut('All users sign in again.'),
  step_samples: secret('They contain what other systems answered.'),
  support_log_parts: leftOut('They expire, and can be made again.'),
  support_logs: leftOut('They expire, and can be made again.'),
  template_contents: WITHOUT_SECRETS,
  synchronisations: WITHOUT_SECRETS,
  system_settings: WITHOUT_SECRETS,
  templates: WITHOUT_SECRETS,
  test_channels: leftOut('They expire within a day.'),
  test_schedules: WITHOUT_SECRETS,
  'uploads.chunks': leftOut('The files are entries of the archive themselves.'),
  'uploads.files': leftOut('The files are entries of the archive themselves.'),
  users: cleaned('Hashes of passwords are removed.'),
  vault_keys: leftOut('With a passphrase, the keys themselves are exported.'),
  webhooks: secret('They consist of a secret.'),
  widget_settings: WITHOUT_SECRETS,
  widgets: WITHOUT_SECRETS,
  workflow_contents: cleaned('Secrets are masked.'),
  workflow_drafts: secret('They contain what users have not saved, also secrets.'),
  workflow_presence: leftOut('It describes open editors.'),
  workflow_undo_parts: secret('They contain documents that are not masked.'),
  workflow_undos: secret('They contain documents that are not masked.'),
  workflow_versions: cleaned('They refer to masked documents.'),
  workflows: cleaned('They refer to masked documents.'),
};

/** The mark of an import, and keys that other records of the archive replace. */
export const NEVER_IMPORTED: ReadonlySet<string> = new Set([IMPORT_COLLECTION, 'vault_keys']);

/** Contents come before the records that refer to them: masking changes their hashes. */
const FIRST = [
  'masking_rules',
  'workflow_contents',
  'template_contents',
  'invoker_sources',
  'runs',
];

/** The collections to export, in order. */
export function collectionsToExport(present: readonly string[], isSealed: boolean): string[] {
  const rank = (name: string): number =>
    FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
  return present
    .filter((name) => {
      const handling = COLLECTIONS[name]?.handling;
      return (
        handling !== 'always left out' && (isSealed || handling !== 'left out without passphrase')
      );
    })
    .sort((one, other) => rank(one) - rank(other));
}
