import type { XmlElement } from '../../platform/xml/read-xml';
import type { Value } from '../value';
import type { GivenSource, WebhookParameter } from './reference';

/** A loop that is running: where it stands now. */
export interface LoopFrame {
  readonly iterator: string;
  readonly kind: 'For' | 'ForIn' | 'SplitString';
  readonly size: number;
  /** From 0. */
  turn: number;
  /** What the iterator stands for in this turn: the index, the key or the part. */
  value: number | string;
  /** The text that was split and its parts; null in the other loops. */
  readonly split: { readonly text: string; readonly parts: readonly string[] } | null;
}

/** One executed step, as references see it. */
export interface Exchange {
  /** The request body that was sent. */
  readonly request: Value;
  /** It was sent as XML. */
  readonly sentXml?: boolean;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Value;
  /** The root element of an answer in XML, of which a later step reads a part. */
  readonly xml?: XmlElement;
  /** What the operation of an invoker says of it; without it, every status from 400 on is a failure. */
  readonly failed?: boolean;
}

/** Is it what `fail` reads, and not `success`? */
export const isFailure = ({ failed, status }: Exchange): boolean => failed ?? status >= 400;

/** What an expression or a reference can see at one moment of the run. */
export interface Scope {
  /** Outermost first. */
  readonly loops: readonly LoopFrame[];
  /** The exchange of the step with that colour which belongs to the current turns; undefined when it did not run. */
  exchange(color: string): Exchange | undefined;
  webhookParameter(parameter: WebhookParameter): Value;
  /** The value of a named secret that was found to be allowed. */
  secret(name: string): string;
  /** What a script of the step left that is being built. */
  scriptResult(script: number): Value;
  /** A value of the connector of the step, or of the page that is asked for. */
  given(source: GivenSource): Value;
}

/** The same with other values from connectors and pages. */
export const withGiven = (scope: Scope, given: Scope['given']): Scope => ({ ...scope, given });

/** The same with other values in the places of named secrets. */
export const withSecrets = (scope: Scope, secret: (name: string) => string): Scope => ({
  ...scope,
  secret,
});

/** The innermost running loop with that iterator. */
export function loopOf(scope: Scope, iterator: string): LoopFrame | undefined {
  return scope.loops.findLast((frame) => frame.iterator === iterator);
}
