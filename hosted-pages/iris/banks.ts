import { html } from 'hono/html'
import { drawing } from '../icons.ts'
import type { Html } from '../layout.ts'

/**
 * Invented banks of the IRIS pages, with their logos; their colours are in the stylesheet by id. `takesSeconds` is how
 * long a bank is at work after the shopper has confirmed, on the organization's clock.
 */
// biome-ignore format: a table reads by its columns
export const BANKS = [
  { id: 'alkyon',  name: 'Alkyon Bank',  takesSeconds: 0,  sign: 'M3.6 14.6c5.4.4 8.8-2.2 10.6-8.4.8 3.9 2.7 5.6 6.2 5.7-1.8 4.4-5.7 6.9-10.2 6.9-3.2 0-5.5-1.5-6.6-4.2z' },
  { id: 'asteria', name: 'Asteria Bank', takesSeconds: 0,  sign: 'm12 3 2.3 6.7L21 12l-6.7 2.3L12 21l-2.3-6.7L3 12l6.7-2.3z' },
  { id: 'elaia',   name: 'Elaia Bank',   takesSeconds: 0,  sign: 'M6.4 17.6C5.6 9.6 10.8 5 19.4 4.6c.2 8.6-4.8 13.6-13 13zM4.4 20 14 10' },
  { id: 'meltemi', name: 'Meltemi Bank', takesSeconds: 0,  sign: 'M3 9.4h10.6a2.7 2.7 0 1 0-2.7-2.7M3 14h15a2.7 2.7 0 1 1-2.7 2.7M3 18.6h7' },
  { id: 'pelagos', name: 'Pelagos Bank', takesSeconds: 0,  sign: 'M3 8.6c3-3.2 6 3.2 9 0s6 3.2 9 0M3 15.4c3-3.2 6 3.2 9 0s6 3.2 9 0' },
  { id: 'thymari', name: 'Thymari Bank', takesSeconds: 20, sign: 'M12 21V4.6M12 10c-3.2 0-4.8-1.8-4.8-4.6C10.4 5.4 12 7.2 12 10zm0 4.4c3.2 0 4.8-1.8 4.8-4.6C13.6 9.8 12 11.6 12 14.4zm0 3.8c-3.2 0-4.8-1.8-4.8-4.6 3.2 0 4.8 1.8 4.8 4.6z' },
] as const

export type Bank = (typeof BANKS)[number]

/** Returns the HTML of the logo of an invented IRIS bank. */
export const bankLogo = (bank: Bank): Html =>
  html`<span class="logo" data-bank="${bank.id}">${drawing(bank.sign)}</span>`
