/** Part at the start of a response path. */
const RESPONSE_PART = /^(?:body|success|fail|header|status)(?![A-Za-z0-9_])/;

/** Adds the default part to a response path of conditions and field bindings: `success`. */
export function inResponse(field: string): string {
  if (RESPONSE_PART.test(field)) return field;
  return field === '' ? 'success' : field.startsWith('[') ? `success${field}` : `success.${field}`;
}
/** One segment of a path. `label` means a trailing `~`: the key or part itself, not its value. */
export type Segment =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'element'; readonly index: number; readonly label: boolean }
  | { readonly kind: 'turn'; readonly iterator: string; readonly label: boolean }
  | { readonly kind: 'all'; readonly label: boolean }
  | { readonly kind: 'key'; readonly key: string; readonly label: boolean };

/** Part of a step. `success` and `fail` depend on the status, `body` does not. */
export type ReferencePart = 'request' | 'body' | 'success' | 'fail' | 'header' | 'status';

export interface Reference {
  /** `#RRGGBB`, upper case. */
  readonly color: string;
  readonly part: ReferencePart;
  /** Name of the header; only for the part `header`. */
  readonly header: string | null;
  readonly segments: readonly Segment[];
}

export const WEBHOOK_TYPES = [
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'undefined',
] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** `${name.path:type}`: a parameter of the webhook call that started the run. */
export interface WebhookParameter {
  readonly name: string;
  readonly segments: readonly Segment[];
  readonly type: WebhookType | null;
}

/** `{field}` of a connector; with the id null, `@{name}`, a page parameter. */
export interface GivenSource {
  readonly kind: 'given';
  readonly connectorId: number | null;
  readonly name: string;
}

/** Prints a reference as written inside `{% %}`. */
export function printReference(reference: Reference): string {
  const side = reference.part === 'request' ? '(request)' : `(response).${reference.part}`;
  const header = reference.header === null ? '' : `.${reference.header}`;
  // A first field named `$` would be parsed as the root mark.
  const [first] = reference.segments;
  const root = first?.kind === 'field' && first.name === '$' ? '.$' : '';
  return `${reference.color}.${side}${header}${root}${printSegments(reference.segments)}`;
}

export function printWebhookParameter(parameter: WebhookParameter): string {
  const type = parameter.type === null ? '' : `:${parameter.type}`;
  return `\${${parameter.name}${printSegments(parameter.segments)}${type}}`;
}

const printSegments = (segments: readonly Segment[]): string => segments.map(printSegment).join('');

function printSegment(segment: Segment): string {
  switch (segment.kind) {
    case 'field':
      return `.${segment.name}`;
    case 'element':
      return `[${segment.index}]${tilde(segment)}`;
    case 'turn':
      return `[${segment.iterator}]${tilde(segment)}`;
    case 'all':
      return `[*]${tilde(segment)}`;
    case 'key':
      return `['${segment.key}']${tilde(segment)}`;
  }
}

const tilde = (segment: { label: boolean }): string => (segment.label ? '~' : '');
