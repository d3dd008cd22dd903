// Prints TypeScript files of given lengths with ts-morph and nothing else: `node floor.ts FOLDER LENGTHS`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Project, StructureKind } from 'ts-morph';

const [, , folder = '', lengths = '[]'] = process.argv;
const project = new Project({ useInMemoryFileSystem: true });
mkdirSync(folder, { recursive: true });
for (const [index, length] of (JSON.parse(lengths) as number[]).entries()) {
  const initializer = JSON.stringify('x'.repeat(60));
  // A line of the initializer below has some 80 characters.
  const properties = Array.from({ length: Math.ceil(length / 80) }, (_, n) => `  property_${n}: ${initializer},`);
  const file = project.createSourceFile(`${index}.ts`, {
    statements: [
      { kind: StructureKind.ImportDeclaration, moduleSpecifier: 'zod', namedImports: ['z'] },
      {
        kind: StructureKind.VariableStatement,
        isExported: true,
        declarations: [{ name: 'value', initializer: (writer) => writer.write(`{\n${properties.join('\n')}\n}`) }],
      },
    ],
  });
  writeFileSync(join(folder, `${index}.ts`), file.getFullText());
}
