/** The categories of some projects, each once, in the order in which they appear. */
export const categoriesOf = (projects) => [...new Set(projects.map(({ category }) => category))];

/** The index some steps further in a list that begins again at its end. */
export const neighbour = (index, step, length) => (index + step + length) % length;
