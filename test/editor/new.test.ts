import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readService } from '../../generator/check/service.ts';
import { modeline } from '../../generator/read/paths.ts';
import { fieldTypes } from '../../generator/model/language.ts';
import { firstSpec } from '../../generator/model/template.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { kinds } from '../../runtime/kernel/model/operations.ts';
import { Commands, type Run, runCommand } from '../support/commands.ts';
import { fileOf, rejectionsOf } from './validator.ts';

const folders: string[] = [];

const commands = new Commands();

afterAll(() => {
  commands[Symbol.dispose]();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A project of its own, with a few specs. */
class Project {
  readonly root = mkdtempSync(join(tmpdir(), 'records-new-'));

  constructor() {
    folders.push(this.root);
    this.write(
      'spec/service.yaml',
      'name: records\ntitle: Records\ndoc: Keeps records.\nversion: 1.0.0\nlicense: MIT\n',
    );
    this.write('spec/crm/lead.yaml', 'kind: record\ndoc: Somebody.\nfields:\n  name:\n');
    this.write('spec/sales/b-o-m.yaml', 'kind: record\nname: bom\ndoc: A bill of materials.\nfields:\n  item:\n');
    this.write(
      'spec/sales/b-o-m-item.yaml',
      'kind: line-item\nname: bom_item\ndoc: A.\nparent: { field: bom_id }\nfields:\n  bom_id: { required: true }\n',
    );
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  specs(): Map<string, string> {
    return readSpecs(this.root);
  }

  /** Runs a command of the generator in it. */
  run(command: 'new' | 'generate', ...args: readonly string[]): Promise<Run> {
    return commands.run(command, this.root, args);
  }
}

describe('a first file', () => {
  test.each([
    ['a record', ['crm/opportunity'], '', []],
    ['a record by name', ['crm/opportunity', '--kind', 'record'], '', []],
    ['settings', ['crm/mail-settings', '--kind', 'singleton'], '', []],
    [
      'a line item',
      ['crm/lead-note', '--kind', 'line-item', '--parent', 'crm/lead'],
      'parent: { field: lead_id, resource: crm/lead }',
      ['lead_id'],
    ],
    [
      'a line item of a parent with a name of its own',
      ['sales/part', '--kind', 'line-item', '--parent', 'sales/b-o-m'],
      'parent: { field: bom_id, resource: sales/b-o-m }',
      ['bom_id'],
    ],
    [
      'a line item of a parent elsewhere',
      ['sales/part', '--kind', 'line-item', '--parent-field', 'bom_id'],
      'parent: { field: bom_id }',
      ['bom_id'],
    ],
    [
      'a line item whose parent field is chosen, and called like an example',
      ['sales/part', '--kind', 'line-item', '--parent', 'crm/lead', '--parent-field', 'description'],
      'parent: { field: description, resource: crm/lead }',
      ['description'],
    ],
  ])('%s', async (_, args, parent, names) => {
    const project = new Project();
    const [key = ''] = args;
    const path = `spec/${key}.yaml`;
    const made = await project.run('new', ...args);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain(`wrote    ${path}\n`);
    expect(made.stdout).toContain('npm run generate');
    expect(made.stdout).toContain('npm run dev');
    expect(made.stdout).toContain(`http://127.0.0.1:3000/api/${key}`);

    const text = project.read(path);
    expect(text.split('\n')[0]).toBe(modeline(path));
    expect(text).toContain(parent);
    expect(rejectionsOf(fileOf(path, text)!)).toEqual([]);
    const { service, diagnostics } = readService(project.specs());
    expect(diagnostics).toEqual([]);
    const resource = service?.resources.find((candidate) => candidate.key === key);
    expect(resource?.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(resource?.fields.length).toBeGreaterThanOrEqual(2);

    expect(await project.run('generate')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(project.root, `generated/${key}.schema.ts`))).toBe(true);
    expect(await project.run('generate', '--check')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test('says its area where its name is taken', async () => {
    const project = new Project();
    expect(await runCommand('new', project.root, ['support/lead'])).toMatchObject({ code: 0 });
    expect(project.read('spec/support/lead.yaml')).toContain('\nname: support_lead\n');
    // Here the other file is the one that the check speaks of.
    expect(await project.run('new', 'abc/lead')).toMatchObject({ code: 0 });
    expect(project.read('spec/abc/lead.yaml')).toContain('\nname: abc_lead\n');
    expect(await project.run('generate')).toMatchObject({ code: 0, stderr: '' });
  });

  test('is made while another file is broken', async () => {
    const project = new Project();
    project.write('spec/crm/broken.yaml', 'kind: [');
    expect(await project.run('new', 'crm/opportunity')).toMatchObject({ code: 0, stderr: '' });
  });

  test.each(kinds)('of kind %s shows the keys of the kind, and is a valid spec', (kind) => {
    const specs = new Project().specs();
    const parent = kind === 'line-item' ? { field: 'lead_id', resource: undefined } : undefined;
    const text = firstSpec({ key: 'crm/thing', kind, name: undefined, parent });
    const shown = text
      .split('\n')
      .filter((line) => !line.includes('$schema=') && !line.includes('# A name alone'))
      .map((line) => line.replace(/^( *)# /, '$1'))
      .join('\n');
    expect(shown).not.toContain('#');
    const path = 'spec/crm/thing.yaml';
    expect(readService(new Map([...specs, [path, shown]])).diagnostics, shown).toEqual([]);
    expect(rejectionsOf(fileOf(path, shown)!)).toEqual([]);
    const hidden = {
      // It is about references that are added to values.
      record: ['on_missing'],
      'line-item': ['references', 'on_delete', 'on_missing', 'inverse', 'default_from'],
      singleton: ['references', 'on_delete', 'on_missing', 'inverse', 'default_from', 'backfill', 'unique', 'sequence'],
    };
    for (const { shape } of Object.values(fieldTypes)) {
      const keys = Object.keys(shape).filter((key) => !(hidden[kind] as string[]).includes(key));
      for (const key of keys) expect(shown).toMatch(new RegExp(`[{ ]${key}: `));
    }
  });
});

describe('refused', () => {
  const item = ['--kind', 'line-item'];
  test.each([
    ['nothing', [], 2, /^An argument is missing\.\nUsage: npm run new -- <area>\/<resource> /],
    ['two names', ['crm/a', 'crm/b'], 2, /^There is an argument too many: "crm\/b"\.\n/],
    ['an unknown option', ['crm/a', '--knid', 'record'], 2, /--knid/],
    ['an unknown kind', ['crm/a', '--kind', 'recrod'], 2, /^There is no kind "recrod"; did you mean "record"\?\n$/],
    ['a far-off kind', ['crm/a', '--kind', 'table'], 2, /; it must be "record", "line-item" or "singleton"\n$/],
    ['a line item without a parent', ['crm/a', ...item], 2, /^A line item needs its parent: --parent .*\n$/],
    ['a record with a parent', ['crm/a', '--parent', 'crm/lead'], 2, /^Only a line item has a parent.*\n$/],
    ['an unknown parent', ['crm/a', ...item, '--parent', 'crm/laed'], 1, /crm\/laed.* did you mean "crm\/lead"\?\n$/],
    [
      'a line item as parent',
      ['crm/a', ...item, '--parent', 'sales/b-o-m-item'],
      1,
      /sales\/b-o-m-item is a line item, and a line item cannot be a parent\.\n$/,
    ],
    ['a parent field in capitals', ['crm/a', ...item, '--parent-field', 'Lead'], 2, /"Lead" must be snake_case.*\n$/],
    ['a parent field that comes with the kind', ['crm/a', ...item, '--parent-field', 'idx'], 2, /called idx\.\n$/],
    ['a parent field of JavaScript', ['crm/a', ...item, '--parent-field', 'constructor'], 2, /constructor\.\n$/],
    ['a name that is too long', [`crm/${'a'.repeat(51)}`], 1, /longer than the 50 characters.*\n$/],
    ...['opportunity', 'crm/Opportunity', 'crm/a_b', 'crm/a/b', '../crm/a', 'crm/', 'crm/a.yaml', '/crm/a'].map(
      (name) => [`the name ${name}`, [name], 2, /must be <area>\/<resource>, both in kebab-case .*\n$/] as const,
    ),
  ] as const)('%s', async (_, args, code, message) => {
    const project = new Project();
    const before = project.specs();
    const refused = await project.run('new', ...args);
    expect(refused).toMatchObject({ code, stdout: '' });
    expect(refused.stderr).toMatch(message);
    expect(project.specs()).toEqual(before);
  });

  test('a file that is there', async () => {
    const project = new Project();
    const text = project.read('spec/crm/lead.yaml');
    expect(await runCommand('new', project.root, ['crm/lead'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'spec/crm/lead.yaml exists already.\n',
    });
    expect(project.read('spec/crm/lead.yaml')).toBe(text);
  });
});
