import { load, save } from './store.js';

/** The answers that this browser has stored. */
export const readAnswers = async () => load('answers', []);

export const addAnswer = async (answer) => save('answers', [...load('answers', []), answer]);

export async function removeAnswer({ name, note }) {
  const answers = load('answers', []);
  save(
    'answers',
    answers.toSpliced(
      answers.findIndex((one) => one.name === name && one.note === note),
      1,
    ),
  );
}

export const sentenceFor = String;
