import type { ConnectorSlotFragment } from '../../generated/operations';
import { elementOf, elementsOf, parseXml, textOf } from '../invokers/xml-tree';
import { zipNames } from './zip-names';

/** An exported workflow, as far as the page shows it. The service checks it. */
export interface WorkflowContent {
  readonly kind: 'workflow';
  readonly title: string;
  readonly slots: readonly ConnectorSlotFragment[];
  readonly secrets: readonly string[];
  readonly leftOut: readonly string[];
}

/** One or several templates or invokers. */
export interface RecordContent {
  readonly kind: 'template' | 'invoker';
  /** Names of the records, or of their files in an archive. */
  readonly names: readonly string[];
  readonly detail: string;
}

/** What a file contains, as far as it can be seen before the import. */
export type FileContent =
  WorkflowContent | RecordContent | { readonly kind: 'instance' } | { readonly kind: 'unknown' };

/** The service accepts no larger files by default. */
const MAX_BYTES = 20 * 1024 * 1024;
const UNKNOWN = { kind: 'unknown' } as const;

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

function slotsOf(value: unknown): readonly ConnectorSlotFragment[] {
  const entries = Array.isArray(value) ? value.filter(isFields) : [];
  return entries.map(({ slot, invoker, title }, at) => ({
    slot: typeof slot === 'number' ? slot : at + 1,
    invoker: typeof invoker === 'string' ? invoker : null,
    title: stringOf(title),
  }));
}

function jsonContent(text: string): FileContent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return UNKNOWN;
  }
  if (!isFields(value)) return UNKNOWN;
  const { format, title, name, version, connection, connectors, secrets, leftOut } = value;
  if (format === 'hypha-workflow')
    return {
      kind: 'workflow',
      title: stringOf(title),
      slots: slotsOf(connectors),
      secrets: textsOf(secrets),
      leftOut: textsOf(leftOut),
    };
  if (!isFields(connection)) return UNKNOWN;
  const writtenBy = stringOf(version);
  return {
    kind: 'template',
    names: [stringOf(name)],
    detail: writtenBy === '' ? '' : `Written by version ${writtenBy}.`,
  };
}

function xmlContent(text: string): FileContent {
  const root = parseXml(text)?.root;
  if (root?.name !== 'invoker') return UNKNOWN;
  const name = elementOf(root, 'name');
  const count = elementsOf(elementOf(root, 'operations'), 'operation').length;
  return {
    kind: 'invoker',
    names: [name === null ? '' : textOf(name)],
    detail: count === 1 ? '1 operation.' : `${count} operations.`,
  };
}

function zipContent(bytes: Uint8Array): FileContent {
  const names = zipNames(bytes);
  if (names.includes('manifest.json') && names.some((name) => name.endsWith('.ndjson')))
    return { kind: 'instance' };
  const ending = (suffix: string): string[] =>
    names.filter((name) => name.toLowerCase().endsWith(suffix));
  const [xml, json] = [ending('.xml'), ending('.json')];
  if (xml.length > 0) return { kind: 'invoker', names: xml, detail: '' };
  return json.length > 0 ? { kind: 'template', names: json, detail: '' } : UNKNOWN;
}

/** Reads what a file contains, by its content. */
export async function readContent(file: File): Promise<FileContent> {
  if (file.size > MAX_BYTES) return UNKNOWN;
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return zipContent(bytes);
  const text = decode(bytes).trim();
  return text.startsWith('<') ? xmlContent(text) : jsonContent(text);
}
