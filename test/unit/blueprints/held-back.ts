/**
 * A prompt as a person writes it, and what a good project for it contains. It was written before the code that reads it, so that
 * the result is not tuned to it.
 */
export interface HeldBack {
  readonly prompt: string;
  /** By default, a starter must fit. `either`: none is as good as one that holds everything below. `none`: no starter fits. */
  readonly fits?: 'either' | 'none';
  /** Texts that stand on their own in the project, such as a column or a person: an entry, not a part of a sentence. */
  readonly entries?: readonly string[];
  /** Texts, or alternatives separated by `|`, that appear anywhere. */
  readonly mentions?: readonly string[];
  /** How many of these the project has. */
  readonly pages?: number;
  readonly players?: number;
  readonly pairs?: number;
  /** Texts, or alternatives separated by `|`, that must not appear. */
  readonly without?: readonly string[];
}

const SALE = 'pricing|per month|pro Monat|al mes|par mois|por mês|€|\\$\\d|add to cart|buy now|testimonial';

export const HELD_BACK: readonly HeldBack[] = [
  // English
  {
    prompt:
      'A kanban for our kitchen renovation with the columns Ideas, Ordered, Being installed and Done, I want to drag cards between them',
    entries: ['Ideas', 'Ordered', 'Being installed', 'Done'],
    mentions: ['kitchen renovation'],
  },
  {
    prompt: 'habit tracker for me: drink water, 10 push-ups, read before bed. should show my streaks',
    entries: ['drink water', '10 push-ups', 'read before bed'],
  },
  {
    prompt: "Invitation page for Grandpa Joe's 80th birthday on Saturday 14 November at the Old Mill in Bakewell",
    fits: 'either',
    mentions: ['Grandpa Joe', '14 November|November 14|month: 11, day: 14', 'Old Mill', 'Bakewell'],
    without: [SALE],
  },
  {
    prompt: 'countdown to our move to Lisbon on 3 March 2027',
    mentions: ['Lisbon', '2027-03-03|3 March 2027|March 3, 2027|year: 2027, month: 3, day: 3,'],
  },
  {
    prompt: 'A quiz about the planets with ten questions for my third graders',
    fits: 'either',
    mentions: ['planets', 'Jupiter'],
  },
  {
    prompt: 'Split expenses between Anna, Ben, Chloe and Dan for our ski trip',
    entries: ['Anna', 'Ben', 'Chloe', 'Dan'],
    mentions: ['ski trip'],
  },
  {
    prompt: 'scoreboard for four players, Mum, Dad, Ella and Theo, first to 500 wins',
    fits: 'either',
    entries: ['Mum', 'Dad', 'Ella', 'Theo'],
    mentions: ['500'],
  },
  { prompt: 'an android app that reads my blood glucose sensor over bluetooth', fits: 'none' },
  // German
  {
    prompt: 'Ein Board mit den Spalten Offen, In Arbeit, Wartet und Erledigt, auf dem ich Karten verschieben kann',
    entries: ['Offen', 'In Arbeit', 'Wartet', 'Erledigt'],
  },
  {
    prompt: 'Packliste für Schweden: Zelt, Schlafsack, Mückenspray, Regenjacke und Campingkocher zum Abhaken',
    entries: ['Zelt', 'Schlafsack', 'Mückenspray', 'Regenjacke', 'Campingkocher'],
    mentions: ['Schweden'],
  },
  {
    prompt: 'Eine Seite für unsere Hochzeit, Jana und Felix, am 20. Juni 2027 auf Gut Hohenholz',
    fits: 'either',
    mentions: ['Jana', 'Felix', '20. Juni 2027|year: 2027, month: 6, day: 20', 'Gut Hohenholz'],
    without: [SALE],
  },
  {
    prompt: 'Putzplan für unsere WG mit Mira, Tobi und Sven: Bad, Küche, Müll und Flur',
    fits: 'either',
    entries: ['Mira', 'Tobi', 'Sven', 'Bad', 'Küche', 'Müll', 'Flur'],
  },
  { prompt: 'Webseite für meine Tischlerei in Freiburg', mentions: ['Tischlerei', 'Freiburg'], without: ['pro Monat'] },
  {
    prompt: 'Karteikarten für Französisch: maison - Haus, chien - Hund, pain - Brot',
    entries: ['maison', 'Haus', 'chien', 'Hund', 'pain', 'Brot'],
  },
  {
    prompt: 'Umfrage, wohin der Betriebsausflug geht: Harz, Hamburg oder Spreewald',
    entries: ['Harz', 'Hamburg', 'Spreewald'],
  },
  { prompt: 'Tic Tac Toe für zwei Spieler, Opa und Lina', fits: 'either', entries: ['Opa', 'Lina'] },
  // Spanish
  {
    prompt: 'tablero para la mudanza con columnas Pendiente, Haciendo y Hecho para mover tarjetas',
    entries: ['Pendiente', 'Haciendo', 'Hecho'],
    mentions: ['mudanza'],
  },
  {
    prompt: 'Quiero una web para mi peluquería en Valencia, se llama Rizos',
    mentions: ['Rizos', 'peluquería', 'Valencia'],
    without: ['al mes'],
  },
  {
    prompt: 'control de gastos con las categorías comida, alquiler, transporte y ocio',
    entries: ['comida', 'alquiler', 'transporte', 'ocio'],
  },
  {
    prompt: 'cuenta atrás para el nacimiento de Mateo el 18 de abril de 2027',
    mentions: ['Mateo', '2027-04-18|18 de abril de 2027|year: 2027, month: 4, day: 18'],
  },
  {
    prompt: 'lista de la compra: leche, huevos, tomates y papel de cocina',
    entries: ['leche', 'huevos', 'tomates', 'papel de cocina'],
  },
  {
    prompt: 'Formulario de inscripción en tres pasos para el campamento de verano',
    mentions: ['campamento de verano'],
    pages: 3,
  },
  { prompt: 'el juego de la serpiente pero con dos jugadores', fits: 'either', players: 2 },
  {
    prompt: 'página para la fiesta de jubilación de Carmen, viernes 12 de marzo a las 20 h en el restaurante Casa Paco',
    fits: 'either',
    mentions: ['Carmen', '12 de marzo|month: 3, day: 12', 'Casa Paco', '20 h|20:00|hour: 20'],
    without: [SALE],
  },
  // French
  { prompt: 'une page pour ma fromagerie à Annecy', mentions: ['fromagerie', 'Annecy'], without: ['par mois'] },
  {
    prompt: 'Un tableau avec les colonnes À faire, En cours et Terminé où je déplace des cartes',
    entries: ['À faire', 'En cours', 'Terminé'],
  },
  {
    prompt: "suivi d'habitudes avec séries : yoga, pas de sucre, 8 verres d'eau",
    entries: ['yoga', 'pas de sucre', "8 verres d'eau"],
  },
  {
    prompt: 'faire-part pour la naissance de Louise, née le 4 octobre 2026 à Nantes',
    fits: 'either',
    mentions: ['Louise', '4 octobre 2026|year: 2026, month: 10, day: 4', 'Nantes'],
    without: [SALE],
  },
  {
    prompt: 'Un emploi du temps pour la semaine : lundi maths, mardi piscine, jeudi piano',
    fits: 'either',
    mentions: ['maths', 'piscine', 'piano'],
  },
  {
    prompt: 'partager les frais entre Karim, Élodie et Paul pour nos vacances en Corse',
    entries: ['Karim', 'Élodie', 'Paul'],
    mentions: ['Corse'],
  },
  { prompt: "un jeu de memory avec 12 paires d'animaux", pairs: 12 },
  { prompt: 'minuteur pomodoro de 50 minutes avec 10 minutes de pause', mentions: ['50', '10'] },
  // Portuguese
  {
    prompt: 'Um quadro com as colunas Backlog, Fazendo, Revisão e Pronto para arrastar cartões',
    entries: ['Backlog', 'Fazendo', 'Revisão', 'Pronto'],
  },
  {
    prompt: 'página para o batizado da Sofia, 10 de janeiro de 2027, na Igreja de São Bento, Porto',
    fits: 'either',
    mentions: ['Sofia', '10 de janeiro de 2027|year: 2027, month: 1, day: 10', 'Igreja de São Bento', 'Porto'],
    without: [SALE],
  },
  {
    prompt: 'Site para o meu café em Coimbra, o Café da Sé, com horários',
    mentions: ['Café da Sé', 'Coimbra'],
    without: ['por mês'],
  },
  { prompt: 'rastreador de hábitos: caminhar, ler, dormir cedo', entries: ['caminhar', 'ler', 'dormir cedo'] },
  { prompt: 'enquete para escolher o jantar: pizza, sushi ou feijoada', entries: ['pizza', 'sushi', 'feijoada'] },
  {
    prompt: 'contagem regressiva para o show do Caetano em Salvador em 31/12/2026',
    mentions: ['Caetano', '2026-12-31|31/12/2026|31 de dezembro de 2026|year: 2026, month: 12, day: 31'],
  },
  {
    prompt: 'Formulário de contato com nome, e-mail, telefone e mensagem',
    entries: ['nome', 'e-mail', 'telefone', 'mensagem'],
  },
  { prompt: 'um servidor de minecraft para mim e meus amigos', fits: 'none' },
  // Of all languages, measured once after the others
  {
    prompt: 'Need a simple board for my thesis: Reading, Writing, Feedback, Finished. drag cards around',
    entries: ['Reading', 'Writing', 'Feedback', 'Finished'],
  },
  {
    prompt:
      "we want a web page for our daughter Emily's graduation party, June 6th 2027, 2pm, at Riverside Park in Portland",
    fits: 'either',
    mentions: ['Emily', 'year: 2027, month: 6, day: 6', 'Riverside Park', 'hour: 14'],
    without: [SALE],
  },
  { prompt: 'vote on the movie for Friday night: Alien, Up or Amélie', entries: ['Alien', 'Up', 'Amélie'] },
  {
    prompt: 'Gewohnheitstracker für Yoga, Vokabeln lernen und kein Handy im Bett',
    entries: ['Yoga', 'Vokabeln lernen', 'kein Handy im Bett'],
  },
  {
    prompt: 'Einladung zur Taufe von Johanna am 16.05.2027 um 10:30 Uhr in der Kirche St. Martin in Fulda',
    mentions: ['Johanna', 'year: 2027, month: 5, day: 16', 'Fulda', 'hour: 10'],
    without: [SALE],
  },
  {
    prompt: 'Anmeldung zum Volleyballturnier, Formular mit Teamname, Ansprechpartner, Telefon und E-Mail',
    entries: ['Teamname', 'Ansprechpartner', 'Telefon', 'E-Mail'],
  },
  {
    prompt: 'una lista para la maleta: bañador, crema solar, gafas de sol y pasaporte',
    entries: ['bañador', 'crema solar', 'gafas de sol', 'pasaporte'],
  },
  { prompt: 'web de mi panadería La Espiga en Toledo con horario', mentions: ['La Espiga', 'Toledo'], without: [SALE] },
  {
    prompt: 'invitación al cumpleaños de Hugo, cumple 7 el 22 de mayo a las 17:00 en el parque Bosquelandia',
    mentions: ['Hugo', 'month: 5, day: 22', 'Bosquelandia', 'hour: 17'],
    without: [SALE],
  },
  {
    prompt: 'compte à rebours avant la naissance de notre bébé le 9 avril 2027',
    mentions: ['naissance', 'year: 2027, month: 4, day: 9'],
  },
  {
    prompt: 'un carnet de dépenses pour le voyage avec hôtel, restaurants, essence et musées',
    entries: ['hôtel', 'restaurants', 'essence', 'musées'],
  },
  { prompt: 'un formulaire en quatre étapes pour adhérer au club de judo', pages: 4, mentions: ['judo'] },
  { prompt: 'quadro de tarefas da turma: A fazer, Fazendo, Feito', entries: ['A fazer', 'Fazendo', 'Feito'] },
  {
    prompt: 'página de homenagem ao meu avô Joaquim, falecido em 2024',
    fits: 'either',
    mentions: ['Joaquim'],
    without: [SALE, 'celebr', 'comemorar', 'Venha'],
  },
  { prompt: 'jogo de damas online para 2 jogadores com chat', fits: 'none' },
];
