import { texts } from './texts.js';

/** Words or emoji in place of the drawings below. */
const OWN = '{{faces}}';

/** Drawings of 24 by 24 units, each with its colour. */
const DRAWINGS = {
  sun: ['#d97706', 'M12 7a5 5 0 1 1 0 10a5 5 0 0 1 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM3.5 5l1.5-1.5 2.8 2.8-1.5 1.500zM16.2 17.700l1.5-1.5 2.8 2.8-1.5 1.500zM19 3.500l1.5 1.5-2.8 2.8-1.5-1.500zM6.3 16.200l1.5 1.500L5 20.5 3.5 19z'],
  moon: ['#6366f1', 'M14 2a10 10 0 1 0 8 14A9 9 0 0 1 14 2z'],
  star: ['#ca8a04', 'M12 1.500l3.2 6.9 7.5.9-5.6 5.1 1.5 7.400L12 18.100l-6.6 3.7 1.5-7.400L1.3 9.300l7.5-.9z'],
  heart: ['#dc2626', 'M12 21C5 16 1.5 12.5 1.5 8a5.5 5.5 0 0 1 10.5-2.300A5.5 5.5 0 0 1 22.5 8c0 4.5-3.5 8-10.5 13z'],
  leaf: ['#16a34a', 'M21 3C9 3 3 8 3 15c0 1.5.3 2.8.8 4L11 12l1 1-7 7.300c1.5.7 3 .7 4 .7 9 0 12-8 12-18z'],
  drop: ['#0284c7', 'M12 1.500c4 5.5 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7.5 7-13z'],
  cloud: ['#64748b', 'M7 20a5.5 5.5 0 0 1-.6-11A7 7 0 0 1 19.5 10.6 4.8 4.8 0 0 1 18.5 20z'],
  bolt: ['#ea580c', 'M14 1L3.5 14H11l-1.5 9L20.5 9.500H13z'],
  house: ['#b45309', 'M12 2L1.5 11.500H4V22h6v-7h4v7h6V11.500h2.500z'],
  fish: ['#0891b2', 'M1.5 12C4 7.5 8 6 11 6c3.5 0 6 2 7.5 4L23 6.500v11L18.5 14c-1.5 2-4 4-7.5 4-3 0-7-1.5-9.5-6zM7 9.500a1.3 1.3 0 1 0 0 2.600a1.3 1.3 0 0 0 0-2.600z'],
  boat: ['#be123c', 'M11 2v13H2.500zM13 5l8 10h-8zM1.5 17h21l-3.5 5H5z'],
  tree: ['#15803d', 'M12 1l6 8h-3l5 6h-3l4 4.500h-7.500V23h-3v-3.500H3L7 15H4l5-6H6z'],
  flower: ['#c026d3', 'M12 9a3 3 0 1 1 0 6a3 3 0 0 1 0-6zM12 1a4 4 0 0 1 4 6.500h-8A4 4 0 0 1 12 1zM12 23a4 4 0 0 0 4-6.500H8A4 4 0 0 0 12 23zM1 12a4 4 0 0 0 6.5 4V8A4 4 0 0 0 1 12zM23 12a4 4 0 0 1-6.5 4V8A4 4 0 0 1 23 12z'],
  cup: ['#7c2d12', 'M2 6h15v2h2a4 4 0 0 1 0 9h-2.500A7 7 0 0 1 10 21H9a7 7 0 0 1-7-7zM17 10v5h2a2.5 2.5 0 0 0 0-5z'],
  key: ['#a16207', 'M7 6a6 6 0 0 1 5.7 4.200H23v3.600h-2V17h-3.500v-3.200h-4.800A6 6 0 1 1 7 6zM7 10a2 2 0 1 0 0 4a2 2 0 0 0 0-4z'],
  bell: ['#ca8a04', 'M12 1.500c1 0 1.5.8 1.5 1.700A7 7 0 0 1 19 10v6l2 3H3l2-3v-6a7 7 0 0 1 5.5-6.800c0-.9.5-1.7 1.5-1.700zM9 20.500h6a3 3 0 0 1-6 0z'],
  note: ['#7c3aed', 'M8 3l13-2v15.500a3.5 3 0 1 1-2.5-2.900V6.500L10.5 8v11a3.5 3 0 1 1-2.5-2.900z'],
  crown: ['#b8860b', 'M2 6l5 5 5-8 5 8 5-5-2 12H4zM4 20h16v2H4z'],
};

/** Systems without emoji draw all of them as the same box. */
function canDraw(faces) {
  const context = new OffscreenCanvas(16, 16).getContext('2d', { willReadFrequently: true });
  const pixels = faces.slice(0, 2).map((face) => {
    context.clearRect(0, 0, 16, 16);
    context.fillText(face, 0, 12);
    return context.getImageData(0, 0, 16, 16).data.join();
  });
  return pixels[0] !== pixels[1];
}

/** The faces: what a screen reader says, and either a text or a drawing with its colour. */
export const faces =
  OWN.length >= 2 && canDraw(OWN)
    ? OWN.map((text) => ({ name: text, text }))
    : Object.entries(DRAWINGS).map(([id, [color, path]]) => ({ name: texts[id], color, path }));
