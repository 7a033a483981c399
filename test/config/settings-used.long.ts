import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../support/process';

/** The configuration itself reads these. */
const READ_BY_CONFIGURATION: readonly string[] = ['productPrefix', 'production'];

/** The path of every leaf of a type: `server.port`. */
function leavesOf(checker: ts.TypeChecker, type: ts.Type, path = ''): string[] {
  return type.getProperties().flatMap((property) => {
    const inner = checker.getTypeOfSymbol(property);
    const name = `${path}${property.name}`;
    const isGroup =
      (inner.flags & ts.TypeFlags.Object) !== 0 &&
      !checker.isArrayType(inner) &&
      !/^readonly /.test(checker.typeToString(inner));
    return isGroup ? leavesOf(checker, inner, `${name}.`) : [name];
  });
}

/** All property names that a file reads. */
function propertiesReadIn(file: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) names.push(node.name.text);
    else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name)) names.push(name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(
    ts.createSourceFile(
      file,
      readFileSync(join(ROOT, 'src', file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    ),
  );
  return names;
}

it('the service reads every setting of the configuration', () => {
  const configFile = join(ROOT, 'src/config/config.ts');
  const program = ts.createProgram([configFile], {
    target: ts.ScriptTarget.ES2023,
    strict: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const config = program
    .getSourceFile(configFile)
    ?.statements.find(
      (statement): statement is ts.InterfaceDeclaration =>
        ts.isInterfaceDeclaration(statement) && statement.name.text === 'Config',
    );
  const leaves = leavesOf(checker, checker.getTypeAtLocation(config as ts.Node));
  expect(leaves.length).toBeGreaterThan(45);

  // Matches by name: a feature that receives a whole group may declare it in its own interface.
  const files = readdirSync(join(ROOT, 'src'), { encoding: 'utf8', recursive: true }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('config/'),
  );
  const read = new Set([...READ_BY_CONFIGURATION, ...files.flatMap(propertiesReadIn)]);
  expect(leaves.filter((path) => !read.has(path.split('.').at(-1) ?? ''))).toEqual([]);
});
