import type { MaskingRule } from '../../../platform/masking/rule-mask';

/** What the thread is told when it is started. */
export interface MaskSettings {
  readonly rules: readonly MaskingRule[];
}

/** Texts to hide things in: events of runs as JSON, or other JSON. Answered with as many texts, in order. */
export interface MaskTask {
  readonly kind: 'events' | 'json';
  readonly texts: readonly string[];
}
