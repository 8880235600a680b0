const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds until a card of each box is due again: three boxes, as Leitner's but for one day, three days and a week. */
const PAUSES = [DAY, 3 * DAY, 7 * DAY];

/** A card that was never known: it is in the first box, and due. */
export const newCard = ({ front, back }) => ({ front, back, box: 1, due: 0 });

export const isDue = (card, now) => card.due <= now;

/** Returns the card after an answer: known, it waits and moves a box up; otherwise it is due again, in the first box. */
export const answered = (card, known, now) =>
  known ? { ...card, box: Math.min(card.box + 1, PAUSES.length), due: now + PAUSES[card.box - 1] } : { ...card, box: 1, due: now };

/** Returns the due card that waits longest, or undefined. */
export const nextCard = (cards, now) => cards.filter((card) => isDue(card, now)).sort((a, b) => a.due - b.due)[0];
