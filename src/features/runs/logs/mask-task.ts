import type { RunEvent } from '../../../engine';
import { RuleMask } from '../../../platform/masking/rule-mask';
import type { MaskingRule } from '../../../platform/masking/rule-mask';
import { RuledEvents } from '../execution/ruled-events';

/** Texts to mask: events of runs as JSON, or other JSON. */
export interface MaskInput {
  readonly rules: readonly MaskingRule[];
  readonly kind: 'events' | 'json';
  readonly texts: readonly string[];
  /** Values that rules selected in earlier texts. */
  readonly known: readonly string[];
}

export interface MaskedTexts {
  readonly texts: readonly string[];
  /** Values that rules have selected so far. */
  readonly known: readonly string[];
}

/** Compiled rules of the last input: the texts of one log arrive in consecutive blocks. */
let last: { readonly rules: string; readonly mask: RuleMask } | null = null;

function maskOf(rules: readonly MaskingRule[]): RuleMask {
  const text = JSON.stringify(rules);
  if (last?.rules !== text) last = { rules: text, mask: new RuleMask(rules) };
  return last.mask;
}

/** Masks the texts, in order. A hundred rules may need seconds for one text. */
async function maskTexts({ rules, kind, texts, known }: MaskInput): Promise<MaskedTexts> {
  const ruled = new RuledEvents(maskOf(rules), known);
  const masked = texts.map((text) =>
    kind === 'json' ? ruled.json(text) : JSON.stringify(ruled.hide(JSON.parse(text) as RunEvent)),
  );
  return { texts: masked, known: ruled.values };
}

/** Tasks that mask copies of logs; too slow for the process of the service. */
export const maskTasks = { maskTexts };

export type MaskTasks = typeof maskTasks;
