import { html } from 'hono/html'
import { drawing } from '../icons.ts'
import type { Html } from '../layout.ts'
import type { BlikBank } from './phone-and-code-types.ts'

/** SVG paths of the invented banks' logos; their colours are in the stylesheet, under the same ids. */
// biome-ignore format: a table reads by its columns
const SIGNS: Readonly<Record<string, string>> = {
  modrzew:   'M12 2.8 8 8.6h2.4L6 15.6h12L13.6 8.6H16zM12 15.6v5.6',
  jaskolka:  'M3 5.4c5 .2 8 2.2 9 5.4 1-3.2 4-5.2 9-5.4-1.400 5-4 7.800-7.600 8.600L16 20l-4-3.800L8 20l2.600-6C7 13.200 4.400 10.400 3 5.400z',
  jarzebina: 'M12 3v6M12 6c2.600 0 4.600-1 5.600-3M8.600 12.400a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600zM15.400 12.400a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600zM12 9l-2.600 3.600M12 9l2.600 3.600',
  rumianek:  'M12 9.400a2.600 2.600 0 1 1 0 5.200 2.600 2.600 0 0 1 0-5.200zM12 9.400V3.600M12 20.400v-5.800M9.400 12H3.600M20.400 12h-5.800M10.200 10.200 6 6M18 18l-4.200-4.200M13.800 10.200 18 6M6 18l4.200-4.200',
  zuraw:     'M4 4.600h6.400c1.800 0 2.800 1.200 2.800 3v3.800c3.600 0 6.400 2 6.800 5.200-4.200 1.400-10 .4-10-4.200V8.400zM12.600 16.600V21',
}

/** Returns the HTML of the logo of an invented bank on a BLIK phone. */
export const bankLogo = (bank: BlikBank): Html =>
  html`<span class="logo" data-bank="${bank.id}">${drawing(SIGNS[bank.id] ?? '')}</span>`
