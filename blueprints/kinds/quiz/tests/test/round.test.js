import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questions } from '../src/questions.js';
import { Round } from '../src/round.js';

test('every question has different answers and a note', () => {
  for (const { question, answers, note } of questions) {
    assert.ok(answers.length >= 2, question);
    assert.equal(new Set(answers).size, answers.length, question);
    assert.ok(note, question);
  }
});

test('a round asks each question once and counts the right answers', () => {
  const round = new Round(questions);
  const asked = new Set();
  while (round.current) {
    asked.add(round.current.question);
    assert.equal(round.answer(round.current.right), true);
  }
  assert.equal(asked.size, questions.length);
  assert.equal(round.score, questions.length);
  assert.deepEqual(round.mistakes, []);
});

test('wrong and missing answers are mistakes', () => {
  const round = new Round(questions);
  const { question, right } = round.current;
  assert.equal(round.answer(''), false);
  assert.deepEqual(round.mistakes[0], { question, right, given: '' });
});
