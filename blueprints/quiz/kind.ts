import { toTitle, withoutManner } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';
import { TOPICS } from './topics.ts';

const QUIZ_WORDS =
  /\s*(?:(?:multiple[- ]choice )?(?:quiz(?:zes)?|trivia|flash ?cards?|tests?|cuestionario)(?: game| app)?|game|app)\s*/giu;
const PER_TOPIC_IN_GENERAL = 2;

/** Returns two questions of every topic. */
const general = () => TOPICS.flatMap(({ questions }) => questions.slice(0, PER_TOPIC_IN_GENERAL));

function subjectOf({ head, topic }: Brief): string {
  const own = withoutManner(head).replace(QUIZ_WORDS, ' ').trim();
  return toTitle(topic) || toTitle(own);
}

export const quiz: Kind = {
  name: 'quiz',
  layers: {
    auto: ['shared/page', 'shared/storage', 'quiz/base'],
    '5min': ['shared/offline'],
    '10min': ['shared/tests', 'quiz/tests'],
  },
  accent: '#5b3fd6',
  words: [
    ['quiz(?:zes)?|trivia|cuestionario|quizspiel', 5],
    ['multiple[- ]choice|flash ?cards?|test my knowledge|knowledge test', 4],
    ['questions? and answers?|guessing game|exam', 3],
  ],
  values(brief: Brief) {
    const subject = subjectOf(brief);
    const known = TOPICS.find(({ about }) =>
      new RegExp(`(?<!\\p{L})(?:${about})(?!\\p{L})`, 'iu').test(brief.request),
    );
    const isGeneral =
      !subject ||
      /^(?:general|general knowledge|trivia|everything|anything|my .*|fun|kids|children|friends|culture générale)$/i.test(
        subject,
      );
    const questions = known?.questions ?? general();
    const title =
      brief.name ||
      (subject && !isGeneral ? `${subject.replace(/^the /i, '')} Quiz` : 'General Knowledge Quiz');
    const sample = !known && !isGeneral;
    return {
      title,
      description: `${title}: ${questions.length} questions with an explanation for each.`,
      lede: sample
        ? `${questions.length} sample questions of general knowledge. Replace them in src/questions.js with your own about ${subject}.`
        : `${questions.length} questions with four answers each, and an explanation after every one.`,
      questions: questions.map(([question, note, ...answers]) => ({ question, answers, note })),
    };
  },
};
