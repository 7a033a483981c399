import ts from 'typescript';
import { join, relative } from 'node:path';
import { ROOT } from '../support/process';


/** Every leaf of `Config`, by what declares it, and its path. */
function leavesOf(checker: ts.TypeChecker, type: ts.Type, path = ''): Map<ts.Node, string> {
  const leaves = new Map<ts.Node, string>();
  for (const property of type.getProperties()) {
    const [declaration] = property.declarations ?? [];
    const inner = checker.getTypeOfSymbol(property);
    const name = `${path}${property.name}`;
    const isGroup = (inner.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayType(inner) && !/^readonly /.test(checker.typeToString(inner));
    if (isGroup) for (const [node, leaf] of leavesOf(checker, inner, `${name}.`)) leaves.set(node, leaf);
    else if (declaration) leaves.set(declaration, name);
  }
  return leaves;
}

it('has no setting that nothing reads', () => {
  const { options, fileNames } = ts.parseJsonConfigFileContent(ts.readConfigFile(join(ROOT, 'tsconfig.build.json'), (file) => ts.sys.readFile(file)).config, ts.sys, ROOT);
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  const sources = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('node_modules'));
  const config = sources.find(({ fileName }) => fileName.endsWith('src/config/config.ts'));
  const declared = config?.statements.find((statement): statement is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(statement) && statement.name.text === 'Config');
  const leaves = leavesOf(checker, checker.getTypeAtLocation(declared as ts.Node));
  expect(leaves.size).toBeGreaterThan(45);

  // These are no settings: the configuration itself reads them.
  const unread = new Map([...leaves].filter(([, path]) => !['productPrefix', 'production'].includes(path)));
  const names = new Set<string>();
  const isRead = (symbol: ts.Symbol | undefined): void => {
    if (symbol) names.add(symbol.name);
    for (const node of symbol?.declarations ?? []) unread.delete(node);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) isRead(checker.getSymbolAtLocation(node.name));
    else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name)) isRead(checker.getTypeAtLocation(node.parent).getProperty(name.text));
    }
    ts.forEachChild(node, visit);
  };
  for (const source of sources.filter(({ fileName }) => !relative(ROOT, fileName).startsWith('src/config/'))) visit(source);
  // A part that is handed a whole group may describe it in an interface of its own: there the name is all that tells.
  expect([...unread.values()].filter((path) => !names.has(path.split('.').at(-1) ?? ''))).toEqual([]);
});
