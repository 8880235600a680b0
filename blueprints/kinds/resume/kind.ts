import { pageLayers } from '../../kit/kinds.ts';
import { readList } from '../../kit/lists.ts';
import { capitalize, withoutManner } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

const WORD = 'résumé|resume|curriculum vitae|currículum|currículo|curriculum|cv|lebenslauf|hoja de vida';
const PERSON =
  /(?:(?<!\p{L})(?:for|of|für|von|de|d[ao]|pour|para)|:) (?:Dr\.? )?(\p{Lu}[\p{L}'’-]+(?: (?:\p{Lu}[\p{L}.'’-]*|de|da|do|van|von|der))+)/u;
// What stands after the name: ", a nurse", " – Softwareentwicklerin", " who is an architect".
const BESIDE =
  /^\s*(?:[,(–-]|who is|who works as|as|als|comme|como)\s*(?:(?:an?|the|eine?|une?|uma?|una?|el|la) )?(\p{L}[\p{L}/& -]{2,40}?)(?= (?:with|in|from|at|and|who|mit|aus|bei|en|à|em|con|com|avec)(?!\p{L})|[,.;:\n()]|$)/iu;
const PLACE = /(?<!\p{L})(?:in|from|aus|en|à|em|de) (\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)/u;

/** Reads who a résumé is for: "Jane Doe" and "nurse" of "my resume: Jane Doe, nurse, 10 years in Manchester". */
function readPerson({ name, text, topic }: Brief) {
  const found = PERSON.exec(text);
  const person = name || found?.[1] || '';
  const at = text.indexOf(person) + person.length;
  const rest = person ? text.slice(at).replace(/^["'“”‘’«»]/, '') : '';
  const profession = BESIDE.exec(rest)?.[1] ?? (person ? '' : withoutManner(topic));
  return { person, profession: capitalize(profession), place: PLACE.exec(rest)?.[1] ?? '' };
}

const LISTS: Readonly<Record<'skills' | 'languages' | 'experience' | 'education', string>> = {
  skills: 'skills?|kenntnisse|fähigkeiten|habilidades|compétences',
  languages: 'languages|sprachen|idiomas|langues',
  experience: 'experience|jobs|berufserfahrung|experiencia|expérience|experiência',
  education: 'education|studies|ausbildung|studium|formación|formation|formação',
};

export const resume: Kind<
  | keyof typeof LISTS
  | 'role'
  | 'yourName'
  | 'summary'
  | 'place'
  | 'job'
  | 'earlier'
  | 'years'
  | 'did'
  | 'degree'
  | 'skillList'
  | 'languageList'
> = {
  name: 'resume',
  layers: pageLayers('resume', ['storage', 'texts', 'article']),
  accent: '#1f5f6b',
  words: [[`(?:online |interactive )?(?:${WORD})(?: (?:site|website|page|builder|template))?`, 7]],
  values(brief, texts) {
    const { person, profession, place } = readPerson(brief);
    const title = person || texts.yourName;
    const role = profession || texts.role;
    const list = (key: keyof typeof LISTS, sample: string) => {
      const listed = readList(brief.text, LISTS[key]).map(capitalize);
      return listed.length > 0 ? listed : sample.split(', ');
    };
    const years = texts.years.split('|');
    const stations = (names: readonly string[], did: string) =>
      names.map((name, at) => ({ name, time: years[Math.min(at, years.length - 1)] ?? '', did }));
    const jobs = readList(brief.text, LISTS.experience);
    const schools = readList(brief.text, LISTS.education);
    const usual = [texts.job.replace('{role}', () => role), texts.earlier];
    return {
      title,
      profession: role,
      description: texts.summary.replace('{name}', () => title),
      city: place || texts.place,
      lists: [
        { heading: texts.skills, items: list('skills', texts.skillList).map((text) => ({ text })) },
        { heading: texts.languages, items: list('languages', texts.languageList).map((text) => ({ text })) },
      ],
      parts: [
        { heading: texts.experience, stations: stations(jobs.length > 0 ? jobs : usual, texts.did) },
        {
          heading: texts.education,
          stations: stations(schools.length > 0 ? schools : [texts.degree], '').map((one) => ({
            ...one,
            time: years.at(-1) ?? '',
          })),
        },
      ],
      icon: 'M9 6h14v20H9zM13 12h6M13 17h6',
      sources: [
        { path: 'resume.css', contents: 'the sheet, and how it is printed' },
        { path: 'src/main.js', contents: 'makes the texts editable and prints' },
        { path: 'src/store.js', contents: 'stores changed texts in the browser' },
        { path: 'src/texts.js', contents: 'the texts of the script' },
      ],
      advice: 'Changes made in the page stay in that browser. Write them into index.html before you publish it.',
    };
  },
};
