import { runBlocks } from '../support/cloud/document-blocks.ts';

it('README.md prints what it shows, block by block', () => runBlocks('README.md'));
