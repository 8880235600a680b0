import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addQuestion, ownQuestions, problemWith, removeQuestion } from '../src/own-questions.js';
import { questions } from '../src/questions.js';

const mine = { question: 'Who baked it?', answers: ['Ana', 'Ben'], note: 'On Sunday.' };

test('questions of one’s own are kept until they are removed', () => {
  addQuestion(mine);
  assert.deepEqual(ownQuestions(), [mine]);
  removeQuestion(mine.question);
  assert.deepEqual(ownQuestions(), []);
});

test('a question that cannot be answered is not taken', () => {
  assert.equal(problemWith(mine), '');
  assert.match(problemWith({ ...mine, question: ' ' }), /question/);
  assert.match(problemWith({ ...mine, answers: ['Ana'] }), /at least one wrong/);
  assert.match(problemWith({ ...mine, answers: ['Ana', 'ana'] }), /the same/);
  addQuestion(mine);
  assert.match(problemWith(mine), /already/);
  assert.match(problemWith({ ...mine, question: questions[0].question }), /already/);
  removeQuestion(mine.question);
});
