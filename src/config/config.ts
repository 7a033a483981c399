/**
 * The complete configuration, validated at start and frozen. Key names: `settings.ts` and
 * `docs/configuration.md`.
 */
export interface Config {
  /** `hypha`, or the prefix of the installed line that an adopted file uses. */
  readonly productPrefix: string;
  readonly production: boolean;
  readonly server: {
    readonly host: string;
    readonly port: number;
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
  readonly data: {
    readonly dir: string;
    /** Null: the embedded store in `dir`. */
    readonly mongodbUri: string | null;
  };
  readonly administrator: { readonly email: string; readonly password: string | null };
  readonly token: {
    /** Null: generated at the first start and stored in the data directory. */
    readonly secret: string | null;
    /** Maximum idle time of a session, seconds. */
    readonly activitySeconds: number;
    /** Maximum lifetime of a token, seconds. */
    readonly expirationSeconds: number;
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
  };
  readonly docs: {
    /** Whether the OpenAPI document and its browser are served. */
    readonly enabled: boolean;
  };
  readonly limits: Limits;
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
    readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  };
}

/** Limits, documented in docs/limits.md. Each is a configuration key. */
export interface Limits {
  readonly tokens: number;
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  readonly directives: number;
  readonly documentBytes: number;
  /** Fragment spreads in a document, counted at each use. */
  readonly fragments: number;
  /** Values in variables and literals. */
  readonly values: number;
  /** Nesting of brackets in a document, and of objects and lists in variables. */
  readonly nesting: number;
  readonly cost: number;
  readonly page: number;
  readonly jsonBytes: number;
  readonly workflowBytes: number;
  readonly uploadBytes: number;
  readonly socketMessageBytes: number;
  readonly socketOperations: number;
  readonly operationMs: number;
  /** Maximum number of unauthenticated sockets for each address. */
  readonly anonymousSockets: number;
  /** Maximum lifetime of an unauthenticated socket, ms. */
  readonly anonymousSocketMs: number;
  /** Maximum number of sockets for each user. */
  readonly userSockets: number;
  /** Maximum size of a GraphQL response or a socket message. */
  readonly answerBytes: number;
  /** Failed logins for each account and address before 429. */
  readonly loginFailures: number;
  /** Duration of the first lockout, ms; doubles with each further failure. */
  readonly loginLockMs: number;
  /** Maximum duration of a lockout, ms. */
  readonly loginLockMaxMs: number;
  /** Failed logins for each address, over all accounts within the window, before 429. */
  readonly loginAddressFailures: number;
  /** The window, ms. */
  readonly loginAddressWindowMs: number;
  /** Calls of one webhook a minute. */
  readonly webhookCalls: number;
  /** Calls of unknown webhooks from one address a minute. */
  readonly webhookGuesses: number;
}

export const DEFAULT_LIMITS: Limits = {
  tokens: 5_000,
  depth: 12,
  aliases: 30,
  rootFields: 20,
  directives: 50,
  documentBytes: 128 * 1024,
  fragments: 150,
  values: 20_000,
  nesting: 64,
  cost: 10_000,
  page: 100,
  jsonBytes: 1024 * 1024,
  workflowBytes: 20 * 1024 * 1024,
  uploadBytes: 20 * 1024 * 1024,
  socketMessageBytes: 256 * 1024,
  socketOperations: 100,
  operationMs: 30_000,
  anonymousSockets: 64,
  anonymousSocketMs: 30_000,
  userSockets: 2_000,
  answerBytes: 32 * 1024 * 1024,
  loginFailures: 5,
  loginLockMs: 30_000,
  loginLockMaxMs: 15 * 60_000,
  loginAddressFailures: 100,
  loginAddressWindowMs: 15 * 60_000,
  webhookCalls: 600,
  webhookGuesses: 60,
};
