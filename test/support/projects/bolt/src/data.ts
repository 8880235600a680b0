export interface Recipe {
  slug: string;
  name: string;
  minutes: number;
}

export const recipes: Recipe[] = [
  { slug: 'pumpkin-soup', name: 'Pumpkin soup', minutes: 40 },
  { slug: 'apple-pie', name: 'Apple pie', minutes: 75 },
];
