import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ENV, json } from '../platform/env.ts';
import type { Gatekeeper } from '../sites/gate/gatekeeper.ts';
import type { Deployment, Version } from '../stored/deployment.ts';
import { ANONYMOUS } from '../stored/deployment-owner.ts';
import { boundOf, type GateBounds, gateBounds, isHeld } from '../stored/held.ts';
import type { Origins } from './resource.ts';

/** Assesses deploys, and decides which pages are held. */
export interface StageGate {
  readonly bounds: GateBounds;
  readonly assess: Gatekeeper;
}

/** The environment of functions that deploy. */
export const GATE_ENV = {
  [ENV.gate]: json(gateBounds).optional(),
  [ENV.badUrls]: z.string().optional(),
};

/** Returns the gate of a stage, or undefined if it has none. Its rules and its list are loaded with the first deploy. */
export function gateOf(
  {
    GATE: bounds,
    BAD_URLS: list,
  }: { readonly GATE?: GateBounds | undefined; readonly BAD_URLS?: string | undefined },
  { baseUrl, siteOrigin }: Origins,
): StageGate | undefined {
  if (!bounds) return undefined;
  let loaded: Promise<Gatekeeper> | undefined;
  return {
    bounds,
    assess: async (files, entry) => {
      loaded ??= load(list, ownHosts(baseUrl, siteOrigin));
      return (await loaded)(files, entry);
    },
  };
}

const ownHosts = (...urls: readonly (string | undefined)[]): string[] =>
  urls.flatMap((url) => (url === undefined ? [] : new URL(url.replace('*.', '')).hostname));

async function load(list: string | undefined, hosts: readonly string[]): Promise<Gatekeeper> {
  const { gatekeeper, listedUrls } = await import('../sites/gate/gatekeeper.ts');
  const badUrls = list && listedUrls(readFileSync(join(import.meta.dirname, list), 'utf8'));
  return gatekeeper(hosts, badUrls || undefined);
}

/** The longest text about a held page: it is a header, and part of the state of an execution. */
const LONGEST = 500;

/** Returns why a version is held and what its owner can do, in one line of ASCII; undefined if it is not held. */
export function heldWarning(
  deployment: Pick<Deployment, 'owner' | 'released'>,
  version: Pick<Version, 'gate'>,
  gate: StageGate | undefined,
): string | undefined {
  if (!gate || !version.gate || !isHeld(deployment, version, gate.bounds)) return undefined;
  const { points, reasons } = version.gate;
  const isAnonymous = deployment.owner === ANONYMOUS;
  const claim = isAnonymous ? 'claim it with an API key, ' : '';
  const why = reasons.slice(0, 3).map(({ path, reason }) => `${path}: ${reason}`);
  const text = `The page is held for review, and visitors get a 403: it has ${points} points of the gate, and pages ${isAnonymous ? 'without an owner' : 'of keys'} may have ${boundOf(deployment, gate.bounds)}. To make it public, ${claim}deploy other files, or ask the operator for a review. ${why.join('; ')}`;
  return text.replace(/[^\x20-\x7e]+/g, '?').slice(0, LONGEST);
}
