import { marked, MASK, percentDecoded, Redactor } from '../../platform/redaction';
import { isSecretParameter } from '../../platform/secrets';
import { Learner } from './learn';

/**
 * Secrets of one run. They are collected from a step before anything of it is written, and then
 * hidden everywhere.
 */
export class RunSecrets extends Redactor {
  readonly learn = new Learner(this);

  headers(
    headers: Readonly<Record<string, string | string[]>>,
    limit: number,
  ): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        const text = Array.isArray(value) ? value.join(', ') : value;
        const isCut = text.length > limit;
        return [
          this.hide(name),
          isSecretParameter(name)
            ? MASK
            : marked(this.mask(text.slice(0, limit), isCut), isCut, text.length),
        ];
      }),
    );
  }

  url(url: string, isCut: boolean): string {
    const [before, query] = splitAt(
      url.replace(/^([a-z][\w+.-]{0,30}:\/\/)[^/?#@]*@/i, `$1${MASK}@`),
      '?',
    );
    return this.mask(query === null ? before : `${before}?${parameters(query)}`, isCut);
  }

  form(text: string, isCut: boolean): string {
    return this.mask(parameters(text), isCut);
  }
}

/** Masks secret parameters in `name=value&…`. */
function parameters(text: string): string {
  return text
    .split('&')
    .map((parameter) => {
      const [name, value] = splitAt(parameter, '=');
      return value !== null && isSecretParameter(percentDecoded(name))
        ? `${name}=${MASK}`
        : parameter;
    })
    .join('&');
}

function splitAt(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}
