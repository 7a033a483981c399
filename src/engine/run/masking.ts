import { isSecretName, isSecretParameter, MASK } from '../../platform/secrets';

const PAIR_IN_TEXT = /(["']?[\w.-]{0,40}(?:passw(?:or)?[dt]|pwd|secret|token|api[-_]?key|authorization|cookie|credential)[\w.-]{0,40}["']?\s{0,4}[:=]\s{0,4})("(?:[^"\\]|\\.)*"|'[^']*'|(?:bearer|basic)\s+[^\s,;&"']+|[^\s,;&"'<>]+)/gi;
const SHORTEST_SECRET = 6;
const MAX_SECRETS = 600;

/**
 * Hides secrets in what events record: by the name of the field they stand in, and by value: what was once seen in a secret field
 * is hidden wherever it turns up later in the run, for instance the token of a login answer in the URL of the next call.
 */
export class Masker {
  private readonly secrets = new Set<string>();

  /** How many secrets are known by now. */
  get known(): number {
    return this.secrets.size;
  }

  /** Remembers a secret, or all texts of a list or object that is one, for the rest of the run. */
  learn(value: unknown): void {
    if (this.secrets.size >= MAX_SECRETS) return;
    if (typeof value === 'object' && value !== null) {
      // Below a hundred levels nothing is written either.
      for (const part of textsIn(value, 100)) this.remember(part);
    } else if (typeof value === 'string') {
      const [scheme, rest] = splitOnce(value.trim(), ' ');
      const credentials = /^(?:bearer|basic|token|digest|apikey)$/i.test(scheme) && rest !== null ? rest.trim() : value.trim();
      this.remember(credentials);
      if (/^basic$/i.test(scheme)) this.remember(splitOnce(Buffer.from(credentials, 'base64').toString('utf8'), ':')[1] ?? '');
    }
  }

  /** The password before the host of a URL, and the header it becomes. */
  learnFromUrl(url: string): void {
    const [, user, password] = /^[A-Za-z][\w+.-]*:\/\/([^/?#@:]*):([^/?#@]*)@/.exec(url) ?? [];
    if (user === undefined || password === undefined) return;
    this.remember(decoded(password));
    this.remember(Buffer.from(`${decoded(user)}:${decoded(password)}`).toString('base64'));
  }

  private remember(secret: string): void {
    if (secret.length < SHORTEST_SECRET || this.secrets.size >= MAX_SECRETS) return;
    this.secrets.add(secret);
    // As it may stand in a URL, and in a JSON text that is itself the text of something.
    this.secrets.add(encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\uFFFD')));
    this.secrets.add(JSON.stringify(secret).slice(1, -1));
  }

  /** Hides the known secrets in a text. */
  byValue(text: string): string {
    let masked = text;
    for (const secret of this.secrets) {
      if (masked.includes(secret)) masked = masked.replaceAll(secret, MASK);
    }
    return masked;
  }

  /** Free text: known secrets, and whatever follows a secret name and `:` or `=`. */
  text(text: string): string {
    return this.byValue(text).replace(PAIR_IN_TEXT, (_pair, name: string, value: string) => {
      this.learn(value.replace(/^["']|["']$/g, ''));
      return name + MASK;
    });
  }

  headers(headers: Readonly<Record<string, string | string[]>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.header(name, value)]));
  }

  /** Passwords before the host and parameters with secret names. */
  url(url: string): string {
    const [base, query] = splitOnce(url.replace(/^([A-Za-z][\w+.-]*:\/\/)[^/?#@]*@/, `$1${MASK}@`), '?');
    if (query === null) return this.byValue(base);
    const [parameters, fragment] = splitOnce(query, '#');
    const masked = parameters.split('&').map((parameter) => this.parameter(parameter)).join('&');
    return this.byValue(`${base}?${masked}${fragment === null ? '' : `#${fragment}`}`);
  }

  /** One `name=value` of a query or a form. */
  parameter(parameter: string): string {
    const [name, value] = splitOnce(parameter, '=');
    if (value === null) return parameter;
    // What is called just "key" is hidden here, but as often an ordinary word, which must not vanish everywhere else.
    if (!isSecretName(name) && isSecretParameter(name)) return `${name}=${MASK}`;
    if (!isSecretName(decoded(name))) return parameter;
    this.learn(decoded(value));
    return `${name}=${MASK}`;
  }

  private header(name: string, value: string | string[]): string {
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (!isSecretName(name)) return this.text(text);
    for (const part of Array.isArray(value) ? value : [value]) this.learn(cookieValue(name, part));
    return MASK;
  }
}

function* textsIn(value: object, depth: number): Generator<string> {
  for (const part of Object.values(value) as unknown[]) {
    if (typeof part === 'string') yield part;
    else if (typeof part === 'object' && part !== null && depth > 0) yield* textsIn(part, depth - 1);
  }
}

/** Of a cookie the value, not its name and attributes. */
function cookieValue(name: string, text: string): string {
  return name.toLowerCase() === 'set-cookie' ? text.split(';')[0].replace(/^[^=]*=/, '') : text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function splitOnce(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}
