import type { Origin } from '../../platform/context';
import { BadInput } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { AuditService } from '../audit/audit.service';
import type { UserCredentials } from '../users/user-credentials';
import { wrongCredentials } from './session-opening';
import type { SessionOpening } from './session-opening';
import type { LoginChallenge, SecondStep, SignedIn } from './session.ports';

declare module '../../platform/context' {
  interface Services {
    login: LoginService;
  }
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** @throws BadInput if a text is not well-formed Unicode */
function checkTexts(credentials: Credentials): void {
  const findings = new Findings();
  for (const [field, text] of Object.entries(credentials) as [string, string][])
    if (!text.isWellFormed())
      findings.add(
        new BadInput('BAD_REQUEST', 'This is not well-formed Unicode.', {
          path: [field],
          reason: 'TEXT_INVALID',
        }),
      );
  findings.refuse();
}

/** Exchanges e-mail and password for a session, or for a challenge for the second factor. */
export class LoginService {
  constructor(
    private readonly deps: {
      readonly audit: AuditService;
      readonly credentials: UserCredentials;
      readonly sessions: SessionOpening;
      readonly secondFactor: SecondStep;
    },
  ) {}

  /**
   * @throws BadInput if a text is not well-formed Unicode
   * @throws Forbidden if a page of an origin that is not allowed sent it: it could lock its
   * visitors out
   * @throws WrongCredentials for an unknown user or a wrong password, with the same
   * response and the same work
   * @throws RateLimited, Unavailable as `UserCredentials.verify`
   */
  async login(
    { email, password }: Credentials,
    origin: Origin,
  ): Promise<SignedIn | LoginChallenge> {
    this.deps.sessions.requireOwnPage(origin);
    checkTexts({ email, password });
    const check = await this.deps.credentials.verify(email, password, origin.network);
    if (!check.isValid) {
      await this.recordFailure(check.userId, origin);
      throw wrongCredentials();
    }
    return (
      (await this.deps.secondFactor.begin(check.credentials)) ??
      this.deps.sessions.open(check.credentials, origin)
    );
  }

  /** The entered e-mail is not recorded: users sometimes type their password there. */
  private async recordFailure(userId: number | undefined, origin: Origin): Promise<void> {
    await this.deps.audit.recordRepeated(
      'session.refuse',
      { type: 'User', id: userId ?? 'unknown' },
      { address: origin.network },
      origin,
    );
  }
}
