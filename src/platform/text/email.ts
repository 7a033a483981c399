import { domainToASCII, domainToUnicode } from 'node:url';
import { fold } from './fold';

/** Characters of international domains. Others would be parts of a URL. */
const DOMAIN = /^[\p{L}\p{M}\p{N}\p{Cf}._\-\u3002\uff0e\uff61]+$/u;
const ASCII = /^[\x20-\x7e]*$/;
const ENCODED_LABEL = /(?:^|\.)xn--/i;

/** Splits at the last `@`; null if there is none. */
function partsOf(email: string): { readonly local: string; readonly domain: string } | null {
  const text = email.trim();
  const at = text.lastIndexOf('@');
  return at === -1 ? null : { local: text.slice(0, at), domain: text.slice(at + 1) };
}

/**
 * Returns the address with its domain in ASCII form (IDNA), as mail servers expect it:
 * `a@bücher.example` becomes `a@xn--bcher-kva.example`. Returns null if the domain has no such form.
 */
export function asciiEmail(email: string): string | null {
  const parts = partsOf(email);
  if (parts === null || ASCII.test(parts.domain)) return email.trim();
  const ascii = DOMAIN.test(parts.domain) ? domainToASCII(parts.domain) : '';
  return ascii === '' ? null : `${parts.local}@${ascii}`;
}

/**
 * Returns a key that is equal for addresses of the same mailbox: folded, and with the Unicode form
 * of the domain, so that parts of it can be searched. Domains with the same ASCII form have the same
 * key. Texts that are no address are folded.
 */
export function emailKeyOf(email: string): string {
  const parts = partsOf(email);
  if (parts === null) return fold(email);
  const { local, domain } = parts;
  const isInternational = !ASCII.test(domain) || ENCODED_LABEL.test(domain);
  const canonical =
    isInternational && DOMAIN.test(domain) ? domainToUnicode(domainToASCII(domain)) : '';
  return `${fold(local)}@${canonical === '' ? fold(domain) : canonical}`;
}

/** Returns the address as it is, and with the ASCII and the Unicode form of its domain, each once. */
export function emailForms(email: string): readonly string[] {
  const ascii = asciiEmail(email) ?? email;
  const { local, domain } = partsOf(ascii) ?? { local: '', domain: '' };
  const unicode = ENCODED_LABEL.test(domain) ? domainToUnicode(domain) : '';
  return [...new Set([email, ascii, unicode === '' ? email : `${local}@${unicode}`])];
}

/** Returns whether the part before the `@` needs SMTPUTF8 (RFC 6531). */
export const needsSmtpUtf8 = (email: string): boolean => !ASCII.test(partsOf(email)?.local ?? '');
