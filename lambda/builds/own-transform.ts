import type { InputOptions } from 'rolldown';
import { dependencyNames } from '../sites/source/kind.ts';
import type { BuildContext } from './context.ts';
import { textOf } from './files.ts';
import { TARGETS } from './rolldown-options.ts';

/** What `useDefineForClassFields: false` means. */
const ASSIGNED_FIELDS = {
  assumptions: { setPublicClassFields: true },
  typescript: { removeClassFieldsWithoutInitializer: true },
};

/** Returns how scripts of the project are compiled. */
export function transformOptions({ config, project }: BuildContext): NonNullable<InputOptions['transform']> {
  const { jsx, jsxImportSource, jsxFactory, jsxFragmentFactory, useDefineForClassFields } = config.jsx;
  const isClassic = jsx === 'react';
  return {
    target: [...TARGETS],
    // TypeScript's decorators; browsers have no others yet.
    decorator: { legacy: true },
    ...(useDefineForClassFields === false ? ASSIGNED_FIELDS : {}),
    jsx: isClassic
      ? {
          runtime: 'classic',
          ...(jsxFactory === undefined ? {} : { pragma: jsxFactory }),
          ...(jsxFragmentFactory === undefined ? {} : { pragmaFrag: jsxFragmentFactory }),
        }
      : { runtime: 'automatic', importSource: jsxImportSource ?? jsxPackage(project) },
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env': '{}',
      'import.meta.hot': 'undefined',
      ...Object.fromEntries(config.define),
    },
  };
}

/** Returns the package whose JSX a project uses without saying so in tsconfig.json. */
function jsxPackage(project: BuildContext['project']): string {
  const names = dependencyNames(textOf(project, 'package.json') ?? '');
  return names.includes('preact') && !names.includes('react') ? 'preact' : 'react';
}
