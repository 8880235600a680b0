import { load, save } from './store.js';

/** The recipes of a first visit. */
const firstRecipes = '{{firstRecipes}}';

let recipes = load('recipes', firstRecipes);

export const all = () => recipes;

/** Adds a recipe, or replaces the one with its id. */
export function put(recipe) {
  const known = recipes.some(({ id }) => id === recipe.id);
  recipes = known ? recipes.map((old) => (old.id === recipe.id ? recipe : old)) : [recipe, ...recipes];
  save('recipes', recipes);
}

export function remove(id) {
  recipes = recipes.filter((recipe) => recipe.id !== id);
  save('recipes', recipes);
}
