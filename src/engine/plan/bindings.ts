import { fieldOf } from './clean';

/** The code the editor writes for a binding that only copies. */
const COPY = /^RESULT_VAR\s*=\s*VAR_0(?:\s*;)?$/;

/** Colours of the steps for which a field binding computes something, so that copying its source would send wrong data. */
export function scriptedColors(bindings: readonly unknown[]): Set<string> {
  return new Set(bindings.filter(hasScript).flatMap((binding) => colorsOf(binding, 'to')));
}

/** Colours whose responses a binding reads. */
export function boundColors(bindings: readonly unknown[]): Set<string> {
  return new Set(bindings.flatMap((binding) => colorsOf(binding, 'from')));
}

function hasScript(binding: unknown): boolean {
  const enhancement = fieldOf(binding, 'enhancement');
  const code = [fieldOf(enhancement, 'expertCode'), fieldOf(enhancement, 'simpleCode')].find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof code === 'string' && !COPY.test(code.trim());
}

function colorsOf(binding: unknown, side: 'from' | 'to'): string[] {
  const ends = fieldOf(binding, side);
  if (!Array.isArray(ends)) return [];
  return ends.map((end) => fieldOf(end, 'color')).filter((color) => typeof color === 'string').map((color) => color.toUpperCase());
}
