import type { FilePlace } from './files';
import type { Role } from './roles';
import type { GroupRole } from './ldap';
import type { Limits } from './limits';
import type { FlatKeys } from './setting';
import type { MailConfig, NotificationConfig } from './mail';
import type { OnlineConfig } from './online-services';
import type { RedisConfig } from './redis';
import type { MetricsConfig, TracingConfig } from './watching';

export type { GroupRole } from './ldap';
export type { Limits } from './limits';

/**
 * The complete configuration, validated at start and frozen. Key names: `settings.ts` and
 * `docs/configuration.md`.
 */
export interface Config {
  /** `hypha`, or the prefix of the installed line that an adopted file uses. */
  readonly productPrefix: string;
  readonly production: boolean;
  /** Whether a supervisor starts the service again after it has ended for a restart. */
  readonly supervised: boolean;
  /** The configuration file that users change. */
  readonly file: {
    readonly path: string;
    /** Its keys when the configuration was read. */
    readonly keys: FlatKeys;
    /** Returns the keys of a content, and why the service would not start with it. */
    readonly check: (content: Buffer) => {
      readonly problems: readonly string[];
      readonly keys: FlatKeys;
    };
    /** Directory of the copies that are made before each change. */
    readonly backupDir: string;
    /** Number of copies that are kept. */
    readonly backupKeep: number;
    /** Whether all processes of the service read this file. */
    readonly reachesAll: boolean;
  };
  readonly server: {
    readonly host: string;
    readonly port: number;
    /** Where the service also listens, in the `released` dialect; null: nowhere. */
    readonly additionalPort: number | null;
    /** The URL for clients, if it differs because of a proxy: `https://example.com/hypha`. */
    readonly publicUrl: string | null;
    /**
     * The path of the public URL: `/hypha`, or empty. Proxies may remove it from forwarded requests
     * or not.
     */
    readonly pathPrefix: string;
    /**
     * Proxies whose `X-Forwarded-*` headers are trusted: addresses, CIDRs or express names such as
     * `loopback`.
     */
    readonly trustedProxies: readonly string[];
  };
  /** Directory of a built web client, which is served at the root; null: none. */
  readonly frontend: { readonly directory: string | null };
  readonly data: {
    readonly dir: string;
    /** Null: the embedded store in `dir`. */
    readonly mongodbUri: string | null;
    /** Whether other processes of the service may use the embedded store. */
    readonly shareStore: boolean;
  };
  /** Null: processes poll the store for changes by others. */
  readonly redis: RedisConfig | null;
  /** Where uploaded files are saved. */
  readonly files: FilePlace;
  /** What this process does. */
  readonly roles: readonly Role[];
  readonly administrator: { readonly email: string; readonly password: string | null };
  readonly token: {
    /** Null: generated at the first start and stored in the data directory. */
    readonly secret: string | null;
    /** Maximum idle time of a session, seconds. */
    readonly activitySeconds: number;
    /** Maximum lifetime of a token, seconds. */
    readonly expirationSeconds: number;
  };
  readonly password: {
    /** Whether each change of the own password needs the current one. */
    readonly requireCurrent: boolean;
  };
  readonly secondFactor: {
    /** Names of the groups whose members need a second factor; `*`: all. */
    readonly groups: readonly string[];
  };
  /** The LDAP directory that checks passwords of users without a local one. */
  readonly ldap: {
    /** Servers in the order in which they are tried; empty: no directory. */
    readonly urls: readonly string[];
    readonly userSearchBase: string;
    readonly groupSearchBase: string;
    /** The bind account; null: anonymous searches. */
    readonly username: string | null;
    readonly password: string | null;
    /** `{0}`: what the user entered as e-mail. */
    readonly userSearchFilter: string;
    /** `{0}`: the distinguished name of the user, `{1}`: what the user entered as e-mail. */
    readonly groupSearchFilter: string;
    /** The first group that the user belongs to decides. */
    readonly groupRoles: readonly GroupRole[];
    /** Name of the user group if no directory group matches. */
    readonly defaultRole: string;
    /** Maximum duration of a sign-in over all servers, ms. */
    readonly timeoutMs: number;
    /** Whether logins of directory users are logged. */
    readonly showLogs: boolean;
    /** Whether all steps of a login are logged. */
    readonly debug: boolean;
    /** PEM file with the certificates to trust; null: those of Node.js. */
    readonly caFile: string | null;
    /** Upgrades connections of `ldap://`. */
    readonly startTls: boolean;
  };
  readonly connector: {
    /**
     * Encrypts credentials and reveals them. Null: a generated key encrypts them, and they cannot
     * be shown.
     */
    readonly masterPassword: string | null;
  };
  readonly cors: {
    /**
     * Allowed exact origins, or `*` for any, for HTTP and sockets. The service's own origin is
     * always allowed.
     */
    readonly origins: readonly string[];
  };
  /** IANA name. Days on the dashboard use it. */
  readonly timeZone: string;
  readonly graphql: {
    /** Introspection, GraphiQL and field suggestions. */
    readonly introspection: boolean;
    readonly compiledPlans: boolean;
    /**
     * Module with plugins of the operator for Apollo Server. Only the environment sets it: a file that
     * the service edits must not decide which code runs.
     */
    readonly plugins: string | null;
  };
  readonly docs: {
    /** Whether the OpenAPI document and its browser are served. */
    readonly enabled: boolean;
  };
  readonly rest: {
    /** The dialect at `/api` and at the root. Each is also mounted below its name. */
    readonly dialect: 'documented' | 'released';
  };
  readonly limits: Limits;
  /** Null: no mails are sent. */
  readonly mail: MailConfig | null;
  readonly notifications: NotificationConfig;
  readonly onlineServices: OnlineConfig;
  readonly workflow: {
    readonly versionsKeep: number;
    /** Maximum duration of a step including all retries, ms. */
    readonly stepTimeoutMs: number;
    /** Retries of repeatable steps, and the first pause between two attempts, ms. */
    readonly retrying: { readonly retries: number; readonly backoffMs: number };
    /** Maximum duration of a run, ms. */
    readonly runTimeoutMs: number;
    /** Further runs stay QUEUED. */
    readonly concurrentRuns: number;
    /** Infinity: no limit. */
    readonly concurrentOfWorkflow: number;
  };
  readonly runs: {
    /** `processes` executes each run in a child process, `none` in the process of the service. */
    readonly isolation: 'processes' | 'none';
    /** Memory limit of a run, bytes. */
    readonly memoryBytes: number;
    /** Maximum time that a run may block its event loop, ms. */
    readonly stallMs: number;
    readonly maxEvents: number;
    /** Maximum number of iterations of all loops of a run. */
    readonly maxTurns: number;
    /** Maximum size of all events of a run. */
    readonly maxStoredBytes: number;
    /** What is kept of a run so that it can go on: its size, and how long after a failure, ms. */
    readonly journal: { readonly maxBytes: number; readonly keepMs: number };
    /** Whether requests and responses of failed steps are kept with the error of their run. */
    readonly recordFailures: boolean;
    /** Retention of ended runs, days. */
    readonly retentionDays: number;
    /** Number of successful and failed runs of each workflow that keep their log. */
    readonly logs: { readonly successes: number; readonly failures: number };
  };
  /** Retention of audit records, days. */
  readonly audit: { readonly retentionDays: number };
  readonly supportLogs: { readonly keepDays: number };
  readonly scripts: {
    /** Maximum duration of a script, ms. */
    readonly timeoutMs: number;
    /** Memory limit of a script including its input, bytes. */
    readonly memoryBytes: number;
    /** The key that enables the engine. */
    readonly polyglotKey: string;
    /** The engine for Python and Ruby; null if disabled. */
    readonly polyglot: {
      readonly host: string;
      readonly port: number;
      /** How the service starts the engine if it does not respond; null: never. */
      readonly launch: {
        readonly jarPath: string;
        readonly args: string;
        readonly jvmArgs: string;
        /** Maximum wait for the engine to start, ms. */
        readonly waitMs: number;
        /** Whether its output is written to a separate file. */
        readonly isLogged: boolean;
      } | null;
    } | null;
  };
  readonly jobs: {
    /** Retention of ended jobs, days. */
    readonly keepDays: number;
  };
  /** Removes workflows that interrupted tests left behind. */
  readonly sweeper: {
    readonly testConnection: {
      readonly enabled: boolean;
      readonly fixedDelayMs: number;
      readonly initialDelayMs: number;
    };
  };
  readonly invoker: {
    /**
     * Folder with invokers of the installation; its XML files are read at start. It may be missing.
     */
    readonly folder: string;
  };
  readonly outbound: {
    readonly timeoutMs: number;
    readonly maxResponseBytes: number;
    readonly maxHeaderBytes: number;
    readonly maxRedirects: number;
    /** Host names and CIDRs that are blocked in addition to link-local and metadata addresses. */
    readonly deny: readonly string[];
    /** Host names and CIDRs that are allowed although a rule blocks them. */
    readonly allow: readonly string[];
    /** Proxies for calls to remote systems; null: direct calls. */
    readonly proxies: {
      readonly http: string | null;
      readonly https: string | null;
      readonly noProxy: readonly string[];
    };
  };
  readonly log: {
    /** Null: `info`, or `warn` if the log is written to a terminal. */
    readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent' | null;
    /** Null: `json`, or `text` if the log is written to a terminal. */
    readonly format: 'json' | 'text' | null;
  };
  readonly metrics: MetricsConfig;
  readonly tracing: TracingConfig;
}
