import { z } from 'zod';

const MAX_ID = 2_147_483_647;

const Id = z.int().min(1).max(MAX_ID);
const Text = z.string().nullish();
/** Booleans of JSON, and of columns that hold 0 or 1. */
const Flag = z
  .union([z.boolean(), z.literal([0, 1, '0', '1', 'true', 'false'])], {
    error: 'Expected true, false, 0 or 1.',
  })
  .transform((value) => [true, 1, '1', 'true'].includes(value));

/** An id, or an object that contains it. */
const reference = <Name extends string>(name: Name) =>
  z
    .union([Id, z.object({ [name]: Id } as Record<Name, typeof Id>)], {
      error: `Expected an id or an object with ${name}.`,
    })
    .transform((value) =>
      typeof value === 'number' ? value : (value as Record<Name, number>)[name],
    );

const RoleShape = z.object({
  groupId: Id,
  name: z.string(),
  description: Text,
  icon: Text,
  components: z
    .array(
      z.object({
        componentId: Id.nullish(),
        name: Text,
        permissions: z.array(z.string()).default([]),
      }),
    )
    .default([]),
});

const DetailShape = z.object({
  name: Text,
  surname: Text,
  userTitle: Text,
  phoneNumber: Text,
  department: Text,
  organization: Text,
  profilePicture: Text,
  appTour: Flag.nullish(),
  theme: Text,
  themeSync: Flag.nullish(),
  lang: Text,
  bitbucketUser: Text,
});

const UserShape = z.object({
  userId: Id,
  email: z.string(),
  passwordHash: Text,
  authMethod: Text,
  totpEnabled: Flag.nullish(),
  userGroup: reference('groupId'),
  userDetail: DetailShape.nullish(),
});

const CategoryShape = z.object({
  id: Id,
  name: Text,
  parentCategory: reference('id').nullish(),
});

const AggregatorShape = z.object({
  id: Id,
  name: Text,
  args: z.array(z.object({ id: Id, name: Text, description: Text })).default([]),
  script: Text,
  active: Flag.nullish(),
});

const ConnectorShape = z.object({
  connectorId: Id,
  title: Text,
  description: Text,
  icon: Text,
  invoker: z
    .union([z.string(), z.object({ name: z.string() })], {
      error: 'Expected the name of an invoker or an object with name.',
    })
    .transform((value) => (typeof value === 'string' ? value : value.name)),
  sslCert: Flag.nullish(),
  timeout: z.number().nullish(),
  /** Encrypted values by the name of the field. */
  requestData: z
    .union(
      [
        z.record(z.string(), Text),
        z
          .array(z.object({ name: z.string(), value: Text }))
          .transform((rows) => Object.fromEntries(rows.map(({ name, value }) => [name, value]))),
      ],
      { error: 'Expected an object of texts, or an array of objects with name and value.' },
    )
    .default({}),
});

/** Steps, bindings and containers have fields of their own, which the workflow keeps. */
const ConnectionShape = z.looseObject({
  connectionId: Id,
  title: Text,
  description: Text,
  categoryId: z.int().min(0).max(MAX_ID).nullish(),
});
const StoredConnectionShape = z.looseObject({ connectionId: Id });
const PartShape = z.looseObject({});

const EnhancementShape = z.looseObject({ enhanceId: Id });

const MessageShape = z.object({
  templateId: Id,
  name: z.string(),
  type: z.string(),
  content: z
    .array(z.object({ contentId: Id.nullish(), subject: Text, body: Text, language: Text }))
    .default([]),
});

const NotificationShape = z.object({
  notificationId: Id,
  name: Text,
  eventType: z.string(),
  template: reference('templateId'),
  recipients: z.array(z.string()).nullish(),
});

const ScheduleShape = z.object({
  schedulerId: Id,
  title: Text,
  connection: reference('connectionId'),
  cronExp: Text,
  status: Flag.nullish(),
  debugMode: Flag.nullish(),
  webhook: z.object({ webhookId: Id, url: z.string() }).nullish(),
  notification: z.array(NotificationShape).nullish(),
});

/** The files of a dump: the shape of an entry, and what identifies it. */
export const DUMP_FILES = {
  roles: { file: 'roles.json', entry: RoleShape, id: 'groupId' },
  users: { file: 'users.json', entry: UserShape, id: 'userId' },
  categories: { file: 'categories.json', entry: CategoryShape, id: 'id' },
  aggregators: { file: 'aggregators.json', entry: AggregatorShape, id: 'id' },
  connectors: { file: 'connectors.json', entry: ConnectorShape, id: 'connectorId' },
  connections: { file: 'connections.json', entry: ConnectionShape, id: 'connectionId' },
  storedConnections: {
    file: 'connection-documents.json',
    entry: StoredConnectionShape,
    id: 'connectionId',
  },
  methods: { file: 'methods.json', entry: PartShape, id: null },
  operators: { file: 'operators.json', entry: PartShape, id: null },
  fieldBindings: { file: 'field-bindings.json', entry: PartShape, id: null },
  enhancements: { file: 'enhancements.json', entry: EnhancementShape, id: 'enhanceId' },
  messages: { file: 'messages.json', entry: MessageShape, id: 'templateId' },
  schedules: { file: 'schedules.json', entry: ScheduleShape, id: 'schedulerId' },
} as const;

export type DumpName = keyof typeof DUMP_FILES;

/** The entries of all files; empty for missing ones. */
export type Dump = {
  readonly [Name in DumpName]: readonly z.output<(typeof DUMP_FILES)[Name]['entry']>[];
};

export type DumpEntry<Name extends DumpName> = Dump[Name][number];
