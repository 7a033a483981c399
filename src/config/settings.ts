import { createAddressPolicy } from '../platform/outbound/address-policy';
import { isProxyUrl } from '../platform/outbound/proxies';
import {
  isMasterPassword,
  MASTER_PASSWORD_RULE,
  passwordProblem,
} from '../platform/text/password-text';
import { trustedProxies } from '../platform/trusted-proxies';
import { isTimeZone } from '../platform/clock/time-zone';
import { flag, isEmail, isOrigin, list, oneOf, secretText, text, wholeNumber } from './forms';
import { isPublicUrl } from './addresses';
import { FILES_SETTINGS } from './files';
import { LDAP_SETTINGS } from './ldap';
import { LIMIT_SETTINGS } from './limits';
import { MAIL_SETTINGS } from './mail';
import { ONLINE_SETTINGS } from './online-services';
import { REDIS_SETTINGS } from './redis';
import { ROLES } from './roles';
import type { Role } from './roles';
import { optional, setting } from './setting';
import { METRICS_SETTINGS } from './watching';

export type { Setting } from './setting';

const MINUTES = 60_000;
const MEBIBYTE = 1024 * 1024;
/** Checks an entry with the code that uses it later, so that problems are reported at start. */
const acceptedBy =
  (use: (entry: string) => unknown) =>
  (entry: string): boolean => {
    try {
      use(entry);
      return true;
    } catch {
      return false;
    }
  };
const isAddressRule = acceptedBy((entry) => createAddressPolicy({ deny: [entry], allow: [] }));
const isProxy = acceptedBy((entry) => trustedProxies([entry]));
/** All settings. `docs/configuration.md` is generated from them. */
export const SETTINGS = {
  port: setting('server.port', wholeNumber(0, 65_535), 8080, { env: 'PORT' }),
  host: setting('server.address', text('a host name or address to bind to'), '127.0.0.1', {
    env: 'HOST',
  }),
  publicUrl: optional(
    '<product>.public-url',
    text(
      'the URL that clients use, such as https://hypha.example.com or https://example.com/hypha; its path must not begin like a route of the service (/api)',
      isPublicUrl,
    ),
  ),
  additionalPort: optional('<product>.server.additional-port', wholeNumber(0, 65_535)),
  frontendDirectory: optional('<product>.frontend.directory', text('a directory')),
  trustedProxies: setting(
    '<product>.trusted-proxies',
    list('addresses, CIDRs or loopback, linklocal, uniquelocal, separated by commas', isProxy),
    [],
  ),
  configFilePath: optional('<product>.config.file-path', text('a file'), {
    env: 'CONFIG_FILE',
    defaultText: '`application.yml` if it exists, else `src/main/resources/application.yml`',
  }),
  configBackupDir: setting(
    '<product>.config.backup.directory',
    text('a directory'),
    'runtime/backup/application',
  ),
  configBackupKeep: setting('<product>.config.backup.keep', wholeNumber(1, 10_000), 10),
  configShared: setting('<product>.config.shared', flag(), false),
  supervised: setting('<product>.supervised', flag(), false),
  dataDir: setting('<product>.data.dir', text('a directory'), './runtime/data', {
    env: 'DATA_DIR',
  }),
  mongodbUri: optional(
    '<product>.data.mongodb-uri',
    text('mongodb://… or mongodb+srv://…', (value) => /^mongodb(\+srv)?:\/\/.+/.test(value)),
    { env: 'MONGODB_URI', secret: true },
  ),
  ...REDIS_SETTINGS,
  shareStore: setting('<product>.data.share-store', flag(), false, { env: 'HYPHA_SHARE_STORE' }),
  ...FILES_SETTINGS,
  roles: setting(
    '<product>.roles',
    list(`${ROLES.join(', ')}, separated by commas`, (entry) => ROLES.includes(entry as Role)),
    ROLES as readonly string[],
  ),
  adminEmail: optional('<product>.admin.email', text('an e-mail address', isEmail), {
    env: 'ADMIN_EMAIL',
  }),
  adminPassword: optional(
    '<product>.admin.password',
    secretText('8 to 128 characters', (value) => passwordProblem(value) === null),
    { env: 'ADMIN_PASSWORD', secret: true },
  ),
  tokenSecret: optional(
    '<product>.token.secret',
    secretText(
      'at least 32 bytes; one that is shorter, or shipped with a release, is not used',
      (value) => value !== '',
    ),
    { secret: true },
  ),
  tokenActivity: setting('<product>.token.activity-time', wholeNumber(1, 31_536_000), 18_000),
  tokenExpiration: setting('<product>.token.expiration-time', wholeNumber(1, 31_536_000), 86_400, {
    formerKey: '<product>.token.experation-time',
  }),
  requireCurrentPassword: setting('<product>.password.require-current', flag(), false),
  secondFactorGroups: setting(
    '<product>.second-factor.groups',
    list('names of groups separated by commas, or *'),
    [],
  ),
  ...LDAP_SETTINGS,
  masterPassword: optional(
    '<product>.connector.master-password',
    secretText(MASTER_PASSWORD_RULE, isMasterPassword),
    { secret: true },
  ),
  corsOrigins: setting(
    '<product>.cors.origins',
    list(
      'origins such as https://app.example.com separated by commas, or *',
      (entry) => entry === '*' || isOrigin(entry),
    ),
    [],
  ),
  timeZone: setting(
    '<product>.time-zone',
    text('an IANA time zone such as Europe/Berlin', isTimeZone),
    'UTC',
  ),
  compiledPlans: setting('<product>.graphql.compiled-plans', flag(), true),
  /** Null: enabled outside production. */
  introspection: setting<boolean | null>('<product>.graphql.introspection', flag(), null),
  docs: setting('<product>.docs.enabled', flag(), true),
  restDialect: setting('<product>.rest.dialect', oneOf('documented', 'released'), 'documented'),
  ...LIMIT_SETTINGS,
  ...MAIL_SETTINGS,
  ...METRICS_SETTINGS,
  versionsKeep: setting('<product>.workflow.versions.keep', wholeNumber(1, 10_000), 50),
  stepTimeout: setting('<product>.step.timeout', wholeNumber(100, 60 * MINUTES), 30_000),
  /** Retries of a step with a repeatable HTTP method, and the first pause, ms. */
  stepRetries: setting('<product>.step.retries', wholeNumber(0, 10), 2),
  stepBackoff: setting('<product>.step.backoff', wholeNumber(0, 60_000), 500),
  runTimeout: setting(
    '<product>.run.timeout',
    wholeNumber(1_000, 7 * 24 * 60 * MINUTES),
    60 * MINUTES,
  ),
  /** Null: as many as fit into the memory. */
  concurrentRuns: optional('<product>.run.concurrent', wholeNumber(1, 1_000)),
  /** 0: no separate limit. */
  concurrentOfWorkflow: setting('<product>.run.concurrent-per-workflow', wholeNumber(0, 1_000), 0),
  runIsolation: setting('<product>.run.isolation', oneOf('processes', 'none'), 'processes'),
  /** MiB. */
  runMemory: setting('<product>.run.memory', wholeNumber(64, 65_536), 256),
  runStall: setting('<product>.run.stall', wholeNumber(1_000, 10 * MINUTES), 10_000),
  runEvents: setting('<product>.run.max-events', wholeNumber(100, 100_000_000), 1_000_000),
  runTurns: setting('<product>.run.max-turns', wholeNumber(100, 1_000_000_000), 10_000_000),
  runStoredBytes: setting(
    '<product>.run.max-stored-bytes',
    wholeNumber(64 * 1_024, 16_384 * MEBIBYTE),
    256 * MEBIBYTE,
  ),
  runJournalBytes: setting(
    '<product>.run.journal.max-bytes',
    wholeNumber(64 * 1_024, 1_024 * MEBIBYTE),
    64 * MEBIBYTE,
  ),
  /** Hours. */
  runJournalKeep: setting('<product>.run.journal.keep', wholeNumber(0, 720), 24),
  runFailures: setting('<product>.run.record-failures', flag(), true),
  /** Days. */
  runRetention: setting('<product>.run.retention', wholeNumber(1, 3_650), 30),
  /** For each workflow, with the keys of the released line. */
  logsOfSuccesses: setting('log.retention.per-connection.success', wholeNumber(0, 1_000), 2),
  logsOfFailures: setting('log.retention.per-connection.fail', wholeNumber(0, 1_000), 3),
  /** The same with keys of this product. Null: as above. */
  ownLogsOfSuccesses: optional(
    '<product>.log.retention.per-connection.success',
    wholeNumber(0, 1_000),
  ),
  ownLogsOfFailures: optional('<product>.log.retention.per-connection.fail', wholeNumber(0, 1_000)),
  /** Days. */
  auditRetention: setting('<product>.audit.retention', wholeNumber(1, 36_500), 365),
  /** Days. */
  supportLogRetention: setting('<product>.support-log.retention', wholeNumber(1, 365), 30),
  scriptTimeout: setting('<product>.script.timeout', wholeNumber(100, 10 * MINUTES), 5_000),
  /** MiB. */
  scriptMemory: setting('<product>.script.memory', wholeNumber(20, 2_048), 64),
  polyglotEnabled: setting('<product>.polyglot.enabled', flag(), false),
  polyglotProtocol: setting('<product>.polyglot.protocol', oneOf('grpc'), 'grpc'),
  polyglotHost: setting(
    '<product>.polyglot.host',
    text('a host name or an address', (value) => /^[\w.:-]{1,255}$/.test(value)),
    '127.0.0.1',
  ),
  polyglotPort: setting('<product>.polyglot.port', wholeNumber(1, 65_535), 6_566),
  polyglotAutoStart: setting('<product>.polyglot.auto-start', flag(), false),
  polyglotJar: optional('<product>.polyglot.launch.jarPath', text('a file')),
  polyglotArgs: optional('<product>.polyglot.launch.args', text()),
  polyglotWait: setting('<product>.polyglot.launch.waitTimeoutSec', wholeNumber(1, 600), 30),
  polyglotJvmArgs: setting('<product>.polyglot.launch.jvmArgs', text(), '-Xms64m -Xmx256m'),
  polyglotLog: setting('<product>.polyglot.external-log-enabled', flag(), false),
  /** The key of the released line. */
  polyglotLaunchLog: setting('<product>.polyglot.launch.external-log-enabled', flag(), false),
  jobsKeepDays: setting('<product>.jobs.keep-days', wholeNumber(1, 3_650), 7),
  sweeperEnabled: setting('<product>.sweeper.test-connection.enabled', flag(), true),
  sweeperDelay: setting(
    '<product>.sweeper.test-connection.fixed-delay',
    wholeNumber(1_000, 24 * 60 * MINUTES),
    15 * MINUTES,
  ),
  sweeperFirst: setting(
    '<product>.sweeper.test-connection.initial-delay',
    wholeNumber(0, 24 * 60 * MINUTES),
    0,
  ),
  ...ONLINE_SETTINGS,
  /** Null: `invokers` in the data directory. */
  invokerFolder: optional('<product>.invoker.folder', text('a directory')),
  outboundTimeout: setting('<product>.outbound.timeout', wholeNumber(100, 60 * MINUTES), 30_000),
  outboundBytes: setting(
    '<product>.outbound.max-response-bytes',
    wholeNumber(1_024, 1_024 * MEBIBYTE),
    20 * MEBIBYTE,
  ),
  outboundHeaderBytes: setting(
    '<product>.outbound.max-header-bytes',
    wholeNumber(16_384, MEBIBYTE),
    65_536,
  ),
  outboundRedirects: setting('<product>.outbound.max-redirects', wholeNumber(0, 20), 5),
  outboundDeny: setting(
    '<product>.outbound.deny',
    list('addresses, CIDRs, host names, *.domain or *, separated by commas', isAddressRule),
    [],
  ),
  proxyHttp: optional(
    '<product>.outbound.proxy.http',
    text('the http or https URL of a proxy', isProxyUrl),
    { env: 'HTTP_PROXY', secret: true },
  ),
  proxyHttps: optional(
    '<product>.outbound.proxy.https',
    text('the http or https URL of a proxy', isProxyUrl),
    { env: 'HTTPS_PROXY', secret: true },
  ),
  noProxy: setting(
    '<product>.outbound.proxy.none',
    list('names, .domain, addresses, CIDRs, each with an optional port, or *, separated by commas'),
    [],
    { env: 'NO_PROXY' },
  ),
  outboundAllow: setting(
    '<product>.outbound.allow',
    list('addresses, CIDRs, host names, *.domain or *, separated by commas', isAddressRule),
    [],
  ),
  logLevel: optional(
    '<product>.log.level',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    { defaultText: '`info`; `warn` if stdout is a terminal' },
  ),
  logFormat: optional('<product>.log.format', oneOf('json', 'text'), {
    defaultText: '`json`; `text` if stdout is a terminal',
  }),
} as const;

/** Keys of an adopted file that are known but not used here. Prefixes, by dots. */
export const KNOWN_ELSEWHERE = [
  'spring',
  'logging',
  'management',
  'springdoc',
  'server',
  ...[
    'connector',
    'notification',
    'gc',
    'version',
    'debug_mode',
    'installation',
    'service_portal',
    'rest_template',
  ].map((key) => `<product>.${key}`),
];
