import type { Node } from 'yaml';
import type { FileLine } from './config-lines';
import type { Value } from './parse-yaml';

export interface NodeComment {
  readonly position: 'before' | 'inline' | 'after';
  readonly text: string;
}

/** A comment that belongs to no key. */
export interface FileComment {
  readonly position: 'header' | 'footer';
  readonly text: string;
}

export type NodeKind = 'block' | 'list' | 'flow-block' | 'flow-list' | 'scalar' | 'alias' | 'empty';

/** A key of a configuration file, or an entry of a list, in use or commented out. */
export interface ConfigNode {
  /** `[0]` for an entry of a list. */
  readonly key: string;
  /** Keys from the root, joined with dots: `spring.mail.host`, `origins[0]`. */
  readonly path: string;
  readonly status: 'active' | 'inactive';
  readonly kind: NodeKind;
  readonly parent: ConfigNode | null;
  children: readonly ConfigNode[];
  readonly comments: NodeComment[];
  readonly node: Node | null;
  readonly value: () => Value;
  readonly isInFlow: boolean;
  /** Whether it is alone on its lines, so that the lines can be commented out. */
  readonly ownsLines: boolean;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly column: number;
  /** Where a value starts if there is none: after the colon or dash, tag and anchor. */
  readonly afterIndicator: number;
  /** After the last character of the value. */
  readonly end: number;
}

/**
 * The text of a configuration file with its keys. Offsets and lines are those of the text in which
 * the keys that are commented out are in use.
 */
export interface ConfigText {
  /** Empty, or the byte order mark. */
  readonly mark: string;
  readonly lines: readonly FileLine[];
  /** Offset of each line. */
  readonly starts: readonly number[];
  readonly roots: readonly ConfigNode[];
  /** Every key, also alternatives that are not shown. */
  readonly all: readonly ConfigNode[];
  /** Keys as they are shown: of several with the same path the last in use, else a marked one, else the first. */
  readonly byPath: ReadonlyMap<string, ConfigNode>;
  readonly comments: readonly FileComment[];
}

export const isEntry = ({ key }: Pick<ConfigNode, 'key'>): boolean => /^\[\d+\]$/.test(key);

export const joinPath = (parent: string, key: string): string =>
  parent === '' ? key : key.startsWith('[') ? parent + key : `${parent}.${key}`;
