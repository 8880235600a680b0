/** One round: the shuffled questions, the answers and the score. */
export class Round {
  #questions;
  #given = [];

  constructor(questions) {
    this.#questions = shuffled(questions).map((entry) => ({
      ...entry,
      right: entry.answers[0],
      answers: shuffled(entry.answers),
    }));
  }

  get length() {
    return this.#questions.length;
  }

  get answered() {
    return this.#given.length;
  }

  get score() {
    return this.#given.filter((answer, index) => answer === this.#questions[index].right).length;
  }

  /** The question to answer now, or undefined when all are answered. */
  get current() {
    return this.#questions[this.answered];
  }

  /** Records an answer and returns whether it is right. */
  answer(text) {
    const { right } = this.current;
    this.#given.push(text);
    return text === right;
  }

  /** Every question with the given and the right answer, in the order of the round. */
  get all() {
    return this.#questions.map(({ question, right }, index) => ({ question, right, given: this.#given[index] }));
  }

  get mistakes() {
    return this.all.filter(({ right, given }) => given !== right);
  }
}

function shuffled(list) {
  const copy = [...list];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [copy[last], copy[other]] = [copy[other], copy[last]];
  }
  return copy;
}
