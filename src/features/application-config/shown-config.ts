import type { SettingDescription } from '../../config/describe-settings';
import type { FlatKeys } from '../../config/setting';
import { isSame } from '../../platform/config-file/changes';
import type {
  ConfigNode,
  ConfigText,
  FileComment,
  NodeComment,
} from '../../platform/config-file/config-node';
import type { Value } from '../../platform/config-file/parse-yaml';
import { scrub } from '../../platform/log/redact';
import { MASK, Redactor } from '../../platform/redaction';
import { isSecretName, isSecretParameter } from '../../platform/secrets';

/** A key as it is shown: with secrets masked. */
export interface ShownNode {
  readonly key: string;
  readonly path: string;
  readonly status: 'active' | 'inactive';
  /** Keys below, or undefined if it has a value. */
  readonly children: readonly ShownNode[] | undefined;
  readonly value: Value | undefined;
  readonly secret: boolean;
  readonly comments: readonly NodeComment[];
  readonly setting: SettingDescription | undefined;
}

/** A difference between two states of the file. */
export interface ConfigDifference {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

export interface ShownConfig {
  readonly fields: readonly ShownNode[];
  readonly comments: readonly FileComment[];
}

/** Shows the configuration without its secrets. */
export class ConfigMask {
  private readonly groups: ReadonlySet<string>;

  /** @param settingOf the description of the setting with this key */
  constructor(
    private readonly settingOf: (path: string) => SettingDescription | undefined,
    settings: readonly SettingDescription[],
  ) {
    this.groups = new Set(
      settings.flatMap(({ key }) => {
        const keys = key.split('.');
        return keys.map((_key, index) => keys.slice(0, index + 1).join('.'));
      }),
    );
  }

  tree({ roots, comments, all }: Pick<ConfigText, 'roots' | 'comments' | 'all'>): ShownConfig {
    const secrets = new Redactor();
    for (const node of all)
      if (node.children.length === 0 && this.isSecret(node.path)) secrets.add(textOf(node.value()));
    const scrubbed = (text: string): string =>
      secrets.hide(text).split('\n').map(scrubSentence).join('\n');
    return {
      fields: roots.map((node) => this.node(node, scrubbed)),
      comments: comments.map((comment) => ({ ...comment, text: scrubbed(comment.text) })),
    };
  }

  /** Returns the value of a node as it is shown. */
  valueOf(node: ConfigNode): Value {
    return this.masked(node.path, node.value());
  }

  isSecret(path: string): boolean {
    const key = path.replace(/\[\d+\]/g, '');
    const setting = this.settingOf(key);
    if (setting !== undefined) return setting.secret;
    const keys = key.split('.');
    const last = keys[keys.length - 1];
    // Groups of settings, such as `token`, contain keys that are not secret.
    return (
      isSecretParameter(last) ||
      keys.some(
        (name, index) => isSecretName(name) && !this.groups.has(keys.slice(0, index + 1).join('.')),
      )
    );
  }

  /** Returns what differs between two states of the file. */
  differences(before: FlatKeys, after: FlatKeys): ConfigDifference[] {
    const shown = (keys: FlatKeys, path: string): Value | undefined =>
      keys.has(path) ? this.masked(path, toShown(keys.get(path))) : undefined;
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((path) => !isSame(before.get(path), after.get(path)))
      .map((path) => ({
        path,
        change: !before.has(path) ? 'added' : !after.has(path) ? 'removed' : 'changed',
        before: shown(before, path),
        after: shown(after, path),
      }));
  }

  private node(node: ConfigNode, scrubbed: (text: string) => string): ShownNode {
    const { key, path, status, kind, children, comments } = node;
    const isList = kind === 'list' || kind === 'flow-list';
    const hasNodes =
      children.length > 0 && (!isList || children.some((child) => child.children.length > 0));
    return {
      key,
      path,
      status,
      children: hasNodes ? children.map((child) => this.node(child, scrubbed)) : undefined,
      value: hasNodes ? undefined : this.valueOf(node),
      secret: this.isSecret(path),
      comments: comments.map((comment) => ({ ...comment, text: scrubbed(comment.text) })),
      setting: this.settingOf(path),
    };
  }

  private masked(path: string, value: Value): Value {
    if (value === null || value === '') return value;
    if (Array.isArray(value))
      return (value as readonly Value[]).map((each) => this.masked(path, each));
    if (typeof value === 'object')
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, this.masked(`${path}.${key}`, each)]),
      );
    if (this.isSecret(path)) return MASK;
    return typeof value === 'string' ? scrub(value) : value;
  }
}

const SECRET_WORD =
  /passw|passphrase|pwd|kennwort|secret|geheim|token|credential|api-?key|private-?key/i;
const LINKING = /^(?:is|was|are|were|ist|war|lautet|be|to|now|still|=|->|=>|-|–)$/i;
/** What sentences say of a secret without telling it. */
const HARMLESS =
  /^(?:a|an|the|in|not|no|never|always|also|only|required|needed|optional|empty|set|stored|kept|hashed|encrypted|masked|used|read|sent|valid|checked|generated|taken)$/i;

/**
 * Removes from a line of a comment values after names (`password: x`), and what looks like a secret
 * after a word for one (`the password is x`).
 */
function scrubSentence(line: string): string {
  let [isAfterSecret, isAfterLink] = [false, false];
  return scrub(line).replace(/\S+/g, (word) => {
    if (word.includes(MASK)) return word;
    const isValue =
      isAfterSecret && /[\p{L}\p{N}]/u.test(word) && (isAfterLink || looksLikeSecret(word));
    isAfterLink = isAfterSecret && (LINKING.test(word) || /[:=]$/.test(word));
    isAfterSecret ||= SECRET_WORD.test(word);
    isAfterLink ||= isAfterSecret && /[:=]$/.test(word);
    const isWord = LINKING.test(word) || HARMLESS.test(lettersOf(word));
    return (isValue && !isWord) || looksGenerated(word) ? MASK : word;
  });
}

const lettersOf = (word: string): string => word.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Words have letters of one case, perhaps after a capital; a secret has digits or others. */
const looksLikeSecret = (word: string): boolean =>
  word
    .split(/[-/'’.]/)
    .some((part) => !/^(?:\p{Lu}?\p{Ll}*|\p{Lu}+|\d{1,5})$/u.test(lettersOf(part))) ||
  /[#$%^&*+@]/.test(word);

const textOf = (value: Value): string =>
  value === null || typeof value === 'object' ? '' : String(value);

/** A long word of letters and digits, as keys are generated. */
const looksGenerated = (word: string): boolean =>
  /^[("']?[\w+=-]{20,}[)"'.,;]?$/.test(word) && /\d/.test(word) && /[a-z]/i.test(word);

function toShown(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (['string', 'number', 'boolean'].includes(typeof value)) return value as Value;
  return JSON.parse(JSON.stringify(value)) as Value;
}
