import { generateConcurrently } from '../support/concurrent-generations.ts';

it('12 concurrent generations all succeed, each with its own project', () => generateConcurrently(12));
