import { html, raw } from 'hono/html'
import type { Html } from '../layout.ts'

/** Flat drawings of 120 × 120: `t` is a tint, `m` the middle tone, `d` the dark one, `w` paper; the stylesheet has the colours. */
// biome-ignore format: a table reads by its columns
const DRAWINGS: Readonly<Record<string, string>> = {
  jar:     '<rect class="d" x="36" y="20" width="48" height="14" rx="4"/><rect class="m" x="30" y="36" width="60" height="66" rx="12"/><path class="t" d="M30 54c10-6 20 6 30 0s20-6 30 0v-6a12 12 0 0 0-12-12H42a12 12 0 0 0-12 12z"/><rect class="w" x="38" y="62" width="44" height="26" rx="4"/><path class="d" d="m60 66 7 4v8l-7 4-7-4v-8z"/>',
  candle:  '<path class="t" d="M60 12c9 11 9 17 9 20a9 9 0 0 1-18 0c0-3 0-9 9-20z"/><path class="d" d="M58.500 34h3v14h-3z"/><rect class="m" x="42" y="48" width="36" height="50" rx="5"/><path class="t" d="m42 60 9-5 9 5 9-5 9 5v5l-9-5-9 5-9-5-9 5zM42 80l9-5 9 5 9-5 9 5v5l-9-5-9 5-9-5-9 5z"/><rect class="d" x="28" y="98" width="64" height="7" rx="3.500"/>',
  box:     '<path class="d" d="M16 52h88v48a5 5 0 0 1-5 5H21a5 5 0 0 1-5-5z"/><g class="m"><rect x="24" y="34" width="20" height="30" rx="5"/><rect x="50" y="34" width="20" height="30" rx="5"/><rect x="76" y="34" width="20" height="30" rx="5"/></g><g class="t"><rect x="26" y="26" width="16" height="8" rx="2"/><rect x="52" y="26" width="16" height="8" rx="2"/><rect x="78" y="26" width="16" height="8" rx="2"/></g><path class="m" d="M16 60h88v7H16z"/><rect class="w" x="44" y="76" width="32" height="18" rx="3"/>',
  beans:   '<path class="d" d="M34 26h52l6 10-2 62a8 8 0 0 1-8 8H38a8 8 0 0 1-8-8l-2-62z"/><path class="m" d="M34 16h52v12H34z"/><rect class="w" x="38" y="48" width="44" height="40" rx="5"/><path class="m" d="M60 54c10 0 13 8 13 14s-3 14-13 14-13-8-13-14 3-14 13-14z"/><path class="t" d="M61 54c-6 9 6 17-2 28h-3c8-11-4-19 2-28z"/>',
  cup:     '<path class="t" d="M46 18c-5 6 5 9 0 16m14-16c-5 6 5 9 0 16m14-16c-5 6 5 9 0 16" fill="none" stroke-width="4" stroke-linecap="round"/><path class="m" d="M28 44h58v34a22 22 0 0 1-22 22H50a22 22 0 0 1-22-22z"/><path class="o" d="M86 52h6a12 12 0 0 1 0 24h-6" fill="none" stroke-width="7"/><path class="d" d="M28 44h58v9H28z"/><path class="t" d="M28 66h58v5H28z"/>',
  dripper: '<path class="m" d="M30 18h60L70 50H50z"/><rect class="d" x="42" y="50" width="36" height="7" rx="3"/><path class="t" d="M40 60h40l8 34a8 8 0 0 1-8 10H40a8 8 0 0 1-8-10z"/><path class="m" d="M35 82h50l3 12a8 8 0 0 1-8 10H40a8 8 0 0 1-8-10z"/><path class="d" d="M30 18h60l-4 7H34z"/>',
}

/** Returns the drawing of a product, in the colours of its shop; hidden from screen readers. */
export const productArt = (productId: string): Html =>
  html`<svg class="art" viewBox="0 0 120 120" aria-hidden="true" focusable="false">${raw(DRAWINGS[productId] ?? '')}</svg>`

// biome-ignore format: a table reads by its columns
const LOGOS: Readonly<Record<string, string>> = {
  honey:  'M12 3.200 19.600 7.600v8.800L12 20.800l-7.600-4.400V7.600zM12 8.200l3.400 2v3.800l-3.400 2-3.400-2v-3.800z',
  coffee: 'M12 3.600c5 0 7 4.400 7 8.400s-2 8.400-7 8.400-7-4.400-7-8.400 2-8.400 7-8.400zM13 3.800c-4.400 5.600 3 10.400-2 16.400',
}

/** Returns the sign of a shop as a line drawing. */
export const shopLogo = (theme: string): Html =>
  html`<span class="shop-logo"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${LOGOS[theme] ?? ''}"/></svg></span>`
