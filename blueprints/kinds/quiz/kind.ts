import { pageLayers } from '../../kit/kinds.ts';
import { toTitle, withoutManner } from '../../kit/phrases.ts';
import { type Brief, type Kind, LANGUAGES, type Language } from '../../kit/types.ts';
// Only facts that neither change nor are disputed. A question has a column per language:
// the question, what to say once it is answered, the right answer, and the wrong ones.
import topics from './questions.json' with { type: 'json' };

const QUIZ_WORDS =
  /\s*(?:(?:multiple[- ]choice )?(?:quiz(?:zes|spiel)?|trivia|flash ?cards?|tests?|cuestionario|questionnaire|questionário)(?: game| app)?|game|app|preguntas|questions|perguntas|fragen)\s*/giu;
const GENERAL =
  /^(?:general|general knowledge|trivia|everything|anything|my .*|fun|kids|children|friends|culture générale|allgemeinwissen|cultura general|conhecimentos gerais|de)$/i;
const PER_TOPIC_IN_GENERAL = 2;

/** Returns two questions of every topic. */
const general = () => topics.flatMap(({ questions }) => questions.slice(0, PER_TOPIC_IN_GENERAL));

function subjectOf({ head, topic, promptLang }: Brief): string {
  const own = withoutManner(head).replace(QUIZ_WORDS, ' ').trim();
  return toTitle(topic, promptLang) || toTitle(own, promptLang);
}

function questionIn(language: Language, columns: readonly string[]) {
  const [question = '', note = '', ...answers] = columns[LANGUAGES.indexOf(language)]?.split('|') ?? [];
  return { question, answers, note };
}

/** Puts values in the place of names in braces. */
const fillIn = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

export const quiz: Kind<'title' | 'about' | 'describes' | 'lede' | 'sample'> = {
  name: 'quiz',
  layers: pageLayers('quiz', ['storage', 'texts'], 'quiz/tests'),
  accent: '#5b3fd6',
  words: [
    ['quiz(?:zes)?|trivia|cuestionario|quizspiel', 5],
    ['multiple[- ]choice|test my knowledge|knowledge test', 4],
    ['questions? and answers?|guessing game|exam', 3],
  ],
  values(brief, texts) {
    const subject = subjectOf(brief);
    const known = topics.find(({ about }) => new RegExp(`(?<!\\p{L})(?:${about})(?!\\p{L})`, 'iu').test(brief.request));
    const isGeneral = !subject || GENERAL.test(subject);
    const questions = known?.questions ?? general();
    const title =
      brief.name || (isGeneral ? texts.title : fillIn(texts.about, { subject: subject.replace(/^the /i, '') }));
    const n = questions.length;
    return {
      title,
      description: fillIn(texts.describes, { title, n }),
      lede: fillIn(known || isGeneral ? texts.lede : texts.sample, { n, subject }),
      questions: questions.map((columns) => questionIn(brief.lang, columns)),
    };
  },
};
