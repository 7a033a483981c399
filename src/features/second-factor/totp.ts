import type { Enrolment } from '../sessions/session.ports';
/** Loaded on first use. */
const otpauth = () => require('otpauth') as typeof import('otpauth');
const qrcode = () => require('qrcode') as typeof import('qrcode');

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Accepted steps before and after the present one, for clocks that differ. */
const WINDOW = 1;
const QR_PIXELS = 300;

/** Time-based one-time passwords (RFC 6238: HMAC-SHA1, 6 digits, 30 seconds). */
function totpOf(secret: string, shown: { readonly issuer?: string; readonly label?: string } = {}) {
  const { Secret, TOTP } = otpauth();
  const options = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS };
  return new TOTP({ ...shown, ...options, secret: Secret.fromBase32(secret) });
}

/** Returns a random secret in base32. */
export const newSecret = (): string => new (otpauth().Secret)({ size: SECRET_BYTES }).base32;

/** Returns the first 20 bytes in base32. */
export const secretOfBytes = (bytes: Uint8Array): string =>
  new (otpauth().Secret)({ buffer: Uint8Array.from(bytes.subarray(0, SECRET_BYTES)).buffer })
    .base32;

/** @param shown by the app */
export async function enrolmentOf(
  secretKey: string,
  { issuer, email }: { readonly issuer: string; readonly email: string },
): Promise<Enrolment> {
  const uri = totpOf(secretKey, { issuer, label: email }).toString();
  const qr = await qrcode().toDataURL(uri, { width: QR_PIXELS, margin: 2 });
  return { secretKey, uri, qr };
}

/** Returns the time step of a right code, or null. */
export function timeStepOf(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}
