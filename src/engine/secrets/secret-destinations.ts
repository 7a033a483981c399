import {
  Automaton,
  MAX_SECRET_LENGTH,
  secretParts,
  viewsOf,
  windowsOf,
} from '../../platform/redaction';
import { mayGoTo } from '../../platform/secrets';
import type { NamedSecret } from '../../platform/secrets';
import type { OutboundRequest } from '../ports';

/** Shorter values could occur in requests by chance. */
const MIN_GUARDED_BYTES = 12;
/** Separator that is not part of base64 or hex, so that joined texts do not run together. */
const BETWEEN = '\0';

interface Guarded {
  readonly bytes: Buffer;
  readonly secret: NamedSecret;
}

type SearchedRequest = Pick<OutboundRequest, 'url' | 'headers' | 'body'>;

/**
 * Checks that secret values are sent only to allowed origins, however they got into a request: a
 * remote system may return a secret in a response, which a later step sends on. Finds all
 * encodings.
 */
export class SecretDestinations {
  private readonly secrets: NamedSecret[] = [];
  private guarded: Guarded[] = [];
  /** Automata by searched values; a run has few different sets. */
  private readonly automata = new Map<string, Automaton>();

  get isEmpty(): boolean {
    return this.guarded.length === 0;
  }

  add(secret: NamedSecret): void {
    if (
      this.secrets.some(
        ({ value, origins }) => value === secret.value && origins.join() === secret.origins.join(),
      )
    )
      return;
    this.secrets.push(secret);
    const parts = new Set([secret.value, ...secretParts(secret.value)]);
    for (const part of parts) {
      const bytes = Buffer.from(part.slice(0, MAX_SECRET_LENGTH), 'utf8');
      if (bytes.length >= MIN_GUARDED_BYTES) this.guarded.push({ bytes, secret });
    }
  }

  /** Returns the name of a secret that must not be sent to a target, or null. */
  refused(request: SearchedRequest, targets: readonly URL[]): string | null {
    for (const name of this.search(request, targets)) if (name !== null) return name;
    return null;
  }

  /** The same for one piece of a request after the other, since its body may be large. */
  *search(
    { url, headers, body }: SearchedRequest,
    targets: readonly URL[],
  ): Generator<string | null, void, void> {
    const foreign = this.foreignTo(targets);
    if (foreign.length === 0) return;
    const automaton = this.automatonOf(foreign);
    const text = typeof body === 'string' ? body : (body?.toString('utf8') ?? '');
    for (const searched of [[url, ...Object.values(headers)].join(BETWEEN), text]) {
      for (const { window } of windowsOf(searched)) {
        const match = foundIn(window, automaton);
        yield match && (foreign.find(({ bytes }) => isSame(bytes, match))?.secret.name ?? '');
      }
    }
  }

  /** If several secrets have the same value, it may go where any of them may. */
  private foreignTo(targets: readonly URL[]): Guarded[] {
    const isAllowed = ({ secret }: Guarded): boolean =>
      targets.every((target) => mayGoTo(secret.origins, target));
    const foreign = this.guarded.filter((one) => !isAllowed(one));
    if (foreign.length === 0) return foreign;
    const allowed = this.guarded.filter(isAllowed);
    return foreign.filter(({ bytes }) => !allowed.some((other) => other.bytes.equals(bytes)));
  }

  private automatonOf(guarded: readonly Guarded[]): Automaton {
    const key = guarded.map((one) => this.guarded.indexOf(one)).join();
    const cached = this.automata.get(key);
    if (cached !== undefined) return cached;
    const made = new Automaton(guarded.map(({ bytes }) => ({ bytes, isBeginning: false })));
    this.automata.set(key, made);
    return made;
  }
}

/** Returns the bytes of a guarded value in the text in any encoding, or null. */
function foundIn(text: string, automaton: Automaton): Uint8Array | null {
  const matches: Uint8Array[] = [];
  for (const { bytes } of viewsOf(text, { bytes: MIN_GUARDED_BYTES, isCut: false })) {
    automaton.scan(bytes, bytes.length, (end, length) => {
      matches.push(bytes.subarray(end - length, end));
    });
    if (matches.length > 0) return matches[0];
  }
  return null;
}

/** Compares like the automaton. */
const isSame = (one: Uint8Array, other: Uint8Array): boolean => spaced(one) === spaced(other);
const spaced = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('latin1').replaceAll('+', ' ');
