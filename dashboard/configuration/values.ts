import type { ConfigFieldPartsFragment, ConfigurationQuery } from '../generated/operations';
import { linesOf } from '../parts/form';

export type ConfigField = ConfigFieldPartsFragment;
export type Setting = ConfigurationQuery['applicationConfig']['settings'][number];

/** Returns a value as text; entries of a list are on lines of their own. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(valueText).join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns what the user entered in place of a value: a list stays a list. */
export const enteredValue = (text: string, before: unknown): unknown =>
  Array.isArray(before) ? linesOf(text) : text;

/** Returns the value of a new key in the type that the setting accepts. */
export function newValue(text: string, setting: Setting | undefined): string | number | boolean {
  const accepts = setting?.accepts ?? '';
  if (accepts === 'true or false' && /^(?:true|false)$/.test(text)) return text === 'true';
  return accepts.startsWith('a whole number') && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Returns how many keys stand above a key. */
export function depthOf(field: ConfigField, byPath: ReadonlyMap<string, ConfigField>): number {
  let depth = 0;
  for (
    let parent = field.parentPath;
    parent !== null && depth < 30;
    parent = byPath.get(parent)?.parentPath ?? null
  )
    depth += 1;
  return depth;
}

/** Returns the keys that contain the text, with the keys above them. */
export function matchingFields(fields: readonly ConfigField[], search: string): ConfigField[] {
  const text = search.toLowerCase();
  if (text === '') return [...fields];
  const byPath = new Map(fields.map((field) => [field.path, field]));
  const shown = new Set<string>();
  for (const field of fields) {
    const parts = [field.path, valueText(field.value), field.setting?.meaning ?? ''];
    if (!parts.some((part) => part.toLowerCase().includes(text))) continue;
    for (
      let path: string | null = field.path;
      path !== null && !shown.has(path);
      path = byPath.get(path)?.parentPath ?? null
    )
      shown.add(path);
  }
  return fields.filter(({ path }) => shown.has(path));
}
