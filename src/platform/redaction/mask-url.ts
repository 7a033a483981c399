import { MASK } from './mask';

/**
 * Hides all but the origin of a web address: the path of a webhook is a secret. Other texts, such as
 * e-mail addresses, stay.
 */
export function maskUrlPath(text: string): string {
  if (!/^https?:/i.test(text)) return text;
  return URL.canParse(text) ? `${new URL(text).origin}/${MASK}` : MASK;
}
