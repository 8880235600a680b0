import type { Page } from 'playwright-core';

/** A small application that really uses a library. */
export interface Library {
  /** That its code imports. */
  readonly packages: readonly string[];
  /** Of the one component `src/App.tsx` of React, or the files of another project by path. */
  readonly app: string | Readonly<Record<string, string>>;
  readonly config?: string;
  readonly css?: string;
  /** What a person does, until the page shows that it worked. */
  readonly use: (page: Page) => Promise<unknown>;
}

const button = (page: Page, name: string) => page.getByRole('button', { name }).click();
const shown = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

/** By the name of the project. Templates and larger projects have a router, Tailwind, Radix and Recharts. */
export const LIBRARIES: Readonly<Record<string, Library>> = {
  'tanstack-router': {
    packages: ['@tanstack/react-router'],
    app: `
import { createRootRoute, createRoute, createRouter, Link, Outlet, RouterProvider } from '@tanstack/react-router';
const Layout = () => <><Link to="/">Home</Link> <Link to="/trees/$id" params={{ id: '7' }}>Tree 7</Link><Outlet /></>;
const root = createRootRoute({ component: Layout });
const home = createRoute({ getParentRoute: () => root, path: '/', component: () => <h1>Orchard</h1> });
const tree = createRoute({
  getParentRoute: () => root, path: '/trees/$id', loader: async ({ params }) => ({ title: 'Tree of ' + params.id }),
  component: () => <h1>{tree.useLoaderData().title}</h1>,
});
const router = createRouter({ routeTree: root.addChildren([home, tree]), defaultPreload: 'intent' });
declare module '@tanstack/react-router' { interface Register { router: typeof router } }
export default () => <RouterProvider router={router} />;`,
    use: async (page) => {
      await page.getByRole('link', { name: 'Tree 7' }).click();
      await shown(page, 'Tree of 7');
    },
  },
  'react-router-7': {
    packages: ['react-router'],
    app: `
import { lazy, Suspense } from 'react';
import { BrowserRouter, NavLink, Outlet, Route, Routes, useParams, useSearchParams } from 'react-router';
const Late = lazy(async () => ({ default: () => <h2>Late {useParams().id} {useSearchParams()[0].get('q')}</h2> }));
const Layout = () => <><nav><NavLink to="/" end>Home</NavLink> <NavLink to="/late/3?q=x">Late</NavLink></nav><Outlet /></>;
export default () => (
  <BrowserRouter><Suspense fallback="…"><Routes><Route element={<Layout />}>
    <Route index element={<h1>Home page</h1>} /><Route path="late/:id" element={<Late />} /><Route path="*" element="Nowhere" />
  </Route></Routes></Suspense></BrowserRouter>
);`,
    use: async (page) => {
      await page.getByRole('link', { name: 'Late' }).click();
      await shown(page, 'Late 3 x');
    },
  },
  zustand: {
    packages: ['zustand'],
    app: `
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
interface Pears { count: number; add(): void }
const usePears = create<Pears>()(persist(
  (set) => ({ count: 0, add: () => set(({ count }) => ({ count: count + 1 })) }), { name: 'pears' }));
export default () => { const { count, add } = usePears(); return <button onClick={add}>Add to {count}</button>; };`,
    use: async (page) => {
      await button(page, 'Add to 0');
      await page.reload();
      await shown(page, 'Add to 1');
    },
  },
  'redux-toolkit': {
    packages: ['@reduxjs/toolkit', 'react-redux'],
    app: `
import { configureStore, createAsyncThunk, createSlice } from '@reduxjs/toolkit';
import { Provider, useDispatch, useSelector } from 'react-redux';
const later = createAsyncThunk('pears/later', async (by: number) => by * 2);
const pears = createSlice({ name: 'pears', initialState: { count: 0 }, reducers: { add(state) { state.count += 1; } },
  extraReducers: (builder) => { builder.addCase(later.fulfilled, (state, { payload }) => { state.count += payload; }); } });
const store = configureStore({ reducer: { pears: pears.reducer } });
function Count() {
  const count = useSelector((state: ReturnType<typeof store.getState>) => state.pears.count);
  const dispatch = useDispatch<typeof store.dispatch>();
  return <button onClick={() => { dispatch(pears.actions.add()); dispatch(later(5)); }}>Add to {count}</button>;
}
export default () => <Provider store={store}><Count /></Provider>;`,
    use: async (page) => {
      await button(page, 'Add to 0');
      await shown(page, 'Add to 11');
    },
  },
  'tanstack-query': {
    packages: ['@tanstack/react-query'],
    app: `
import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import url from './trees.json?url';
function Trees() {
  const client = useQueryClient();
  const queryFn = async () => (await fetch(url)).json();
  const { data, isPending } = useQuery<string[]>({ queryKey: ['trees'], queryFn });
  const add = useMutation({ mutationFn: async (name: string) => name,
    onSuccess: (name) => client.setQueryData<string[]>(['trees'], (old = []) => [...old, name]) });
  return isPending ? <p>Loading</p> : <><p>{data?.join(', ')}</p><button onClick={() => add.mutate('quince')}>Add</button></>;
}
export default () => <QueryClientProvider client={new QueryClient()}><Trees /></QueryClientProvider>;`,
    use: async (page) => {
      await button(page, 'Add');
      await shown(page, 'apple, pear, quince');
    },
  },
  'react-three-fiber': {
    packages: ['three', '@react-three/fiber'],
    app: `
import { lazy, Suspense, useEffect, useState } from 'react';
const hasWebGl = document.createElement('canvas').getContext('webgl2') !== null;
const Scene = lazy(async () => {
  const { Canvas, useThree } = await import('@react-three/fiber');
  const Count = ({ onCount }: { onCount(count: number): void }) => {
    const { gl, scene, camera } = useThree();
    useEffect(() => { gl.render(scene, camera); onCount(gl.info.render.triangles); }, [gl, scene, camera, onCount]);
    return null;
  };
  return { default: (props: { onCount(count: number): void }) => <Canvas frameloop="demand"><ambientLight intensity={2} />
    <mesh rotation={[0.4, 0.2, 0]}><boxGeometry args={[2, 2, 2]} /><meshStandardMaterial color="orange" /></mesh>
    <Count {...props} /></Canvas> };
});
export default function App() {
  const [count, setCount] = useState(0);
  return hasWebGl ? <><p>{count} triangles</p><Suspense><Scene onCount={setCount} /></Suspense></> : <p>no WebGL</p>;
}`,
    use: (page) => page.getByText(/^(?:12 triangles|no WebGL)$/).waitFor(),
  },
  'framer-motion': {
    packages: ['framer-motion'],
    app: `
import { AnimatePresence, motion } from 'framer-motion';
import { useState } from 'react';
export default function App() {
  const [open, setOpen] = useState(false);
  const [end, setEnd] = useState('');
  return <><button onClick={() => setOpen(!open)}>Toggle</button><AnimatePresence>{open && (
    <motion.p initial={{ opacity: 0 }} animate={{ opacity: 1, x: 20 }} exit={{ opacity: 0 }} transition={{ duration: 0.05 }}
      onAnimationComplete={() => setEnd('At its place')}>Leaf</motion.p>)}</AnimatePresence><p>{end}</p></>;
}`,
    use: async (page) => {
      await button(page, 'Toggle');
      await shown(page, 'At its place');
      await button(page, 'Toggle');
      await page.getByText('Leaf').waitFor({ state: 'detached' });
    },
  },
  'hook-form': {
    packages: ['react-hook-form', '@hookform/resolvers', 'zod'],
    app: `
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
const schema = z.object({ email: z.email('Not an address'), age: z.coerce.number().min(18, 'Too young') });
export default function App() {
  const { register, handleSubmit, formState: { errors } } = useForm({ resolver: zodResolver(schema) });
  const [sent, setSent] = useState('');
  return <form noValidate onSubmit={handleSubmit((data) => setSent(JSON.stringify(data)))}>
    <input aria-label="Email" {...register('email')} /><p>{errors.email?.message}</p>
    <input aria-label="Age" {...register('age')} /><p>{errors.age?.message}</p><button>Send</button><output>{sent}</output></form>;
}`,
    use: async (page) => {
      await page.getByLabel('Age').fill('7');
      await button(page, 'Send');
      await shown(page, 'Not an address');
      await shown(page, 'Too young');
      await page.getByLabel('Email').fill('a@b.example');
      await page.getByLabel('Age').fill('70');
      await button(page, 'Send');
      await shown(page, '{"email":"a@b.example","age":70}');
    },
  },
  i18next: {
    packages: ['i18next', 'react-i18next'],
    app: `
import i18n from 'i18next';
import { initReactI18next, Trans, useTranslation } from 'react-i18next';
const de = { pears_one: '{{count}} Birne', pears_other: '{{count}} Birnen', bold: 'Sehr <0>reif</0>' };
const en = { pears_one: '{{count}} pear', pears_other: '{{count}} pears', bold: 'Very <0>ripe</0>' };
i18n.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en }, de: { translation: de } } });
export default function App() {
  const { t, i18n } = useTranslation();
  return <><p>{t('pears', { count: 1 })}, {t('pears', { count: 3 })}</p><p><Trans i18nKey="bold" components={[<b key="b" />]} /></p>
    <button onClick={() => i18n.changeLanguage('de')}>Deutsch</button></>;
}`,
    use: async (page) => {
      await shown(page, '1 pear, 3 pears');
      await button(page, 'Deutsch');
      await shown(page, '1 Birne, 3 Birnen');
    },
  },
  emotion: {
    packages: ['@emotion/react'],
    config: `react({ jsxImportSource: '@emotion/react' })`,
    app: `
import { css, Global, keyframes, ThemeProvider, useTheme } from '@emotion/react';
const grow = keyframes({ from: { opacity: 0 }, to: { opacity: 1 } });
const Pear = () => <p css={css({ color: (useTheme() as { leaf: string }).leaf, '&:hover': { opacity: 0.5 } })}>pear</p>;
export default () => <ThemeProvider theme={{ leaf: 'rgb(0, 100, 0)' }}><Global styles={{ body: { margin: 40 } }} />
  <Pear /><b css={{ animation: \`\${grow} 1s\` }}>ripe</b></ThemeProvider>;`,
    use: (page) => page.locator('p[class*=css-]').waitFor(),
  },
  daisyui: {
    packages: ['tailwindcss', 'daisyui'],
    config: 'react(), tailwindcss()',
    css: '@import "tailwindcss"; @plugin "daisyui" { themes: light --default, dracula; }',
    app: `
import { useState } from 'react';
export default function App() {
  const [theme, setTheme] = useState('light');
  return <main data-theme={theme} className="hero min-h-screen bg-base-200"><div className="card bg-base-100 shadow-xl w-96">
    <div className="card-body"><h2 className="card-title">Pears <span className="badge badge-primary">new</span></h2>
    <input type="range" className="range range-accent" defaultValue={40} /><progress className="progress" value={70} max={100} />
    <button className="btn btn-primary" onClick={() => setTheme('dracula')}>{theme}</button></div></div></main>;
}`,
    use: async (page) => {
      await button(page, 'light');
      await shown(page, 'dracula');
    },
  },
  'vue-router': {
    packages: ['vue', 'vue-router', 'pinia'],
    config: 'vue()',
    app: {
      'index.html':
        '<!doctype html><title>Pears</title><div id="app"></div><script type="module" src="/src/main.ts"></script>',
      'src/main.ts': `
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { createRouter, createWebHistory } from 'vue-router';
import App from './App.vue';
import Home from './views/Home.vue';
const routes = [{ path: '/', component: Home }, { path: '/trees/:id', props: true, component: () => import('./views/Tree.vue') }];
createApp(App).use(createPinia()).use(createRouter({ history: createWebHistory(import.meta.env.BASE_URL), routes })).mount('#app');`,
      'src/App.vue': `<script setup lang="ts">import { RouterLink, RouterView } from 'vue-router'</script>
<template><RouterLink to="/trees/7">Tree 7</RouterLink><Suspense><RouterView /></Suspense></template>`,
      'src/store.ts': `
import { defineStore } from 'pinia';
import { computed, ref } from 'vue';
export const usePears = defineStore('pears', () => { const count = ref(1); return { count, twice: computed(() => count.value * 2) }; });`,
      'src/views/Home.vue': `<script setup lang="ts">
import { usePears } from '../store';
const pears = usePears();
</script>
<template><button @click="pears.count++">{{ pears.count }} and {{ pears.twice }}</button></template>`,
      'src/views/Tree.vue': `<script setup lang="ts">
import { storeToRefs } from 'pinia';
import { usePears } from '../store';
const { id, size = 'small' } = defineProps<{ id: string; size?: 'small' | 'large' }>();
const { count } = storeToRefs(usePears());
</script>
<template><h1>Tree {{ id }}, {{ size }}, {{ count }}</h1></template>
<style scoped>h1 { color: v-bind("id === '7' ? 'rgb(0, 100, 0)' : 'red'"); }</style>`,
    },
    use: async (page) => {
      await button(page, '1 and 2');
      await shown(page, '2 and 4');
      await page.getByRole('link', { name: 'Tree 7' }).click();
      await shown(page, 'Tree 7, small, 2');
    },
  },
  'solid-router': {
    packages: ['solid-js', '@solidjs/router'],
    config: 'solid()',
    app: {
      'index.html':
        '<!doctype html><title>Pears</title><div id="root"></div><script type="module" src="/src/index.tsx"></script>',
      'src/index.tsx': `
import { A, Route, Router, useParams } from '@solidjs/router';
import { createResource, createSignal, For, lazy, Show } from 'solid-js';
import { createStore } from 'solid-js/store';
import { render } from 'solid-js/web';
function Home() {
  const [trees, setTrees] = createStore([{ name: 'apple' }]);
  const [open, setOpen] = createSignal(false);
  return <><button onClick={() => { setOpen(true); setTrees(trees.length, { name: 'pear' }); }}>Add</button>
    <Show when={open()}><ul><For each={trees}>{(tree, at) => <li>{at()} {tree.name}</li>}</For></ul></Show></>;
}
const Tree = lazy(async () => ({ default: () => {
  const params = useParams();
  const [title] = createResource(() => params.id, async (id) => 'Tree ' + id);
  return <h1>{title()}</h1>;
} }));
render(() => <Router root={(props) => <><A href="/trees/7">Seven</A>{props.children}</>}>
  <Route path="/" component={Home} /><Route path="/trees/:id" component={Tree} /></Router>, document.getElementById('root')!);`,
    },
    use: async (page) => {
      await button(page, 'Add');
      await shown(page, '1 pear');
      await page.getByRole('link', { name: 'Seven' }).click();
      await shown(page, 'Tree 7');
    },
  },
};
