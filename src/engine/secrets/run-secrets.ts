import { marked, MASK, percentDecoded, Redactor } from '../../platform/redaction';
import { isSecretParameter } from '../../platform/secrets';
import { setField } from '../value';
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
    const shown: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) {
      const text = Array.isArray(value) ? value.join(', ') : value;
      const isCut = text.length > limit;
      const masked = isSecretParameter(name)
        ? MASK
        : marked(this.mask(text.slice(0, limit), isCut), isCut, text.length);
      setField(shown, this.hide(name), masked);
    }
    return shown;
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
