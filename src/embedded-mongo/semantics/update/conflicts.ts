import { conflictingUpdate } from '../errors';

interface Branch {
  readonly children: Map<string, Branch>;
  taken: boolean;
}

const newBranch = (): Branch => ({ children: new Map(), taken: false });

/** Paths an update touches; two of them may neither be equal nor lie one within the other. */
export class TouchedPaths {
  private readonly root = newBranch();

  /** @throws StoreError 40 when the path meets one added before */
  add(parts: readonly string[]): void {
    let branch = this.root;
    parts.forEach((part, index) => {
      let next = branch.children.get(part);
      if (next === undefined) branch.children.set(part, next = newBranch());
      else if (next.taken || index === parts.length - 1) throw conflictingUpdate(parts.join('.'), parts.slice(0, index + 1).join('.'));
      branch = next;
    });
    branch.taken = true;
  }
}
