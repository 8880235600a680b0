/** The texts of the pages in place of private ones, by language. */
export const PRIVATE_TEXTS = {
  en: {
    title: 'Private page',
    password: 'Password',
    ask: 'This page is private. Enter its password to open it.',
    open: 'Open',
    wrong: 'This password is not right.',
    wait: 'Too many wrong passwords. Try again in five minutes.',
    link: 'This page is private. It opens with the link that its owner sends you; a link can also have expired.',
  },
  de: {
    title: 'Private Seite',
    password: 'Passwort',
    ask: 'Diese Seite ist privat. Geben Sie das Passwort ein, um sie zu öffnen.',
    open: 'Öffnen',
    wrong: 'Dieses Passwort ist nicht richtig.',
    wait: 'Zu viele falsche Passwörter. Versuchen Sie es in fünf Minuten noch einmal.',
    link: 'Diese Seite ist privat. Sie öffnet sich mit dem Link, den Sie vom Eigentümer bekommen; ein Link kann auch abgelaufen sein.',
  },
  es: {
    title: 'Página privada',
    password: 'Contraseña',
    ask: 'Esta página es privada. Introduzca la contraseña para abrirla.',
    open: 'Abrir',
    wrong: 'La contraseña no es correcta.',
    wait: 'Demasiadas contraseñas incorrectas. Vuelva a intentarlo en cinco minutos.',
    link: 'Esta página es privada. Se abre con el enlace que le envíe su propietario; un enlace también puede haber caducado.',
  },
  fr: {
    title: 'Page privée',
    password: 'Mot de passe',
    ask: 'Cette page est privée. Saisissez le mot de passe pour l’ouvrir.',
    open: 'Ouvrir',
    wrong: 'Ce mot de passe n’est pas correct.',
    wait: 'Trop de mots de passe incorrects. Réessayez dans cinq minutes.',
    link: 'Cette page est privée. Elle s’ouvre avec le lien que son propriétaire vous envoie ; un lien peut aussi avoir expiré.',
  },
  pt: {
    title: 'Página privada',
    password: 'Senha',
    ask: 'Esta página é privada. Digite a senha para abri-la.',
    open: 'Abrir',
    wrong: 'A senha não está correta.',
    wait: 'Muitas senhas incorretas. Tente novamente em cinco minutos.',
    link: 'Esta página é privada. Ela abre com o link que o proprietário enviar; um link também pode ter expirado.',
  },
} as const;

export const LANGUAGES = [
  'en',
  'de',
  'es',
  'fr',
  'pt',
] as const satisfies readonly (keyof typeof PRIVATE_TEXTS)[];
