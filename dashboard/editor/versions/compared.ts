import type { ComparedVersionFragment } from '../../generated/operations';
import { formatJson } from '../../parts/format';
import { buildFlow, flattenFlow, stepOf } from '../document';
import type { Binding, FlowNode } from '../document';
import { formatPath, formatText, titleEntries } from '../fields/references';
import type { Titles } from '../fields/references';

/** One side of a comparison, for names of its steps and references. */
export interface ComparedSide {
  readonly nodes: ReadonlyMap<string, FlowNode>;
  readonly titles: Titles;
  readonly bindings: ReadonlyMap<string | null, Binding>;
}

export function comparedSide({ steps, fieldBindings }: ComparedVersionFragment): ComparedSide {
  const nodes = flattenFlow(buildFlow(steps.map(stepOf), new Map()));
  return {
    nodes: new Map(nodes.map((node) => [node.step.id, node])),
    titles: new Map(titleEntries(nodes.map(({ step }) => step))),
    bindings: new Map(fieldBindings.map((binding) => [binding.bindingId, binding])),
  };
}

const mapTexts = (value: unknown, format: (text: string) => string): unknown => {
  if (typeof value === 'string') return format(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, format));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapTexts(item, format)]),
  );
};

/** Formats a value with the names of the steps in place of references. */
export const formatWithNames = (value: unknown, titles: Titles): string =>
  formatJson(mapTexts(value, (text) => formatText(text, titles)));

const FIELD_NAMES: Readonly<Record<string, string>> = {
  'request/endpoint': 'URL',
  'request/method': 'Method',
  'request/header': 'Headers',
  'request/body/fields': 'Body',
  methodType: 'Kind',
  successStatus: 'What counts as success',
  dataAggregator: 'Data aggregator',
  fileName: 'File name',
  'enhancement/expertCode': 'Script',
  ui: 'Layout',
};

/** Formats a JSON Pointer: `/request/body/fields/title` as `Body › title`. */
export function formatPointer(pointer: string): string {
  const parts = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  for (let length = parts.length; length > 0; length -= 1) {
    const name = FIELD_NAMES[parts.slice(0, length).join('/')];
    if (name !== undefined) return [name, ...parts.slice(length)].join(' › ');
  }
  const [first = '', ...rest] = parts;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' › ');
}

/** What a field binding fills: `AddCard › title`. */
export function bindingTitle(binding: Binding | undefined, titles: Titles): string {
  const [end] = binding?.to ?? [];
  if (end === undefined) return 'Script';
  const title = titles.get(end.color?.toUpperCase() ?? '') ?? 'Deleted step';
  return `${title} › ${formatPath(end.field ?? '')}`;
}
