import { WrittenData } from '../plans/text';

/** The parts of an answer; data that is written already is used as it is. */
interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
  readonly extensions?: unknown;
}

/** Returns an answer as JSON. */
export function writeAnswer({ data, errors, extensions }: Answer): string {
  if (!(data instanceof WrittenData)) return JSON.stringify({ data, errors, extensions });
  const rest = JSON.stringify({ errors, extensions });
  return rest === '{}' ? `{"data":${data.text}}` : `{"data":${data.text},${rest.slice(1)}`;
}
