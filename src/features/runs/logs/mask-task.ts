import type { RunEvent } from '../../../engine';
import { RuleMask } from '../../../platform/masking/rule-mask';
import type { MaskingRule } from '../../../platform/masking/rule-mask';
import { withoutRuled } from '../execution/ruled-events';

/** Texts to hide in what rules select: events of runs as JSON, or other JSON. */
export interface MaskInput {
  readonly rules: readonly MaskingRule[];
  readonly kind: 'events' | 'json';
  readonly texts: readonly string[];
}

/** The rules of the last input, compiled: texts of one log come one block after the other. */
let last: { readonly rules: string; readonly mask: RuleMask } | null = null;

function maskOf(rules: readonly MaskingRule[]): RuleMask {
  const text = JSON.stringify(rules);
  if (last?.rules !== text) last = { rules: text, mask: new RuleMask(rules) };
  return last.mask;
}

/** The texts with what the rules select hidden, in order. A hundred rules may look at one text for seconds. */
async function maskTexts({ rules, kind, texts }: MaskInput): Promise<readonly string[]> {
  const mask = maskOf(rules);
  return texts.map((text) => (kind === 'json' ? mask.json(text) : JSON.stringify(withoutRuled(JSON.parse(text) as RunEvent, mask))));
}

/** What hides in copies of logs what rules select: never in the process of the service. */
export const maskTasks = { maskTexts };

export type MaskTasks = typeof maskTasks;
