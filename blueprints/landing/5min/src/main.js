import { checkContact } from './contact.js';
import { followSections } from './sections.js';
import { offerSharing } from './share.js';

followSections([...document.querySelectorAll('.bar nav a')]);
offerSharing(document.getElementById('share'));

const form = document.querySelector('.part form');
if (form) checkContact(form);

// A link to a question opens it: …/#question-2
const target = document.getElementById(location.hash.slice(1));
if (target?.matches('details')) target.open = true;
