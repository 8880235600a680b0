import { pageLayers } from '../../kit/kinds.ts';
import { readList, splitList } from '../../kit/lists.ts';
import { capitalize, titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind, Values } from '../../kit/types.ts';

const WORD = 'recipes?|rezepte?|recetas?|recettes?|receitas?';
const DISHES = `${WORD}|dishes|gerichte|platos|plats|pratos`;
const SINGULAR = /(?<!\p{L})(?:recipe|rezept|receta|recette|receita)(?!\p{L})( d[eao] | d['’])?/iu;
const INGREDIENTS = /ingredient|zutaten|ingrédient/i;
const COLLECTION = /book|site|box|collection|app|sammlung|buch|libro|livro|livre|carnet|recetario/i;
/** The dishes that the samples are recipes for. */
const SAMPLES = [
  /pancake|pfannkuchen|crêpe|crepe|tortita|panqueca/i,
  /tomat\p{L}*[- ]?s|s[ou]p[ae] d[eo]s? tomat/iu,
  /lentil|linsen|lentej|lentilh/i,
];
const SERVES =
  /(?:for|serves|für|para|pour) (\d{1,2})(?!\d)|(?<!\d)(\d{1,2}) (?:servings|people|portion|raciones|parts|porções)/i;

/** The dishes that a prompt lists: "recipes: goulash, dumplings" or "my grandma's recipes for the week: goulash, dumplings". */
function readDishes(text: string): string[] {
  const listed = readList(text, DISHES);
  const later = new RegExp(`(?<!\\p{L})(?:${DISHES})(?!\\p{L})[^.:\\n]{0,40}: ([^.\\n]+)`, 'iu').exec(text)?.[1];
  return listed.length > 0 ? listed : splitList(INGREDIENTS.test(text) ? '' : (later ?? ''));
}

/** The dish of a prompt for one recipe: "pancakes" of "a recipe for pancakes", "lasagna" of "a lasagna recipe". */
function readDish({ head, topic }: Brief): string {
  const [word = '', de = ''] = SINGULAR.exec(head) ?? [];
  if (!word || COLLECTION.test(head)) return '';
  const beside = de ? head.slice(head.indexOf(word) + word.length) : head.replace(word, ' ');
  return beside.trim() || topic;
}

/** A sample as a recipe; texts.json holds its name, tags, ingredients and steps in one text. */
function sample(id: string, text: string): Values {
  const [name = '', tags = '', ingredients = '', steps = ''] = text.split('|');
  const lists = { tags: tags.split(', '), ingredients: ingredients.split('; '), steps: steps.split('; ') };
  return { id, name, serves: 4, ...lists, sample: true };
}

export const recipes: Kind<'recipes' | 'lede' | 'sample0' | 'sample1' | 'sample2'> = {
  name: 'recipes',
  layers: pageLayers('recipes', ['storage', 'texts', 'dom', 'article'], 'recipes/tests'),
  accent: '#a3431f',
  words: [
    [`(?:${WORD})(?: (?:book|box|site|website|app|collection))?|rezept\\p{L}+|kochbuch|recetario|cook ?book`, 7],
    ['cooking|dishes|kochen|cocina|cuisine|culinária', 3],
  ],
  values(brief, texts) {
    const listed = readDishes(brief.text).map(capitalize);
    const only = listed.length === 0 ? capitalize(readDish(brief)) : '';
    const dishes = only ? [only] : listed;
    const [, before = '', after = ''] = SERVES.exec(brief.text) ?? [];
    const own = {
      tags: [],
      ingredients: readList(brief.text, 'ingredients|zutaten|ingredientes|ingrédients'),
      steps: readList(brief.text, 'steps|directions|instructions|schritte|pasos|étapes|passos'),
    };
    const samples = [texts.sample0, texts.sample1, texts.sample2].map((text, at) => sample(`sample-${at}`, text));
    const named = dishes.map((name, at): Values => {
      const known = own.ingredients.length > 0 ? -1 : SAMPLES.findIndex((pattern) => pattern.test(name));
      const serves = Number(before || after) || 4;
      const lists = at === 0 ? own : { tags: [], ingredients: [], steps: [] };
      return known < 0 ? { id: `recipe-${at}`, name, serves, ...lists } : { ...samples[known], name };
    });
    const others = samples.filter(({ id }) => !named.some((one) => one.id === id));
    const title = brief.name || only || titleOf(brief, new RegExp(WORD, 'i'), texts.recipes);
    return {
      title,
      description: texts.lede,
      icon: 'M9 6v6a3 3 0 0 0 6 0V6M12 6v20M22 26V6c-3 2-4 6-4 10h4',
      firstRecipes: [...named, ...others.slice(0, Math.max(0, 3 - named.length))],
      sources: [
        { path: 'recipes.css', contents: 'the styles of lists and recipes' },
        { path: 'src/recipes.js', contents: 'the recipes of a first visit, and their changes' },
        { path: 'src/scale.js', contents: 'multiplies the amount of an ingredient' },
        { path: 'src/main.js', contents: 'draws the page and handles input' },
        { path: 'src/store.js', contents: 'stores recipes and ticks in the browser' },
        { path: 'src/texts.js', contents: 'the texts of the page' },
      ],
      advice: 'Recipes that are marked as samples are there to try the page. Edit or delete them.',
    };
  },
};
