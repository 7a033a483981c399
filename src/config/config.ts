/** The whole configuration, validated once at start and frozen. Names of the keys: `settings.ts` and `docs/configuration.md`. */
export interface Config {
  /** `hypha`, or the prefix of the installed line a carried-over file uses. */
  readonly productPrefix: string;
  readonly production: boolean;
  readonly server: {
    readonly host: string;
    readonly port: number;
    /** Where clients reach us, when a proxy stands in front: `https://example.com/hypha`. */
    readonly publicUrl: string | null;
    /** The path of the public URL: `/hypha`, or nothing. A proxy may take it off what it passes on, or not. */
    readonly pathPrefix: string;
    /** Proxies whose `X-Forwarded-*` headers are believed: addresses, CIDRs or express names such as `loopback`. */
    readonly trustedProxies: readonly string[];
  };
  readonly data: {
    readonly dir: string;
    /** Null: the embedded store in `dir`. */
    readonly mongodbUri: string | null;
  };
  readonly administrator: { readonly email: string; readonly password: string | null };
  readonly token: {
    /** Null: generated on first start and kept in the data directory. */
    readonly secret: string | null;
    /** Idle limit of a session, seconds, sliding. */
    readonly activitySeconds: number;
    /** Absolute life of a token, seconds. */
    readonly expirationSeconds: number;
  };
  readonly connector: {
    /** Protects credentials and shows them; null: a generated key protects them, and nothing shows them. */
    readonly masterPassword: string | null;
  };
  readonly cors: {
    /** Exact origins, or `*` for any. Also the allow-list of the socket. The service's own origin is always allowed. */
    readonly origins: readonly string[];
  };
  /** IANA name; days of the dashboard are counted in it. */
  readonly timeZone: string;
  readonly graphql: {
    /** Introspection, GraphiQL and field suggestions. */
    readonly introspection: boolean;
  };
  readonly docs: {
    /** The OpenAPI document and its browser are served. */
    readonly enabled: boolean;
  };
  readonly limits: Limits;
  readonly workflow: {
    /** Version snapshots kept per workflow. */
    readonly versionsKeep: number;
    /** Longest a step may take, with all its tries, ms. */
    readonly stepTimeoutMs: number;
    /** How often a step is tried again that may be repeated, and the first pause between two tries. */
    readonly retrying: { readonly retries: number; readonly backoffMs: number };
    /** Longest a run may take, ms. */
    readonly runTimeoutMs: number;
    /** Runs that execute at the same time; the others wait in QUEUED. */
    readonly concurrentRuns: number;
    /** The same, of one workflow; Infinity: as many as there are places. */
    readonly concurrentOfWorkflow: number;
  };
  readonly runs: {
    /** `processes`: each run is executed in a process of its own. `none`: all of them in that of the service. */
    readonly isolation: 'processes' | 'none';
    /** What a run may take, bytes. */
    readonly memoryBytes: number;
    /** How long a run may hold its process without letting it come back, ms. */
    readonly stallMs: number;
    readonly maxEvents: number;
    /** Of all loops together. */
    readonly maxTurns: number;
    /** Of all events together. */
    readonly maxStoredBytes: number;
    /** How long a run that has ended is kept, days. */
    readonly retentionDays: number;
    /** Of one workflow, how many runs that ended well keep their log, and how many that did not. */
    readonly logs: { readonly successes: number; readonly failures: number };
  };
  /** How long a recorded change is kept, days. */
  readonly audit: { readonly retentionDays: number };
  readonly supportLogs: { readonly keepDays: number };
  readonly scripts: {
    /** Longest a script may take, ms. */
    readonly timeoutMs: number;
    /** What a script may take, with what it is given, bytes. */
    readonly memoryBytes: number;
    /** The engine for Python and Ruby; null: there is none. */
    readonly polyglot: {
      readonly host: string;
      readonly port: number;
      /** How the service starts it where it does not answer; null: it does not. */
      readonly launch: {
        readonly jarPath: string;
        readonly args: string;
        readonly jvmArgs: string;
        /** How long it is waited for. */
        readonly waitMs: number;
        /** What it says is kept in a file of its own. */
        readonly isLogged: boolean;
      } | null;
    } | null;
  };
  readonly jobs: {
    /** How long a job that has ended is kept, days. */
    readonly keepDays: number;
  };
  /** Removes the workflows that interrupted tests left behind. */
  readonly sweeper: {
    readonly testConnection: {
      readonly enabled: boolean;
      readonly fixedDelayMs: number;
      readonly initialDelayMs: number;
    };
  };
  readonly invoker: {
    /** Invokers of the installation: the XML files in it are read at a start. It need not be there. */
    readonly folder: string;
  };
  readonly outbound: {
    readonly timeoutMs: number;
    readonly maxResponseBytes: number;
    readonly maxRedirects: number;
    /** Host names and CIDRs that may never be called, on top of link-local and metadata addresses. */
    readonly deny: readonly string[];
    /** Host names and CIDRs that may be called although a rule denies them. */
    readonly allow: readonly string[];
    /** Proxies for calls to remote systems; null: they are called directly. */
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

/** The limits, published in docs/limits.md. Each is a configuration key. */
export interface Limits {
  readonly tokens: number;
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  readonly directives: number;
  readonly documentBytes: number;
  /** Fragments spread in a document, counted wherever they come in. */
  readonly fragments: number;
  /** Values in variables and literals. */
  readonly values: number;
  /** Brackets inside each other in a document; objects and lists inside each other in variables. */
  readonly nesting: number;
  readonly cost: number;
  readonly page: number;
  readonly jsonBytes: number;
  readonly workflowBytes: number;
  readonly uploadBytes: number;
  readonly socketMessageBytes: number;
  readonly socketOperations: number;
  readonly operationMs: number;
  /** Sockets without a session from one address. */
  readonly anonymousSockets: number;
  /** How long a socket without a session stays open, ms. */
  readonly anonymousSocketMs: number;
  /** Sockets of one user. */
  readonly userSockets: number;
  /** Of one GraphQL answer or message of a socket. */
  readonly answerBytes: number;
  /** Failed logins per account and address before 429. */
  readonly loginFailures: number;
  /** The first lock-out, ms; doubles with each further failure. */
  readonly loginLockMs: number;
  /** The longest lock-out, ms. */
  readonly loginLockMaxMs: number;
  /** Failed logins per address, over all accounts and within the window, before 429. */
  readonly loginAddressFailures: number;
  /** The window, ms. */
  readonly loginAddressWindowMs: number;
  /** Calls of one webhook in a minute. */
  readonly webhookCalls: number;
  /** Calls of webhooks that are not there, of one address in a minute. */
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
