import type { RunEvent } from '../../../engine';
import { RuleMask } from '../../../platform/masking/rule-mask';
import type { MaskingRule } from '../../../platform/masking/rule-mask';
import { RuledEvents } from '../execution/ruled-events';

/** Texts to hide in what rules select: events of runs as JSON, or other JSON. */
export interface MaskInput {
  readonly rules: readonly MaskingRule[];
  readonly kind: 'events' | 'json';
  readonly texts: readonly string[];
  /** Values that rules selected in what was masked before. */
  readonly known: readonly string[];
}

export interface MaskedTexts {
  readonly texts: readonly string[];
  /** Values that rules have selected so far. */
  readonly known: readonly string[];
}

/** The rules of the last input, compiled: texts of one log come one block after the other. */
let last: { readonly rules: string; readonly mask: RuleMask } | null = null;

function maskOf(rules: readonly MaskingRule[]): RuleMask {
  const text = JSON.stringify(rules);
  if (last?.rules !== text) last = { rules: text, mask: new RuleMask(rules) };
  return last.mask;
}

/** The texts with what the rules select hidden, in order. A hundred rules may look at one text for seconds. */
async function maskTexts({ rules, kind, texts, known }: MaskInput): Promise<MaskedTexts> {
  const ruled = new RuledEvents(maskOf(rules), known);
  const masked = texts.map((text) =>
    kind === 'json' ? ruled.json(text) : JSON.stringify(ruled.hide(JSON.parse(text) as RunEvent)),
  );
  return { texts: masked, known: ruled.values };
}

/** What hides in copies of logs what rules select: never in the process of the service. */
export const maskTasks = { maskTexts };

export type MaskTasks = typeof maskTasks;
