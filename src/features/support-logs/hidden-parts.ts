import type { MaskingRule } from '../../platform/redaction';

/** A part of the recorded requests and responses. */
export interface LoggedPart {
  readonly side: 'request' | 'response';
  readonly field: 'url' | 'header' | 'payload';
}

const PART = /^#\[\*\]\.\((request|response)\)\.(url|header|body)$/;

/**
 * Returns the part that a rule of the released clients stands for: `#[*].(request).url` hides the
 * URLs of the requests of all steps.
 */
export function partOfRule({ type, expression }: MaskingRule): LoggedPart | null {
  const match = type === 'JSONPath' ? PART.exec(expression) : null;
  if (!match) return null;
  return {
    side: match[1] as LoggedPart['side'],
    field: match[2] === 'body' ? 'payload' : (match[2] as 'url' | 'header'),
  };
}

const HIDDEN = '***';

/** Hides parts of a recorded event, which is a JSON object. */
export function hideParts(line: string, parts: readonly LoggedPart[]): string {
  if (parts.length === 0) return line;
  const event = JSON.parse(line) as Record<string, Record<string, unknown> | undefined>;
  for (const { side, field } of parts) {
    const segment = event[side];
    if (segment?.[field] === undefined) continue;
    segment[field] =
      field === 'header'
        ? Object.fromEntries(Object.keys(segment.header as object).map((name) => [name, HIDDEN]))
        : HIDDEN;
  }
  return JSON.stringify(event);
}
