import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { applicationConfigPolicy } from './application-config.policy';
import type { ConfigBackup } from './config-files';
import type { ConfigDifference, ShownConfig, ShownNode } from './shown-config';

const route = routesTagged('System Configuration');

const ConfigValue = z
  .json()
  .meta({ description: 'A text, number, boolean, null, or a list; or nodes.' });
const Node = z
  .object({
    key: z.string().meta({ description: 'The last key of the path; `[0]` is an entry of a list.' }),
    path: z.string().meta({ description: 'Keys from the root, joined with dots.' }),
    status: z.enum(['active', 'inactive']).meta({ description: '`inactive`: commented out.' }),
    value: ConfigValue.meta({
      description:
        'The value with the meaning of YAML 1.1, secrets as `***`; a list of nodes if there are keys below.',
    }),
    comments: z.array(
      z.object({ position: z.enum(['before', 'inline', 'after']), text: z.string() }),
    ),
  })
  .meta({ id: 'ApplicationConfigNode' });
const fields = z.array(Node);
const comments = z
  .array(z.object({ position: z.enum(['header', 'footer']), text: z.string() }))
  .meta({ description: 'Comments that belong to no key.' });
const revision = z.string().meta({ description: 'Changes with every change of the file.' });
const Difference = z
  .object({
    path: z.string(),
    change: z.enum(['added', 'removed', 'changed']),
    before: z.json().optional(),
    after: z.json().optional(),
  })
  .meta({ id: 'ApplicationConfigDifference' });
const pending = z
  .array(Difference)
  .meta({ description: 'What the service uses after its next start, but not now.' });

const ConfigBody = z
  .object({ fields, comments, revision, pending })
  .meta({ id: 'ApplicationConfig' });
const ChangeBody = z
  .object({
    status: z.enum(['saved', 'unchanged']),
    restartRequired: z.boolean(),
    message: z.string(),
    pending,
    revision,
    backup: z.string().nullable().meta({ description: 'Name of the copy of the former file.' }),
  })
  .meta({ id: 'ApplicationConfigChange' });
const BACKUP = {
  name: z.string(),
  createdAt: z.int().meta({ description: 'Milliseconds since 1970.' }),
  bytes: z.int(),
};
const BackupBody = z.object(BACKUP).meta({ id: 'ApplicationConfigBackup' });
const BackupDetailsBody = z
  .object({
    ...BACKUP,
    fields,
    comments,
    changes: z.array(Difference).meta({ description: 'What restoring it would change.' }),
  })
  .meta({ id: 'ApplicationConfigBackupDetails' });

const SentField = z
  .looseObject({
    path: z.string().min(1).max(1_000),
    key: z.string().max(500).optional(),
    status: z.enum(['active', 'inactive']).optional(),
    value: z.json().optional().meta({ description: 'Omitted: the value stays.' }),
  })
  .meta({ id: 'ApplicationConfigField' });
const PatchInput = z
  .object({
    fields: z.array(SentField).meta({ description: 'Nodes that change, or all. Others stay.' }),
    comments: z.unknown().optional().meta({ description: 'Ignored: comments stay.' }),
    revision: z.string().optional().meta({
      description: 'The revision that was read. If the file has another one, nothing is changed.',
    }),
  })
  .meta({ id: 'ApplicationConfigPatch' });
const RestoreInput = z
  .object({ revision: z.string().optional() })
  .meta({ id: 'ApplicationConfigRestore' });
const NameParams = z.object({ name: z.string().meta({ description: 'Name of the backup.' }) });

const nodeBody = ({ key, path, status, children, value, comments: own }: ShownNode): object => ({
  key,
  path,
  status,
  value: children === undefined ? (value ?? null) : children.map(nodeBody),
  comments: own,
});
const treeBody = (config: ShownConfig) => ({
  fields: config.fields.map(nodeBody),
  comments: config.comments,
});
const backupBody = ({ name, createdAt, bytes }: ConfigBackup) => ({
  name,
  createdAt: createdAt.getTime(),
  bytes,
});
const differenceBody = ({ path, change, before, after }: ConfigDifference) => ({
  path,
  change,
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

/** Callers without the Admin role get 403, also without a token. */
const FOR_ADMIN = { ACCESS_DENIED: 403, TOKEN_EXPIRED: 403 } as const;
const LISTING = [
  'MASTER_PASSWORD_WRONG',
  'TOO_MANY_ATTEMPTS',
  'CONFIG_FILE_NOT_WRITABLE',
] as const satisfies readonly ErrorCode[];
const READING = [...LISTING, 'CONFIG_INVALID'] as const satisfies readonly ErrorCode[];
const WRITING = [
  ...READING,
  'CONFIG_FILE_CHANGED',
  'CONFIG_FILE_NOT_SHARED',
] as const satisfies readonly ErrorCode[];

const applicationConfigRouteContext = ({ applicationConfig }: Services) => {
  const common = { masterPassword: 'required-if-configured', statuses: FOR_ADMIN } as const;
  const reading = { ...common, needs: applicationConfigPolicy.read } as const;
  const changed = ({
    pending: waiting,
    ...result
  }: Awaited<ReturnType<typeof applicationConfig.update>>) => ({
    ...result,
    pending: waiting.map(differenceBody),
  });
  return { reading, applicationConfig, common, changed };
};
type ApplicationConfigRouteContext = ReturnType<typeof applicationConfigRouteContext>;

const getApplicationConfig = ({
  reading,
  applicationConfig,
}: ApplicationConfigRouteContext): Route =>
  route('GET /application-config', {
    ...reading,
    summary: 'Returns the configuration file',
    description:
      'Keys that are commented out are `inactive`. Secrets are masked. Requires the master password if one is configured. Without a file, `fields` and `comments` are empty.',
    answer: ConfigBody,
    errors: READING,
    handle: async ({ actor, origin }) => {
      const config = await applicationConfig.read(actor, origin);
      return {
        ...treeBody(config),
        revision: config.revision,
        pending: config.pending.map(differenceBody),
      };
    },
  });

const patchApplicationConfig = ({
  common,
  changed,
  applicationConfig,
}: ApplicationConfigRouteContext): Route =>
  route('PATCH /application-config', {
    ...common,
    needs: applicationConfigPolicy.update,
    summary: 'Changes the configuration file',
    description:
      'Matches `fields` by path: changes values, adds keys, comments out and uses keys. Everything else in the file stays as it is. Changes take effect after a restart. A file with which the service could not start is refused.',
    body: PatchInput,
    example: { body: { fields: [] } },
    answer: ChangeBody,
    errors: [...WRITING, 'SECRET_NOT_STORED'],
    handle: async ({ actor, origin, body }) =>
      changed(await applicationConfig.update(actor, origin, body)),
  });

const getApplicationConfigBackups = ({
  reading,
  applicationConfig,
}: ApplicationConfigRouteContext): Route =>
  route('GET /application-config/backups', {
    ...reading,
    summary: 'Lists the backups of the configuration file, newest first',
    answer: z.array(BackupBody),
    errors: LISTING,
    handle: async ({ actor, origin }) =>
      (await applicationConfig.backups(actor, origin)).map(backupBody),
  });

const getApplicationConfigBackupsByName = ({
  reading,
  applicationConfig,
}: ApplicationConfigRouteContext): Route =>
  route('GET /application-config/backups/:name', {
    ...reading,
    summary: 'Returns a backup of the configuration file',
    params: NameParams,
    answer: BackupDetailsBody,
    errors: [...READING, 'CONFIG_BACKUP_NOT_FOUND'],
    handle: async ({ actor, origin, params }) => {
      const backup = await applicationConfig.readBackup(actor, origin, params.name);
      return {
        ...backupBody(backup),
        ...treeBody(backup),
        changes: backup.changes.map(differenceBody),
      };
    },
  });

const postApplicationConfigBackupsRestore = ({
  common,
  changed,
  applicationConfig,
}: ApplicationConfigRouteContext): Route =>
  route('POST /application-config/backups/:name/restore', {
    ...common,
    needs: applicationConfigPolicy.update,
    summary: 'Restores a backup of the configuration file',
    description: 'The present file is backed up before.',
    params: NameParams,
    body: RestoreInput,
    example: { body: {} },
    answer: ChangeBody,
    errors: [...WRITING, 'CONFIG_BACKUP_NOT_FOUND'],
    handle: async ({ actor, origin, params, body }) =>
      changed(
        await applicationConfig.restore(actor, origin, {
          name: params.name,
          revision: body.revision,
        }),
      ),
  });

export const applicationConfigRoutes = (services: Services): Route[] => {
  const context = applicationConfigRouteContext(services);
  return [
    getApplicationConfig,
    patchApplicationConfig,
    getApplicationConfigBackups,
    getApplicationConfigBackupsByName,
    postApplicationConfigBackupsRestore,
  ].map((create) => create(context));
};
