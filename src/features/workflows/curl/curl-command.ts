import { httpMethodOf, isHeaderOfConnection } from '../../../engine';
import type { HttpMethod } from '../../../engine';
import { BadInput } from '../../../platform/errors/errors';
import { isOnlyReferences, isSecretName } from '../../../platform/secrets';
import { hasMoreCharacters } from '../../../platform/text/characters';
import { formBody, textBody } from './curl-body';
import type { CurlBody } from './curl-body';
import { curlOption } from './curl-options';
import type { CurlAction } from './curl-options';
import { splitCommand } from './shell-words';

/** Maximum characters of a command. */
export const MAX_COMMAND_LENGTH = 1_000_000;

/** The request of a cURL command, in the shape of the request of a step. */
export interface CurlRequest {
  readonly httpMethod: HttpMethod;
  readonly url: string;
  readonly header: Readonly<Record<string, string>>;
  readonly body: CurlBody | null;
  /** What the step does in another way than the command. */
  readonly warnings: readonly string[];
}

/**
 * Reads a cURL command as browsers and documentation write it.
 * @throws BadInput CURL_INVALID, TEXT_TOO_LONG
 */
export function readCurl(command: string): CurlRequest {
  if (hasMoreCharacters(command, MAX_COMMAND_LENGTH))
    throw new BadInput('TEXT_TOO_LONG', `A command has at most ${MAX_COMMAND_LENGTH} characters.`, {
      path: ['command'],
    });
  const { words, variables } = splitCommand(command);
  const start = words[0]?.text === '$' ? 1 : 0;
  if (!/^(?:.*[/\\])?curl(?:\.exe)?$/i.test(words[start]?.text ?? ''))
    throw invalid('The command does not begin with curl.');
  const reader = new CurlReader();
  for (const name of new Set(variables)) reader.warn(`The shell variable ${name} is not replaced.`);
  const end = words.findIndex(
    ({ text, isBare }) => isBare && /^(?:[|;<]|&&?|\|\||\d?>.*)$/.test(text),
  );
  if (end >= 0) reader.warn(`Everything from "${words[end]?.text}" on is ignored.`);
  reader.readAll(words.slice(start + 1, end < 0 ? undefined : end).map(({ text }) => text));
  return reader.request();
}

const invalid = (message: string): BadInput =>
  new BadInput('CURL_INVALID', message, { path: ['command'] });

const MAX_WARNINGS = 100;
const SECRET_HINT = 'Store it as a named secret, and use it as {%secret.NAME%}.';

/** Collects the options of a command. */
class CurlReader {
  private readonly warnings = new Set<string>();
  private readonly urls: string[] = [];
  /** By the name in lower case. */
  private readonly headers = new Map<string, readonly [name: string, value: string]>();
  private readonly data: string[] = [];
  private readonly formFields: [string, string][] = [];
  private method: string | null = null;
  private isJson = false;
  private isGet = false;
  private isHead = false;

  warn(message: string): void {
    if (this.warnings.size < MAX_WARNINGS) this.warnings.add(message);
  }

  readAll(words: readonly string[]): void {
    const rest = words.values();
    const value = (name: string): string => {
      const next = rest.next().value;
      if (next === undefined) throw invalid(`The option ${name} has no value.`);
      return next;
    };
    for (const word of rest) {
      if (word.startsWith('--') && word.length > 2) {
        const { action, takesValue } = curlOption(word.slice(2));
        this.apply(action, word, takesValue ? value(word) : '');
      } else if (word.startsWith('-') && word.length > 1) this.readLetters(word.slice(1), value);
      else this.urls.push(word);
    }
  }

  /** Letters may be joined, and the value may follow directly: `-sXPOST`. */
  private readLetters(letters: string, value: (name: string) => string): void {
    for (let at = 0; at < letters.length; at += 1) {
      const name = `-${letters.charAt(at)}`;
      const { action, takesValue } = curlOption(letters.charAt(at));
      if (!takesValue) this.apply(action, name, '');
      else {
        const joined = letters.slice(at + 1);
        this.apply(action, name, joined === '' ? value(name) : joined);
        return;
      }
    }
  }

  private apply(action: CurlAction, name: string, value: string): void {
    switch (action) {
      case 'method':
        this.method = value;
        return;
      case 'header':
        return this.addHeaderLine(value);
      case 'json':
        this.isJson = true;
        return this.addData(value, name);
      case 'data':
        return this.addData(value, name);
      case 'dataRaw':
        this.data.push(value);
        return;
      case 'dataEncoded':
        return this.addEncoded(value, name);
      case 'get':
        this.isGet = true;
        return;
      case 'head':
        this.isHead = true;
        return;
      case 'user':
        return this.setHeader(
          'Authorization',
          `Basic ${Buffer.from(value.includes(':') ? value : `${value}:`).toString('base64')}`,
        );
      case 'bearer':
        return this.setHeader('Authorization', `Bearer ${value}`);
      case 'form':
        return this.addFormField(value, name);
      case 'formText':
        return void this.formFields.push(splitPair(value));
      case 'cookie':
        if (value.includes('=')) return this.setHeader('Cookie', value);
        return this.warn(`The file ${value} of ${name} is not read.`);
      case 'agent':
        return this.setHeader('User-Agent', value);
      case 'referer':
        return this.setHeader('Referer', value);
      case 'url':
        return void this.urls.push(value);
      case 'insecure':
        return this.warn(
          `${name} is ignored: a step checks certificates. A connector can turn that off.`,
        );
      case 'unsupported':
        return this.warn(`The option ${name} is not supported, and ignored.`);
      case 'ignored':
        return;
    }
  }

  private addHeaderLine(line: string): void {
    const [, name = '', value = ''] = /^([^:;@]+)(?::([^]*)|;)$/.exec(line) ?? [];
    if (name === '') return this.warn(`The header "${line.slice(0, 100)}" cannot be read.`);
    // `Name:` removes a header, `Name;` sends it empty.
    if (value.trim() !== '' || line.endsWith(';')) this.setHeader(name.trim(), value.trim());
  }

  private setHeader(name: string, value: string): void {
    const key = name.toLowerCase();
    if (isHeaderOfConnection(name) || key === 'accept-encoding') return;
    const before = this.headers.get(key);
    this.headers.set(
      key,
      before === undefined
        ? [name, value]
        : [before[0], `${before[1]}${key === 'cookie' ? '; ' : ', '}${value}`],
    );
    if (isSecretName(name) && value !== '' && !isOnlyReferences(value))
      this.warn(`The header ${name} contains a secret. ${SECRET_HINT}`);
  }

  private addData(value: string, option: string): void {
    if (value.startsWith('@')) this.warn(`The file ${value.slice(1)} of ${option} is not read.`);
    else this.data.push(value);
  }

  private addEncoded(value: string, option: string): void {
    const [, name = '', sign = '', content = value] = /^([^=@]*)([=@])([^]*)$/.exec(value) ?? [];
    if (sign === '@') return this.warn(`The file ${content} of ${option} is not read.`);
    this.data.push(`${name === '' ? '' : `${name}=`}${encodeURIComponent(content.toWellFormed())}`);
  }

  private addFormField(value: string, option: string): void {
    const [name, content] = splitPair(value);
    if (!/^[@<]/.test(content))
      return void this.formFields.push([name, content.replace(/;type=[^;]*$/, '')]);
    this.warn(
      `The file of ${option} ${name} is not read: use a reference to a file that an earlier step receives.`,
    );
    this.formFields.push([name, '']);
  }

  request(): CurlRequest {
    const [first, ...others] = this.urls;
    if (first === undefined) throw invalid('The command has no URL.');
    if (others.length > 0) this.warn('The command has several URLs; only the first is used.');
    const text = this.data.join(this.isJson ? '' : '&');
    const isForm = this.formFields.length > 0;
    const isInUrl = this.isGet && this.data.length > 0;
    const hasBody = isForm || (this.data.length > 0 && !isInUrl);
    const url = isInUrl ? `${first}${first.includes('?') ? '&' : '?'}${text}` : first;
    const body = hasBody ? this.readBody(text) : null;
    return {
      httpMethod: this.readMethod(hasBody),
      url: /^(?:[a-z][a-z0-9+.-]*:\/\/|\{%)/i.test(url) ? url : `http://${url}`,
      header: Object.fromEntries(this.headers.values()),
      body,
      warnings: [...this.warnings],
    };
  }

  private readMethod(hasBody: boolean): HttpMethod {
    const name = this.method ?? (this.isHead ? 'HEAD' : hasBody ? 'POST' : 'GET');
    const method = httpMethodOf(name);
    if (method === null) throw invalid(`A step cannot send the method ${name.slice(0, 40)}.`);
    return method;
  }

  private readBody(text: string): CurlBody {
    const mediaType = this.headers.get('content-type')?.[1];
    if (this.formFields.length > 0) {
      if (/^multipart\/form-data/i.test(mediaType ?? '')) this.headers.delete('content-type');
      return formBody(this.formFields);
    }
    if (this.isJson && mediaType === undefined) this.setHeader('Content-Type', 'application/json');
    if (this.isJson && !this.headers.has('accept')) this.setHeader('Accept', 'application/json');
    const { body, isTyped } = textBody(text, this.headers.get('content-type')?.[1]);
    if (body.format === 'json' && !this.headers.has('content-type'))
      this.warn('The body is sent as JSON; cURL would declare it as a form.');
    if (isTyped) this.headers.delete('content-type');
    return body;
  }
}

function splitPair(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
