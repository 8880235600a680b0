import { files, GAME, numbers, pageLayers } from '../../kit/kinds.ts';
import { languageNamed } from '../../kit/languages.ts';
import { readEntries, readList, splitList } from '../../kit/lists.ts';
import { titleOf } from '../../kit/phrases.ts';
import { type Brief, type Kind, LANGUAGES, type Language } from '../../kit/types.ts';

const LABELS =
  'words|cards|pairs|vocabulary|flash ?cards|wörter|vokabeln|karten|paare|palabras|tarjetas|mots|cartes|palavras|cartões|terms';
const LABELLED = new RegExp(`(?<!\\p{L})(?:${LABELS}):`, 'iu');
const PAIR = /^(.+?)\s*(?:=|→|->|:|\s[-–—]\s)\s*(.+)$/u;

/** Cards such as "dog = Hund", after a label or anywhere; a word without a partner gets an empty back. */
function cardsOf({ text }: Brief) {
  const listed = readList(text, LABELS);
  const anywhere = text
    .split('\n')
    .flatMap((line) => splitList(line.replace(/^[^:=]*:\s/, '').replace(/[.;]\s*$/, '')));
  // "Flash cards including search, statistics and export" lists features.
  const isListed = listed.length > 1 && (LABELLED.test(text) || listed.some((entry) => PAIR.test(entry)));
  const pairs = readEntries(text).filter((entry) => PAIR.test(entry));
  const others = pairs.length > 1 ? pairs : anywhere.filter((entry) => /=|→|->/.test(entry));
  const source = isListed ? listed : others;
  return source.map((entry) => {
    const [, front = entry, back = ''] = PAIR.exec(entry) ?? [];
    return { front: front.trim(), back: back.trim() };
  });
}

export const flashcards: Kind<'title' | 'about' | 'due' | 'box'> = {
  name: 'flashcards',
  layers: pageLayers('flashcards', GAME),
  accent: '#b4541a',
  words: [
    ['flash[- ]?cards?(?: app| game| trainer)?|vocabulary (?:trainer|cards?|app|practice)', 7],
    ['spaced repetition|leitner|anki|karteikarten|lernkarten|vokabel\\p{L}*', 7],
    ['tarjetas de (?:estudio|memoria|vocabulario|memorización)|fichas de estudio|cartes mémoire', 7],
    [
      'fiches de vocabulaire|cartes de (?:révision|mémorisation|vocabulaire)|cartões de (?:estudo|memória|memorização)',
      7,
    ],
  ],
  values(brief, texts) {
    const title = titleOf(brief, /card|kart|vokabel|vocab|tarjeta|ficha|cartes|cartões|anki/i, texts.title);
    const own = cardsOf(brief);
    const fallback = brief.lang === 'en' ? 'es' : 'en';
    return {
      title,
      description: `${title}: ${texts.about}`,
      cards: own.length > 0 ? own : vocabulary(languageNamed(brief.request, brief.lang) ?? fallback, brief.lang),
      pad: false,
      numbers: numbers({
        due: texts.due,
        box1: `${texts.box} 1`,
        box2: `${texts.box} 2`,
        box3: `${texts.box} 3`,
      }),
      files: files({ 'src/cards.js': 'the cards to begin with' }),
    };
  },
};

/** Words in the languages of interface texts, with the article where the language has one. */
const WORDS = `
hello | hallo | hola | bonjour | olá
thank you | danke | gracias | merci | obrigado
please | bitte | por favor | s’il te plaît | por favor
yes | ja | sí | oui | sim
the house | das Haus | la casa | la maison | a casa
the water | das Wasser | el agua | l’eau | a água
the bread | das Brot | el pan | le pain | o pão
the apple | der Apfel | la manzana | la pomme | a maçã
the dog | der Hund | el perro | le chien | o cachorro
the cat | die Katze | el gato | le chat | o gato
the book | das Buch | el libro | le livre | o livro
the friend | der Freund | el amigo | l’ami | o amigo
the day | der Tag | el día | le jour | o dia
the night | die Nacht | la noche | la nuit | a noite
the street | die Straße | la calle | la rue | a rua
to eat | essen | comer | manger | comer
to drink | trinken | beber | boire | beber
to sleep | schlafen | dormir | dormir | dormir
to speak | sprechen | hablar | parler | falar
big | groß | grande | grand | grande
red | rot | rojo | rouge | vermelho
today | heute | hoy | aujourd’hui | hoje
`;
/** Returns cards with a word of one language in front and its translation on the back. */
const vocabulary = (learnt: Language, own: Language) =>
  WORDS.trim()
    .split('\n')
    .map((line) => line.split(' | '))
    .map((columns) => ({
      front: columns[LANGUAGES.indexOf(learnt)] ?? '',
      back: columns[LANGUAGES.indexOf(own)] ?? '',
    }));
