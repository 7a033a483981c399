import { signal } from '@preact/signals';

/** The master password as the user entered it. It is kept until the page is closed. */
export const masterPassword = signal<string | null>(null);

const gated = new Set<unknown>();

/** Names operations that need the master password. It is sent with no other. */
export function requireMasterPassword(...documents: readonly unknown[]): void {
  for (const document of documents) gated.add(document);
}

/** Returns the header for an operation. */
export const masterPasswordHeader = (document: unknown): Record<string, string> =>
  gated.has(document) && masterPassword.value !== null
    ? { 'X-Master-Password': masterPassword.value }
    : {};
