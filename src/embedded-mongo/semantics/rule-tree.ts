import { located } from './errors';

/** Rules by field name; nested rules form a subtree. */
export class RuleTree<Rule extends { readonly kind: string }> {
  readonly children = new Map<string, Rule | RuleTree<Rule>>();

  /** @throws StoreError 31250 / 31249 conflicting path, 15998 and others invalid names */
  add(path: string, rule: Rule): void {
    const names = fieldNames(path);
    const last = names.length - 1;
    names
      .slice(0, -1)
      .reduce<RuleTree<Rule>>((tree, name, index) => tree.enter(name, names.slice(index + 1)), this)
      .put(names[last], path, rule);
  }

  private enter(name: string, rest: readonly string[]): RuleTree<Rule> {
    const child = this.children.get(name);
    if (child instanceof RuleTree) return child;
    if (child !== undefined)
      throw located(
        31249,
        `Path collision at ${name}.${rest.join('.')} remaining portion ${rest.join('.')}`,
      );
    const tree = new RuleTree<Rule>();
    this.children.set(name, tree);
    return tree;
  }

  private put(name: string, path: string, rule: Rule): void {
    if (this.children.has(name)) throw located(31250, `Path collision at ${path}`);
    this.children.set(name, rule);
  }
}

/**
 * Splits a field path.
 * @throws StoreError 40352 / 40353 / 15998 / 16410 invalid path
 */
export function fieldNames(path: string): string[] {
  if (path === '') throw located(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) throw located(40353, "FieldPath must not end with a '.'.");
  const names = path.split('.');
  if (names.includes('')) throw located(15998, 'FieldPath field names may not be empty strings.');
  if (names.some((name) => name.startsWith('$'))) {
    throw located(
      16410,
      "FieldPath field names may not start with '$'. Consider using $getField or $setField.",
    );
  }
  return names;
}
