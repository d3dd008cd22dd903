import { parseArguments } from '../../../runtime/commands/arguments.ts';
import { serverHelp, serverOptions } from '../../../runtime/commands/server-options.ts';
import { Api } from '../../../runtime/data/transfer/api.ts';
import type { CommandContext } from '../../../runtime/kernel/feature.ts';
import { hasStars } from './feature.ts';

export const help = `Prints the ids of the records that have stars.

Usage: npm run stars -- [options]

Options:
${serverHelp}
`;

/** @throws CliError that says what is wrong */
export async function run(context: CommandContext, args: readonly string[]): Promise<void> {
  const { values } = parseArguments({ help, options: serverOptions }, args);
  const api = new Api(await context.server(values.url));
  for (const { path } of context.service.tables.filter(hasStars)) {
    const { body } = await api.get<{ data: { id: string }[] }>(`/api/${path}?min_stars=1`);
    for (const { id } of body.data) console.log(id);
  }
}
