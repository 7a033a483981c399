import type { BodyNode } from '../request/body-tree';
import type { RequestTemplate } from '../request/request';
import { requestSources } from '../request/request';
import type { GivenSource, Source, Template } from '../text/template';

/** `{field}`, `{#7.field}` of another connector, `@{parameter}` of pages. */
const MARK = /@\{([^{}%]+)\}|\{(?:#(\d{1,9})\.)?([^{}%#]+)\}/g;

/** Defines which marks are valid; others are treated as text. */
interface Meanings {
  readonly connectorId: number;
  readonly hasField: (connectorId: number, name: string) => boolean;
  readonly hasParameter: (name: string) => boolean;
}

/**
 * Replaces marks of connector fields and page parameters by sources. References are not scanned.
 */
export function withGivenValues(template: RequestTemplate, meanings: Meanings): RequestTemplate {
  const inText = (text: Template): Template =>
    text.flatMap((piece): (string | Source)[] =>
      typeof piece === 'string' ? piecesOf(piece, meanings) : [piece],
    );
  return {
    ...template,
    url: inText(template.url),
    headers: template.headers.map(({ name, value }) => ({ name, value: inText(value) })),
    body: template.body && { ...template.body, tree: inTree(template.body.tree, inText) },
  };
}

/** Returns the distinct connector fields and page parameters of a request. */
export function givenSources(template: RequestTemplate): GivenSource[] {
  const sources = requestSources(template).filter((source) => source.kind === 'given');
  return [
    ...new Map(
      sources.map((source) => [`${source.connectorId ?? '@'}.${source.name}`, source]),
    ).values(),
  ];
}

function inTree(node: BodyNode, inText: (text: Template) => Template): BodyNode {
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'string' ? textNode(inText([node.value]), node) : node;
    case 'text':
      return { kind: 'text', template: inText(node.template) };
    case 'list':
      return { kind: 'list', items: node.items.map((item) => inTree(item, inText)) };
    case 'map':
      return {
        kind: 'map',
        fields: node.fields.map(([name, value]) => [name, inTree(value, inText)]),
      };
    default:
      return node;
  }
}

function textNode(template: Template, literal: BodyNode): BodyNode {
  if (template.every((piece) => typeof piece === 'string')) return literal;
  const [only] = template;
  return template.length === 1 && only !== undefined && typeof only !== 'string'
    ? { kind: 'source', source: only }
    : { kind: 'text', template };
}

function piecesOf(
  text: string,
  { connectorId, hasField, hasParameter }: Meanings,
): (string | Source)[] {
  const pieces: (string | Source)[] = [];
  let plainFrom = 0;
  for (const match of text.matchAll(MARK)) {
    const [mark, parameter, other, field = ''] = match;
    const source: GivenSource =
      parameter === undefined
        ? {
            kind: 'given',
            connectorId: other === undefined ? connectorId : Number(other),
            name: field,
          }
        : { kind: 'given', connectorId: null, name: parameter };
    if (
      source.connectorId === null
        ? !hasParameter(source.name)
        : !hasField(source.connectorId, source.name)
    )
      continue;
    if (match.index > plainFrom) pieces.push(text.slice(plainFrom, match.index));
    pieces.push(source);
    plainFrom = match.index + mark.length;
  }
  if (plainFrom < text.length) pieces.push(text.slice(plainFrom));
  return pieces;
}
