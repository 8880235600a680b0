import { generateConcurrently } from '../support/concurrent-generations.ts';

it('50 concurrent generations all succeed, each with its own project', () => generateConcurrently(50));
