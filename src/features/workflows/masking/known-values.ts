import { RunSecrets } from '../../../engine';
import type { Yielding, TimeSlice } from '../../../platform/event-loop';
import { isOnlyReferences, isSecretParameter } from '../../../platform/secrets';
import { isJsonObject } from '../json';
import type { Rule } from './document-rules';
import { isHidden, isOneValue, nameInPair, ruleOfField } from './document-rules';
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
  private readonly secrets = new RunSecrets();

  get isEmpty(): boolean {
    return this.secrets.isEmpty;
  }

  add(value: unknown, name: string, isUnderSecretName: boolean): void {
    const text = String(value);
    if (isOnlyReferences(text) || (!isUnderSecretName && ADDRESS.test(text))) return;
    this.secrets.learn.placed(
      text,
      name,
      isUnderSecretName ? MIN_SECRET_LENGTH : MIN_HEADER_LENGTH,
    );
  }

  hidden(text: string, slice: TimeSlice): Yielding<string> {
    return this.secrets.hideInTurns(text, slice);
  }
}

/**
 * Collects the values that these documents mask by field name.
 * @param withHeaders false: only headers with secret names
 */
export function* knownValuesOf(
  documents: readonly unknown[],
  slice: TimeSlice,
  withHeaders = true,
): Yielding<KnownValues> {
  const known = new KnownValues();
  for (const document of documents)
    yield* collect(
      document,
      { rule: 'names', name: '', isUnderSecretName: false },
      { known, withHeaders, slice },
    );
  return known;
}

interface Place {
  readonly rule: Rule;
  readonly name: string;
  readonly isUnderSecretName: boolean;
}

interface Collecting {
  readonly known: KnownValues;
  readonly withHeaders: boolean;
  readonly slice: TimeSlice;
}

function* collect(value: unknown, place: Place, collecting: Collecting): Yielding<void> {
  const { known, withHeaders, slice } = collecting;
  const { rule, name, isUnderSecretName } = place;
  if (slice.over) yield;
  if (Array.isArray(value)) {
    for (const item of value) yield* collect(item, place, collecting);
  } else if (isJsonObject(value)) {
    for (const [field, inner] of Object.entries(value)) {
      const called = field === 'value' ? (nameInPair(value) ?? field) : field;
      const isSecret =
        rule === 'secret' ? isUnderSecretName : rule !== 'headers' || isSecretParameter(called);
      yield* collect(
        inner,
        { rule: ruleOfField(rule, field, value), name: called, isUnderSecretName: isSecret },
        collecting,
      );
    }
  } else if (isOneValue(rule)) {
    if (isHidden(value) && (isUnderSecretName || withHeaders))
      known.add(value, name, isUnderSecretName);
  } else if (rule === 'texts' && typeof value === 'string') {
    yield* rewriteSecrets(
      value,
      (of, secret) => {
        known.add(secret, of, true);
        return secret;
      },
      slice,
    );
  }
}
