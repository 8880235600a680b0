/** The placeholder texts of a landing page; `{name}` stands for the title of the page. */
export interface Copy {
  /** A regular expression source: prompts that mention it get this copy. */
  readonly about: string;
  readonly headline: string;
  readonly lede: string;
  readonly action: string;
  readonly features: readonly (readonly [name: string, text: string])[];
  readonly steps: readonly (readonly [name: string, text: string])[];
}

const FOOD: Copy = {
  about:
    'coffee|café|cafe|restaurants?|bakery|bistro|bar|pizzeria|pizza|food truck|brewery|tea|bäckerei|catering|cupcakes?',
  headline: 'Good things, made fresh, around the corner.',
  lede: 'We start early, use few ingredients and know where each of them comes from. Come in, sit down, or take it with you.',
  action: 'Plan your visit',
  features: [
    ['Made here', 'From the dough to the last garnish, everything is prepared in our own kitchen.'],
    ['From nearby', 'Most of what we use comes from producers we know by their first names.'],
    ['Room for you', 'A long table, quiet corners and a terrace when the sun is out.'],
  ],
  steps: [
    ['Drop by', 'No reservation is needed on weekdays. On weekends it helps to write ahead.'],
    ['Pick something', 'The board changes with the season; ask what came out of the oven last.'],
    ['Stay a while', 'There are newspapers, good chairs, and water on the house.'],
  ],
};

const FITNESS: Copy = {
  about: 'gym|fitness|yoga|pilates|workouts?|personal trainer|sports?|running|crossfit|martial arts|dance',
  headline: 'Stronger in small, steady steps.',
  lede: 'Training that fits into a real week, with people who notice when you are there and when you are not.',
  action: 'Book a first session',
  features: [
    ['Small groups', 'Never more than eight people, so that somebody always sees how you move.'],
    ['Plans that adapt', 'Your programme changes with your week, your sleep and what hurts today.'],
    ['Open early and late', 'Before work, after work, and on Sundays without a rush.'],
  ],
  steps: [
    ['Say hello', 'Tell us what you would like to be able to do, and what has kept you from it.'],
    ['Try a session', 'The first one costs nothing but comfortable clothes.'],
    ['Find your rhythm', 'Choose the days that suit you and change them whenever life does.'],
  ],
};

const EVENT: Copy = {
  about:
    'events?|conference|festival|wedding|meetup|workshop|concert|hackathon|party|invitation|hochzeit|boda|mariage',
  headline: 'Save the day. You will want to be there.',
  lede: 'One place, good company and a programme worth leaving the house for. Here is everything you need to know.',
  action: 'Tell us you are coming',
  features: [
    ['A full day', 'Doors open in the morning; the last conversations end when they end.'],
    ['Easy to reach', 'A short walk from the station, with room for bicycles and a few cars.'],
    ['For everyone', 'Step-free access, quiet rooms, and food for every diet.'],
  ],
  steps: [
    ['Arrive', 'Coffee, name tags and the first familiar faces.'],
    ['Take part', 'The main programme, with breaks that are long enough to talk.'],
    ['Celebrate', 'Dinner, music, and a late train home.'],
  ],
};

const STUDIO: Copy = {
  about:
    'agency|studio|freelancers?|consult(?:ing|ants?|ancy)|law(?:yers?)? firm|architects?|designers?|marketing',
  headline: 'Clear thinking, made visible.',
  lede: 'We are a small team that listens first, works in the open and stays until it holds.',
  action: 'Start a conversation',
  features: [
    ['Senior people only', 'Whoever you meet in the first talk is who does the work.'],
    ['Work in the open', 'You see every draft the week it is made, and decide with us what comes next.'],
    ['Fixed scope', 'One page says what you get, when, and for how much.'],
  ],
  steps: [
    ['Listen', 'An hour on the phone: what is the problem, and for whom?'],
    ['Sketch', 'Three directions in a week, none of them polished, all of them honest.'],
    ['Build', 'We finish one together and hand over everything it is made of.'],
  ],
};

const SHOP: Copy = {
  about:
    'shop|store|boutique|jewel(?:le)?ry|clothing|fashion|sneakers|furniture|candles?|flowers?|florist|plants?|e-?commerce|handmade',
  headline: 'Fewer things. Better made.',
  lede: 'A small collection, chosen piece by piece: made to be used every day and mended when it needs to be.',
  action: 'Ask for a piece',
  features: [
    ['Made in small runs', 'Each piece is made by hand, in batches small enough to check every one.'],
    ['Built to last', 'Honest materials, spare parts, and a repair service for as long as we exist.'],
    ['Easy to return', 'Thirty days to change your mind, no questions and no forms.'],
  ],
  steps: [
    ['Choose', 'Look around, ask what you like, and take your time.'],
    ['Wait a little', 'We pack within two days, without plastic.'],
    ['Keep it', 'Use it daily. When it breaks, send it back and we mend it.'],
  ],
};

const CAUSE: Copy = {
  about: 'non-?profit|charity|shelter|volunteers?|foundation|church|community|association|climate|verein|ngo',
  headline: 'Small hands, many of them.',
  lede: 'We do one thing that matters in one place we know. Join for an hour, or for years.',
  action: 'Lend a hand',
  features: [
    ['Close by', 'Everything happens where we live, with people you can meet.'],
    ['In the open', 'Every month we publish what came in and where it went.'],
    ['Room for everyone', 'There is something to do for two hands, one hour, or one good idea.'],
  ],
  steps: [
    ['Come and see', 'We meet every first Saturday. Bring nothing.'],
    ['Find your part', 'Drive, cook, call, count, carry: it all helps.'],
    ['Stay in touch', 'One letter a month, and never a word more.'],
  ],
};

const LEARNING: Copy = {
  about:
    'courses?|school|tutor(?:ing|s)?|lessons?|academy|bootcamp|university|kindergarten|daycare|learning|language',
  headline: 'Learn it properly, at your own pace.',
  lede: 'Short lessons, real exercises and a person who answers. Begin where you are and go as far as you like.',
  action: 'Try a first lesson',
  features: [
    ['One step at a time', 'Every lesson takes twenty minutes and ends with something you can do.'],
    ['Practice first', 'You spend your time on exercises, with hints when you need them.'],
    ['People who answer', 'Ask anything; a teacher replies within a day.'],
  ],
  steps: [
    ['Find your level', 'Ten questions show where to begin.'],
    ['Follow the path', 'Each lesson builds on the last; skip what you already know.'],
    ['Make something', 'The course ends with a piece of work of your own.'],
  ],
};

const TRAVEL: Copy = {
  about:
    'travel|hotels?|hostel|bed and breakfast|tours?|trips?|vacation|holiday|camping|guesthouse|surf|hiking|cruise',
  headline: 'Somewhere quiet is waiting for you.',
  lede: 'Good beds, long walks and hosts who know which path has the view. Stay for a night or for the season.',
  action: 'Ask for a date',
  features: [
    ['Rooms with a view', 'Wake up to the mountains, the sea, or simply to nobody.'],
    ['Guides who live here', 'They know the weather, the shortcuts and where to eat.'],
    ['Easy on the land', 'Small groups, trains where there are trains, and clean water left clean.'],
  ],
  steps: [
    ['Pick your days', 'Write to us with a month in mind; we answer with what is free.'],
    ['Travel light', 'We lend boots, coats and bicycles.'],
    ['Arrive', 'Somebody meets you at the station, with a name sign and a snack.'],
  ],
};

/** For software, and for every prompt that names no trade. */
export const PRODUCT: Copy = {
  about: 'apps?|software|saas|startup|product|platform|tool',
  headline: '{name} gives you the day back.',
  lede: 'It takes one thing off your mind and does it well: quick to start, quiet while it runs, and yours to leave at any time.',
  action: 'Get in touch',
  features: [
    ['Ready in a minute', 'No installation, no manual. Open it and the first thing works.'],
    ['Out of the way', 'It speaks up when something needs you, and is silent when nothing does.'],
    ['Yours to keep', 'Your data stays in formats that other tools can read.'],
  ],
  steps: [
    ['Open it', 'Everything you need for a first result is on one screen.'],
    ['Make it fit', 'Change names, colours and limits until it feels like yours.'],
    ['Share it', 'Invite the people who should see it, and nobody else.'],
  ],
};

/** The first one that a prompt mentions is used. */
export const COPY: readonly Copy[] = [FOOD, FITNESS, EVENT, STUDIO, SHOP, CAUSE, LEARNING, TRAVEL, PRODUCT];
