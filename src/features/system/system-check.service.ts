import { release, type } from 'node:os';
import type { Config } from '../../config/config';
import { MailFailure } from '../../platform/mail/mail-failure';
import type { MailSender } from '../../platform/mail/mail-sender';
import { whyEngineIsDown } from '../../platform/scripts/launch-engine';
import type { LaunchedEngine } from '../../platform/scripts/launch-engine';
import type { Store } from '../../platform/store/store';
import { VERSION } from '../../platform/version';

declare module '../../platform/context' {
  interface Services {
    systemCheck: SystemCheck;
  }
}

/** The state of one dependency or part of the service. */
export interface SystemComponent {
  /** `UNKNOWN`: not in use, and not an error. */
  readonly status: 'UP' | 'DOWN' | 'UNKNOWN';
  readonly details: Readonly<Record<string, string | number | boolean>>;
}

const PING_MS = 2_000;
const MAIL_MS = 10_000;

/** Checks the parts of the service on each call. */
export class SystemCheck {
  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly config: Pick<Config, 'productPrefix' | 'scripts'>;
      /** Null if no mail server is configured. */
      readonly mails: MailSender | null;
      /** The engine process that the service started; null if it starts none. */
      readonly launched: () => LaunchedEngine | null;
    },
  ) {}

  async components(): Promise<Readonly<Record<string, SystemComponent>>> {
    const [mongoDB, polyglot, email] = await Promise.all([
      this.checkStore(),
      this.checkPolyglot(),
      this.checkMail(),
    ]);
    return {
      mongoDB,
      polyglot,
      email,
      [this.deps.config.productPrefix]: { status: 'UP', details: { version: VERSION } },
      os: { status: 'UP', details: { name: type(), version: release() } },
    };
  }

  private async checkStore(): Promise<SystemComponent> {
    const { store } = this.deps;
    const name = store.isExclusive ? 'Embedded store' : 'MongoDB';
    try {
      const { version } =
        (await store.connection.db?.command({ buildInfo: 1 }, { timeoutMS: PING_MS })) ?? {};
      return { status: 'UP', details: { name, ...(typeof version === 'string' && { version }) } };
    } catch {
      return { status: 'DOWN', details: { name, error: 'The store does not respond.' } };
    }
  }

  /** Connects and logs in, as before a mail. */
  private async checkMail(): Promise<SystemComponent> {
    const { mails } = this.deps;
    if (mails === null)
      return { status: 'DOWN', details: { enabled: false, error: 'Host or sender is not set.' } };
    const details = { location: mails.location };
    try {
      await mails.check(AbortSignal.timeout(MAIL_MS));
      return { status: 'UP', details };
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      return { status: 'DOWN', details: { ...details, error: error.message } };
    }
  }

  private async checkPolyglot(): Promise<SystemComponent> {
    const { polyglot } = this.deps.config.scripts;
    if (polyglot === null) return { status: 'UNKNOWN', details: { enabled: false } };
    const error = await whyEngineIsDown({ host: polyglot.host, port: polyglot.port });
    const engine = this.deps.launched();
    const details = {
      location: `${polyglot.host}:${polyglot.port}`,
      ...(engine !== null && { starts: engine.starts }),
      ...(engine?.pid != null && { pid: engine.pid }),
    };
    return error === null
      ? { status: 'UP', details }
      : { status: 'DOWN', details: { ...details, error } };
  }
}
