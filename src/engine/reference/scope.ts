import type { XmlElement } from '../../platform/xml/read-xml';
import type { Value } from '../value';
import type { GivenSource, Reference, WebhookParameter } from './reference';

/** State of a running loop. */
export interface LoopFrame {
  readonly iterator: string;
  readonly kind: 'For' | 'ForIn' | 'SplitString';
  readonly size: number;
  /** From 0. */
  turn: number;
  /** Current value of the iterator: index, key or part. */
  value: number | string;
  /** Split text and its parts; null for other loops. */
  readonly split: { readonly text: string; readonly parts: readonly string[] } | null;
}

/** An executed step as seen by references. */
export interface Exchange {
  /** Body of the request. */
  readonly request: Value;
  readonly sentXml?: boolean;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Value;
  /** Root element of an XML response; present if a later step reads a part. */
  readonly xml?: XmlElement;
  /** Result according to the operation. Default: statuses from 400 on are failures. */
  readonly failed?: boolean;
}

/** Returns whether `fail` applies instead of `success`. */
export const isFailure = ({ failed, status }: Exchange): boolean => failed ?? status >= 400;

/** What expressions and references can access at a moment of the run. */
export interface Scope {
  /** Outermost first. */
  readonly loops: readonly LoopFrame[];
  /**
   * Exchange of the step with this colour in the current iterations; undefined if it did not run.
   */
  exchange(color: string): Exchange | undefined;
  webhookParameter(parameter: WebhookParameter): Value;
  /** Value of a named secret that the request may use. */
  secret(name: string): string;
  /** Result of a script of the current step. */
  scriptResult(script: number): Value;
  /** Value of a connector field or page parameter. */
  given(source: GivenSource): Value;
  /**
   * Called when a reference is null, unless an expression checks for it.
   * @throws EngineError REFERENCE_EMPTY if the step demands its values
   */
  onEmpty?(reference: Reference): void;
}

/** Replaces the source of connector fields and page parameters. */
export const withGiven = (scope: Scope, source: Scope['given']): Scope => ({
  ...scope,
  given: source,
});

/** Replaces the source of named secrets. */
export const withSecrets = (scope: Scope, secret: (name: string) => string): Scope => ({
  ...scope,
  secret,
});

/** Returns the innermost running loop with this iterator. */
export function loopOf(scope: Scope, iterator: string): LoopFrame | undefined {
  return scope.loops.findLast((frame) => frame.iterator === iterator);
}
