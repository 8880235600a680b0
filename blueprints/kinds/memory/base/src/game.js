/** One game of pairs: which cards lie where and which are open. Timing and drawing are elsewhere. */
export class Game {
  /** Cards by their place: the face, and whether they are found. */
  cards;
  moves = 0;
  #open = [];

  /** @param faces one value for each pair */
  constructor(faces) {
    this.cards = [...faces, ...faces].map((face) => ({ face, order: Math.random(), found: false }));
    this.cards.sort((a, b) => a.order - b.order);
  }

  get left() {
    return this.cards.filter(({ found }) => !found).length / 2;
  }

  isOpen(at) {
    return this.cards[at].found || this.#open.includes(at);
  }

  /** Whether two cards lie open that are not a pair. */
  get missed() {
    return this.#open.length === 2;
  }

  /** Turns a card over; two that are not a pair are turned back first. Returns whether that is possible. */
  turn(at) {
    if (this.missed) this.turnBack();
    if (this.isOpen(at)) return false;
    this.#open.push(at);
    if (this.#open.length < 2) return true;
    this.moves++;
    const [one, other] = this.#open.map((place) => this.cards[place]);
    if (one.face === other.face) {
      one.found = other.found = true;
      this.turnBack();
    }
    return true;
  }

  turnBack() {
    this.#open = [];
  }
}
