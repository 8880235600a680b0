import type { Command } from 'commander';
import { main as command, EXIT_CODES_OF_OPERATORS } from '../../terminal/program.ts';
import { addStageOption, openStage } from '../stage.ts';
import { deploymentIn } from '../takedown/one.ts';
import { REASON_CHARACTERS } from '../takedown/reason.ts';
import { dismiss, list, type ReviewAction, type ReviewOptions, release, show, takeDown } from './actions.ts';
import { reviewStage } from './stage.ts';

const NOTES = `
Without a command, prints the pages that are held and those with open reports,
the most urgent first. Open the picture of a page, not the page.

A released page is public until a version of it has more points. Closed reports
come back with the next one of another sender, and weigh less then.

${EXIT_CODES_OF_OPERATORS}`;

/** `npm run review` */
export const main = command('npm run review --', (program, io) => {
  addStageOption(program)
    .description('Shows the pages that wait for a decision of the operator, and decides')
    .option('--json', 'print JSON')
    .addHelpText('after', NOTES)
    .action(async (options: ReviewOptions) => {
      using stage = await openStage(options.stack, io.env);
      await list(options, reviewStage(stage), io);
    });
  const subcommand = (name: string, description: string, perform: ReviewAction) =>
    program
      .command(name)
      .description(description)
      .argument('<id>', 'the id of the deployment, or the URL of one of its pages')
      .action(async (address: string, _, own: Command) => {
        const options: ReviewOptions = own.optsWithGlobals();
        using stage = await openStage(options.stack, io.env);
        await perform(await deploymentIn(address, stage), options, reviewStage(stage), io);
      });
  const decision = (name: string, description: string, perform: ReviewAction) =>
    subcommand(name, description, perform).option('-y, --yes', 'do not ask for confirmation');
  subcommand('show', 'print what is known of a page: reasons, reports, screenshot', show).option(
    '--picture <file>',
    'write what a browser saw of it, as PNG',
  );
  decision('release', 'make a page public that is held', release);
  decision('takedown', 'take a page down', takeDown).option(
    '--reason <text>',
    `what its pages show, in quotes, at most ${REASON_CHARACTERS} characters`,
  );
  decision('dismiss', 'close the reports of a page', dismiss);
});
