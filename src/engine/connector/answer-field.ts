import type { Value } from '../value';
import { partsOf, valueAt } from './answer-path';
import { printExactJson } from '../exact-json';
import { localName } from '../../platform/xml/local-name';
import { readXml } from '../../platform/xml/read-xml';
import type { XmlElement } from '../../platform/xml/read-xml';
import type { RemoteAnswer } from './remote-answer';

/**
 * The field of an answer at a path: `x.y[0].z`, with `$.` before it or not; in XML the names of the elements, the first being one in the
 * root or the root itself. Without a path the whole body, without quotes. Undefined: there is none.
 */
export async function fieldOfAnswer(answer: RemoteAnswer, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return typeof answer.json?.value === 'string' ? answer.json.value : answer.text.trim();
  const parts = partsOf(path);
  if (answer.isXml) return textAt(await readXml(answer.text).catch(() => undefined), parts);
  return answer.json === null ? undefined : asText(valueAt(answer.json.value as Value, parts));
}

function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : printExactJson(value);
}

function textAt(root: XmlElement | undefined, parts: readonly (string | number)[]): string | undefined {
  if (!root) return undefined;
  const steps = parts[0] === root.name || parts[0] === localName(root.name) ? parts.slice(1) : parts;
  let found: readonly XmlElement[] = [root];
  for (const part of steps) {
    found = typeof part === 'number' ? found.slice(part, part + 1) : found.flatMap(({ children }) => children.filter(({ name }) => name === part || localName(name) === part));
  }
  return found[0]?.text.trim();
}
