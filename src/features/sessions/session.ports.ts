import type { User } from '../users/user.model';
import type { Session, SessionOwner } from './session.service';

/** What an authenticator app needs. */
export interface Enrolment {
  /** Base32. */
  readonly secretKey: string;
  /** `otpauth://totp/…` */
  readonly uri: string;
  /** The URI as QR code: a data URL of a PNG of 300 pixels. */
  readonly qr: string;
}

/** A successful login: the user, and the token of the new session (without `Bearer`). */
export interface SignedIn {
  readonly user: User;
  readonly token: string;
  readonly session: Session;
}

/** The second step of a login. */
export interface LoginChallenge {
  readonly challengeId: string;
  /** For a user who must set up an authenticator app first, else null. */
  readonly enrolment: Enrolment | null;
}

/** A completed login; `recoveryCodes` once, after the app was set up. */
export interface ConfirmedLogin extends SignedIn {
  readonly recoveryCodes: readonly string[] | null;
}

/** Begins the second step of logins. */
export interface SecondStep {
  /** Returns the second step for a user whose password was right, or null if there is none. */
  begin(owner: SessionOwner): Promise<LoginChallenge | null>;
}
