// The beginnings of what a prompt wants a project to do, in the languages of prompts, after a few words such as "a dark".
const FEATURES = [
  'users?|it|must|should|can|supports?|uses?|allow|add(?:ing|s)?|mark(?:ing|s)?|delet|edit|filter|sav(?:e|es|ing)|persist|stor(?:e|es|age)|responsive|dark|light|display|include|local ?storage|keyboard|drag|ability|option',
  'search|sort(?:ing|able)?|exports?|imports?|print(?:ing|able)|undo|history|stats|statisti|charts?|graphs?|reminder|notif|streak|progress|sounds?|animat|offline|mobile|login|priorit|tags?|labels?|categor|due dates?|deadlines?|calendar|scores?|high ?scores?|levels|leaderboard|buttons?|images|pictures|contact form|testimonials|pricing|totals?|colou?rs?|themes?|swim ?lanes|avatars|comments|attachments|swipe|touch|arrow keys|big|large|smooth|a (?:nice|clean|simple)',
  'such(?:e|funktion)|sortier|dunk(?:el|le)|hell(?:e[mnrs]?)?(?!\\p{L})|druck|statistik|diagramm|grafik|erinnerung|benachricht|fortschritt|farb|bilder|kategorien|serien|speicher|zähl|anzeig|punktestand|fälligkeit',
  'b[uú]s[qc]|ordena|oscur|exporta|imprimir|estad[ií]sti|gráfic|recordatori|notific|rachas?|progreso|colores|imágenes|etiquetas|prioridad|fechas|puntuaci|niveles|modo|guardar',
  'recherche|tri(?:er|able)?(?!\\p{L})|sombre|clair|graphi|rappels?|séries|progression|couleurs|étiquettes|échéance|niveaux|mode|sauvegard|enregistr',
  'pesquisa|escuro|claro|lembrete|sequências?|cores|etiquetas|prioridades|prazos?|pontua|níveis|salvar|gráfico',
].join('|');
const FEATURE = new RegExp(
  `^(?:an? |the |eine?[mnr]? |una? |une? |uma |\\p{L}+ (?=export|mode|theme|chart|graph|form))?(?:${FEATURES})`,
  'iu',
);

/** Whether an entry of a list, such as "users can filter tasks", asks for a feature: it is not an entry of the project. */
export const isFeature = (entry: string): boolean => FEATURE.test(entry);
