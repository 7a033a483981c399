import { Redactor } from '../../../platform/redaction';
import { isOnlyReferences } from '../../../platform/secrets';
import { isHidden, isOneValue, mapLeaves, placeWith } from './document-rules';
import type { Place } from './document-rules';
import { rewriteSecrets } from './secret-text';

/**
 * Shorter secrets are masked only in their own field: elsewhere the same text is an ordinary word.
 */
const MIN_SECRET_LENGTH = 8;
/** The minimum for headers that are masked whatever their name. */
const MIN_HEADER_LENGTH = 12;
/**
 * A host or address without parameters in such a header (such as `Origin`) is not masked elsewhere.
 */
const ADDRESS =
  /^(?:https?:\/\/)?[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,10}(?::\d{1,5})?(?:\/[\w./-]*)?$/;

/**
 * Values of secret fields of a document. They are also masked in all other texts, in any encoding.
 */
export class KnownValues {
  private readonly secrets = new Redactor();

  get isEmpty(): boolean {
    return this.secrets.isEmpty;
  }

  add(value: unknown, name: string, isUnderSecretName: boolean): void {
    const text = String(value);
    if (isOnlyReferences(text) || (!isUnderSecretName && ADDRESS.test(text))) return;
    this.secrets.addPlaced(text, name, isUnderSecretName ? MIN_SECRET_LENGTH : MIN_HEADER_LENGTH);
  }

  hidden(text: string): string {
    return this.secrets.hideLong(text);
  }
}

/**
 * Collects the values that these documents mask by field name.
 * @param withHeaders false: only headers with secret names
 */
export function knownValuesOf(documents: readonly unknown[], withHeaders = true): KnownValues {
  const values = new KnownValues();
  const collect = (leaf: unknown, { rule, name, isUnderSecretName }: Place): unknown => {
    if (isOneValue(rule)) {
      if (isHidden(leaf) && (isUnderSecretName || withHeaders))
        values.add(leaf, name, isUnderSecretName);
    } else if (rule === 'texts' && typeof leaf === 'string') {
      rewriteSecrets(leaf, (of, secret) => {
        values.add(secret, of, true);
        return secret;
      });
    }
    return leaf;
  };
  for (const document of documents) mapLeaves(document, placeWith('names'), collect);
  return values;
}
