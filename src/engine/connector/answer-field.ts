import type { Value } from '../value';
import { partsOf, valueAt } from './answer-path';
import { printExactJson } from '../exact-json';
import { readXml } from '../../platform/xml/read-xml';
import type { RemoteAnswer } from './remote-answer';
import { textAt } from './xml-answer-path';

/**
 * The field of an answer at a path: `x.y[0].z`, with `$.` before it or not; in XML the names of the elements, the first being one in the
 * root or the root itself. Without a path the whole body, without quotes. Undefined: there is none.
 */
export async function fieldOfAnswer(answer: RemoteAnswer, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return typeof answer.json?.value === 'string' ? answer.json.value : answer.text.trim();
  const parts = partsOf(path);
  if (answer.isXml) {
    const root = await readXml(answer.text).catch(() => undefined);
    return root && textAt(root, parts);
  }
  return answer.json === null ? undefined : asText(valueAt(answer.json.value as Value, parts));
}

function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : printExactJson(value);
}
