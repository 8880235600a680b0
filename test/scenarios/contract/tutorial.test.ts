import { runBlocks } from '../../support/cloud/document-blocks.ts';

it('docs/tutorial.md prints what it shows, block by block', () => runBlocks('docs/tutorial.md'));
