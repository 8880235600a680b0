import { LANGUAGES, type Language } from '../../kit/types.ts';

/** Words in the languages of interface texts, with the article where the language has one. */
const WORDS = `
hello | hallo | hola | bonjour | olá
thank you | danke | gracias | merci | obrigado
please | bitte | por favor | s’il te plaît | por favor
yes | ja | sí | oui | sim
the house | das Haus | la casa | la maison | a casa
the water | das Wasser | el agua | l’eau | a água
the bread | das Brot | el pan | le pain | o pão
the apple | der Apfel | la manzana | la pomme | a maçã
the dog | der Hund | el perro | le chien | o cachorro
the cat | die Katze | el gato | le chat | o gato
the book | das Buch | el libro | le livre | o livro
the friend | der Freund | el amigo | l’ami | o amigo
the day | der Tag | el día | le jour | o dia
the night | die Nacht | la noche | la nuit | a noite
the street | die Straße | la calle | la rue | a rua
to eat | essen | comer | manger | comer
to drink | trinken | beber | boire | beber
to sleep | schlafen | dormir | dormir | dormir
to speak | sprechen | hablar | parler | falar
big | groß | grande | grand | grande
red | rot | rojo | rouge | vermelho
today | heute | hoy | aujourd’hui | hoje
`;
/** Returns cards with a word of one language in front and its translation on the back. */
export const vocabulary = (learnt: Language, own: Language) =>
  WORDS.trim()
    .split('\n')
    .map((line) => line.split(' | '))
    .map((columns) => ({
      front: columns[LANGUAGES.indexOf(learnt)] ?? '',
      back: columns[LANGUAGES.indexOf(own)] ?? '',
    }));
