import { questions } from './questions.js';
import { load, save } from './store.js';

let own = load('own-questions', []);

/** The questions that the visitor wrote. */
export const ownQuestions = () => own;

/** What is wrong with a question, as a sentence; '' when nothing is. */
export function problemWith({ question, answers }) {
  if (!question.trim()) return 'Write the question.';
  if (answers.length < 2) return 'It takes the right answer and at least one wrong one.';
  if (new Set(answers.map((answer) => answer.toLowerCase())).size < answers.length) return 'Two answers are the same.';
  if ([...questions, ...own].some((other) => other.question === question)) return 'This question is in the list already.';
  return '';
}

function keep(next) {
  own = next;
  save('own-questions', own);
}

export const addQuestion = (entry) => keep([...own, entry]);

export const removeQuestion = (question) => keep(own.filter((entry) => entry.question !== question));
