// The package has types for its other file only, whose source is twice as long.
declare module 'axe-core/axe.min.js' {
  export { default } from 'axe-core';
}
