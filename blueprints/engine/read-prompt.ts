import { LANGUAGE_NAMES } from '../kit/languages.ts';
import { readAccent, readTheme } from '../kit/palette.ts';
import { readHead, readPurpose, readTopic, shorten } from '../kit/phrases.ts';
import { type Brief, LANGUAGES, type Language } from '../kit/types.ts';

const MAX_NAME = 60;

const QUOTED = /["“”«»„]\s*([^"“”«»„\n]{2,60}?)\s*["“”«»„]|(?<!\p{L})['‘]([^'‘’\n]{2,60})['’](?!\p{L})/gu;
const CALLED =
  /(?<!\p{L})(?:called|named|titled|entitled|by the name of|title:|name:|namens|genannt|heißt|heissen|heißen|se llama|s['’]appelle|(?:se )?chama(?:-se)?|mit dem (?:titel|namen)|appelée?|nommée?|intitulée?|llamad[oa]|titulad[oa]|chamad[oa]|intitulad[oa]|com o (?:nome|título)|con el (?:nombre|título))\s+/iu;
const NAME_END =
  /[,;:!?\n"“”«»]|\.(?:\s|$)|\s(?:[-–—]\s|(?:with|that|which|for|using|where|in|on|en|em|mit|für|avec|pour|con|com|para)\s)/iu;

/** Normalizes a prompt: no lone surrogates, no control characters but line feeds; emoji keep their joiners. */
function clean(prompt: string): string {
  return prompt
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n\u200d]/gu, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

function readName(text: string): { readonly name: string; readonly request: string } {
  const called = CALLED.exec(text);
  if (called) {
    const rest = text.slice(called.index + called[0].length);
    const quoted = rest.matchAll(QUOTED).next().value;
    const unquoted = rest.slice(0, rest.search(NAME_END) < 0 ? undefined : rest.search(NAME_END));
    const [written, name] = quoted?.index === 0 ? [quoted[0], quoted[1] ?? quoted[2] ?? ''] : [unquoted, unquoted];
    return {
      name: shorten(name, MAX_NAME),
      request: text.slice(0, called.index) + rest.slice(written.length),
    };
  }
  const quotes = [...text.matchAll(QUOTED)];
  const only = quotes.length === 1 ? quotes[0] : undefined;
  if (!only) return { name: '', request: text };
  return { name: shorten(only[1] ?? only[2] ?? '', MAX_NAME), request: text.replace(only[0], ' ') };
}

/** Extracts from a prompt what every kind can use. Never throws: a prompt may be any text. */
export function readPrompt(prompt: string): Brief {
  const text = clean(prompt);
  const named = readName(text);
  const asked = readInterface(named.request);
  const request = asked?.request ?? named.request;
  const promptLang = readLanguage(named.request);
  return {
    text,
    request,
    name: named.name,
    head: readHead(request),
    purpose: readPurpose(request),
    topic: readTopic(request),
    lang: asked?.lang ?? LANGUAGES.find((language) => language === promptLang) ?? 'en',
    promptLang,
    theme: readTheme(request),
    accent: readAccent(request),
    pictures: [],
  };
}

const words = (source: string) => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'giu');

/** Words that other languages have too count once, those of one language twice. */
const SIGNS: Readonly<Record<Language, readonly [common: RegExp, own: RegExp]>> = {
  en: [
    words('an?|me|my|of|to|in|on|page|app|game|list'),
    words('the|and|with|for|build|make|create|please|that|about'),
  ],
  de: [
    words('die|der|das|den|dem|will|im|am|auf|von|zum|zur'),
    words(
      'ich|und|oder|mit|für|unser(?:e[nmrs]?)?|wohin|zwischen|beim|wir|uns|bis|vom|umfrage|seiten?|spalten|eine?[nmrs]?|erstelle?n?|baue?|mache?|schreibe?|bitte|mir|über|nicht|ohne|meine?[nmrs]?|kannst|möchte|brauche|\\p{L}{3,}(?:liste|rechner|uhr|spiel|formular|seite|brett|planer|tagebuch|karten|verwaltung|einladung|vordruck|erfassung)|rechner|spiel|einladung|lebenslauf|rechnung(?:en)?|rezepte?|zeitplan|aufgaben|notizen|übersicht',
    ),
  ],
  es: [
    words('un|el|los|las|del|de|mi|mis|con|notas|para|sobre|la|y|formulario|conversor|lista|página'),
    words(
      'una|nuestr[oa]s?|donde|hasta|entre|columnas|cuenta atrás|quiero|necesito|haz(?:me)?|crea(?:r|me)?|tareas|juego|sitio|recetas|tarjetas|boda|encuesta|tablero|temporizador|calculadora|cronómetro|compras|dibujo|reloj|currículum|gastos|hábitos|en español|\\p{L}*(?:ción|ía|ñ\\p{L}+)',
    ),
  ],
  fr: [
    words('un|le|la|les|de|des|du|et|sur|je|est|mon|ma|mes|page|site|cartes|liste'),
    words(
      "une|notre|nos|où|entre|jusqu|colonnes|suivi|avec|pour|crée[rz]?|fais|veux|voudrais|moi|à|outil|messagerie|voyages?|minuteur|calculatrice|jeu|tâches|courses|dépenses|recettes|mariage|formulaire|sondage|tableau|dessin|facture|convertisseur|horloge|lecteur|musique|éditeur|rythmes?|dactylographie|habitudes|l['’]\\p{L}+|d['’]\\p{L}+",
    ),
  ],
  pt: [
    words('de|do|da|dos|das|os?|as|aos?|às|e|no|na|para|sobre|com|por|notas|conversor|lista|página'),
    words(
      'uma?|noss[oa]s?|onde|até|colunas|enquete|contagem|escolher|quero|preciso|crie|criar|faça|com|meus?|minhas?|não|em|tarefas|jogo|despesas|receitas|casamento|formulário|quadro|desenho|fatura|calculadora|temporizador|cronômetro|compras|relógio|faturas|gerador|afazeres|portef[óo]lio|currículo|aplicativo|\\p{L}*(?:ção|ções|ão|ões)|em português',
    ),
  ],
};
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  zh: /\p{Script=Han}/u,
  ko: /\p{Script=Hangul}/u,
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  ru: /\p{Script=Cyrillic}/u,
};

/** Returns the BCP 47 tag of the language that a prompt is written in; English in case of doubt. */
function readLanguage(text: string): string {
  const script = Object.entries(SCRIPTS).find(([, letters]) => letters.test(text));
  if (script && !/[a-z]{3}/i.test(text)) return script[0];
  const count = (signs: RegExp) => text.match(signs)?.length ?? 0;
  const scored = LANGUAGES.map((language) => {
    const [common, own] = SIGNS[language];
    return { language, score: count(common) + 2 * count(own) };
  });
  const [best, english] = [scored.reduce((a, b) => (b.score > a.score ? b : a)), scored[0]];
  return best.score >= 2 && best.score > (english?.score ?? 0) ? best.language : 'en';
}

const INTERFACES =
  '(?:(?:simple|small|modern|dark|web|pomodoro|countdown|shopping|mobile) )*(?:(?:web ?)?apps?|to-?dos?|timers?|calculator|notes?|kanban|lists?|(?:contact )?forms?|(?:landing ?|web ?)?pages?|website|interface|ui|version|language|labels|portfolio|dashboard|board|checklist)';
/** The language is then what the project teaches, not that of its interface. */
const TEACHES =
  /(?<!\p{L})(?:flash ?-?cards?|vocab\p{L}*|vokabel\p{L}*|karteikarten|learn\p{L}*|lern\p{L}*|apprend\p{L}*|aprend\p{L}*|practi[cs]\p{L}*|verbs?|verbos|translat\p{L}*|words?|phrases)(?!\p{L})/iu;

/**
 * Reads a language that the interface must have: "a German to-do app", "a timer in French". "A Spanish restaurant" and
 * "Spanish flash cards" name a topic.
 * @returns the language and the prompt without it, or undefined if the prompt names none
 */
function readInterface(text: string): { readonly lang: Language; readonly request: string } | undefined {
  if (TEACHES.test(text)) return undefined;
  for (const lang of LANGUAGES) {
    const stated = `(?:,? (?:in|auf|en|em)) (?:${LANGUAGE_NAMES[lang]})(?=\\s*$|[.,;:!?\\n]| (?:with|and|for|please|called|mit|und|für|con|para|y|avec|pour|com|e)(?!\\p{L}))`;
    const before = `(?<!\\p{L})(?:${LANGUAGE_NAMES[lang]})(?:-language)? (?=${INTERFACES}(?!\\p{L}))`;
    const found = new RegExp(`${stated}|${before}`, 'iu').exec(text);
    if (found) return { lang, request: text.replace(found[0], '') };
  }
  return undefined;
}
